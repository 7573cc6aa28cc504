/**
 * Which price wins. Pure: the present version and what is proposed in, the version to write (or null) out.
 *
 * Precedence: an administrator's price stays until it is cleared. Between the configuration (or shipped catalogue) and a feed
 * the newer statement wins: a feed updates what the configuration said, and an edit of the configuration afterwards wins over
 * the feed again. A feed alone never prices what was unpriced, never makes anything free, and never moves a price by more
 * than its factor: such proposals wait as pending.
 */
import type { TokenPrice } from '#platform/money.js'
import type { ListPrice, PricePoint } from '../ports.js'
import type { PriceOrigin, PriceVersion } from './price-version.js'
import { costOf, declaredText, listOf, ratesOf, salePrice, samePrice } from './sale-price.js'

/** A version before it has an id, a number and a time. */
export interface ProposedVersion {
  readonly origin: PriceOrigin
  readonly isPending: boolean
  /** null withdraws the price. */
  readonly rates: TokenPrice | null
  readonly cost: TokenPrice | null
  readonly declared: string
  readonly source: string | null
  readonly reason: string | null
}

type Version = Pick<
  PriceVersion,
  'origin' | 'declared' | 'source' | 'input' | 'output' | 'cachedInput' | 'costInput' | 'costOutput' | 'costCachedInput'
>

/** What the configuration's statement about `point` changes; null when nothing. */
export function decideDeclared(current: Version | null, point: PricePoint): ProposedVersion | null {
  const declared = declaredText(point)
  const configured = configuredVersion(point)
  if (!current) return configured.rates ? configured : null
  if (current.origin === 'administrator') return null
  if (current.origin === 'config') {
    const isSame = samePrice(ratesOf(current), configured.rates) && samePrice(costOf(current), configured.cost)
    return isSame ? null : configured
  }
  if (current.declared === declared) return null
  if (listOf(current.declared) !== listOf(declared)) return configured
  const cost = costOf(current)
  const rates = cost && salePrice(cost, point.markup)
  return { ...configured, origin: 'feed', source: current.source, rates, cost, reason: 'the markup changed' }
}

/** What a deployment costs by configuration alone. */
export function configuredVersion(point: PricePoint): ProposedVersion {
  return {
    origin: 'config',
    isPending: false,
    rates: point.listPrice && salePrice(point.listPrice, point.markup),
    cost: point.listPrice,
    declared: declaredText(point),
    source: null,
    reason: point.listPrice ? null : 'no price is configured',
  }
}

/** What a feed's list price for `point` changes; `jumpFactor` above 1 bounds the change of every rate. */
export function decideListed(
  current: Version | null,
  point: PricePoint,
  listed: ListPrice,
  feed: { readonly name: string; readonly jumpFactor: number },
): ProposedVersion | null {
  if (current?.origin === 'administrator') return null
  const rates = salePrice(listed, point.markup)
  const reference = current && (costOf(current) ?? ratesOf(current))
  if (current && samePrice(reference ?? null, listed) && samePrice(ratesOf(current), rates)) return null
  const reason = reference ? jumpReason(reference, listed, feed.jumpFactor) : 'it had no price before'
  const base = { origin: 'feed', rates, cost: listed, declared: declaredText(point), source: feed.name } as const
  return { ...base, isPending: reason !== null, reason }
}

function jumpReason(before: TokenPrice, after: TokenPrice, factor: number): string | null {
  const cached = [before.cachedInput ?? before.input, after.cachedInput ?? after.input] as const
  const rates = [
    ['input', before.input, after.input],
    ['output', before.output, after.output],
    ['cached input', ...cached],
  ] as const
  for (const [name, old, now] of rates) {
    if (old === now) continue
    const ratio = Number(now) / Number(old)
    if (!(ratio <= factor && ratio >= 1 / factor)) return `the ${name} price would change by a factor of ${ratio.toPrecision(3)}`
  }
  return null
}
