/** Prices of a mix of tokens, worked out exactly: so many of input for one of output. */
import type { PricesBenchmarkFragment } from '../../generated/console-prices.js'
import { compareDecimals, roundedDecimal } from '../format/decimal.js'

interface Rates {
  readonly inputPerMillion: string
  readonly outputPerMillion: string
}

const DIGITS = 9

const toNano = (decimal: string): bigint => BigInt(roundedDecimal(decimal, DIGITS).replace(/[,.]/g, ''))

function fromNano(nano: bigint): string {
  const digits = nano.toString().padStart(DIGITS + 1, '0')
  return `${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`
}

/** US dollars for a million tokens of that mix. */
export function mixed({ inputPerMillion, outputPerMillion }: Rates, inputs: number): string {
  const parts = BigInt(inputs + 1)
  return fromNano((toNano(inputPerMillion) * BigInt(inputs) + toNano(outputPerMillion) + parts / 2n) / parts)
}

/** What ours saves in per cent of theirs, to one decimal; negative when ours is higher. */
function savingPercent(ours: string, theirs: string): string {
  const whole = toNano(theirs)
  if (whole === 0n) return '0.0'
  const nano = ((whole - toNano(ours)) * 100n * 10n ** BigInt(DIGITS)) / whole
  return roundedDecimal(nano < 0n ? `-${fromNano(-nano)}` : fromNano(nano), 1)
}

export interface ComparedPrice {
  readonly vendor: string
  readonly label: string
  readonly isSameModel: boolean
  readonly rates: Rates
  readonly price: string
  readonly saving: string
  readonly source: string
  readonly date: string
}

export interface ComparedModel {
  readonly id: string
  readonly name: string
  readonly providerId: string
  readonly rates: Rates
  readonly price: string
  /** The same model elsewhere first, then by price. */
  readonly others: readonly ComparedPrice[]
  /** Against the cheapest offer of the same model, or else of a closed model of the tier; null without any. */
  readonly saving: { readonly percent: string; readonly isSameModel: boolean } | null
}

/** Every model at that mix, the cheapest first. */
export const comparedModels = (entries: readonly PricesBenchmarkFragment[], inputs: number): readonly ComparedModel[] =>
  entries
    .map((entry) => comparedModel(entry, inputs))
    .toSorted((a, b) => compareDecimals(a.price, b.price) || a.name.localeCompare(b.name))

function comparedModel(
  { canonicalModelId, modelMeta, ourPrice, competitors }: PricesBenchmarkFragment,
  inputs: number,
): ComparedModel {
  const price = mixed(ourPrice, inputs)
  const others = competitors
    .map(({ vendor, label, isSameModel, source, date, ...rates }): ComparedPrice => {
      const theirs = mixed(rates, inputs)
      return { vendor, label, isSameModel, rates, price: theirs, saving: savingPercent(price, theirs), source, date }
    })
    .toSorted((a, b) => Number(b.isSameModel) - Number(a.isSameModel) || compareDecimals(a.price, b.price))
  const nearest = others[0]
  return {
    id: canonicalModelId,
    name: modelMeta.displayName,
    providerId: ourPrice.providerId,
    rates: ourPrice,
    price,
    others,
    saving: nearest ? { percent: nearest.saving, isSameModel: nearest.isSameModel } : null,
  }
}
