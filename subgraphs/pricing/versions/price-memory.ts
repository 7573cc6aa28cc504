/** The versions in force and the proposals that wait, in memory: what the hot path reads. */
import type { TokenPrice } from '#platform/money.js'
import type { PriceVersion } from './price-version.js'
import { costOf, ratesOf } from './sale-price.js'

export interface CurrentPrice {
  readonly versionId: string
  readonly tokenPrice: TokenPrice
  /** What the provider bills us, when known. */
  readonly costPrice: TokenPrice | null
  readonly version: PriceVersion
}

export interface PriceMemory {
  /** null is unpriced. */
  priceOf(priceId: string): CurrentPrice | null
  /** The version in force, which may say that the price was withdrawn. */
  versionOf(priceId: string): PriceVersion | null
  /** A feed's proposal that waits for an administrator. */
  pendingOf(priceId: string): PriceVersion | null
  /** Changes with every price in force. */
  revision(): number
  /** Takes a current or pending version in; others are of no interest. */
  remember(version: PriceVersion): void
  dropPending(priceId: string): void
  /** Ids of everything remembered. */
  priceIds(): Iterable<string>
}

export function createPriceMemory(): PriceMemory {
  const current = new Map<string, PriceVersion>()
  const prices = new Map<string, CurrentPrice>()
  const pending = new Map<string, PriceVersion>()
  let revision = 0
  return {
    priceOf: (priceId) => prices.get(priceId) ?? null,
    versionOf: (priceId) => current.get(priceId) ?? null,
    pendingOf: (priceId) => pending.get(priceId) ?? null,
    revision: () => revision,
    remember(version) {
      const { priceId } = version
      if (version.state === 'pending') pending.set(priceId, version)
      if (version.state !== 'current') return
      const tokenPrice = ratesOf(version)
      current.set(priceId, version)
      if (tokenPrice) prices.set(priceId, { versionId: version.id, tokenPrice, costPrice: costOf(version), version })
      else prices.delete(priceId)
      revision++
    },
    dropPending: (priceId) => void pending.delete(priceId),
    priceIds: () => current.keys(),
  }
}
