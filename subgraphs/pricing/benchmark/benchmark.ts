/** Our cheapest routable price of each model beside what others charge. Pure. */
import type { TokenPrice } from '#platform/money.js'
import type { Competitor, Competitors } from './competitors.js'
import { cheapest, type PricedRow, type PriceRow } from '../list/price-rows.js'

interface ComparedPrice {
  readonly competitor: Competitor
  readonly isSameModel: boolean
  /** Per cent of their price, one decimal: "62.5"; negative when ours is higher. */
  readonly savingPercent: string
}

export interface Benchmark {
  readonly row: PricedRow
  readonly compared: readonly ComparedPrice[]
}

/** Models that have a routable price, ordered by model id; the others are left out, never shown as zero. */
export function buildBenchmarks(rows: readonly PriceRow[], competitors: Competitors): Benchmark[] {
  return [...Map.groupBy(rows, ({ deployment }) => deployment.modelId)]
    .flatMap(([modelId, ofModel]) => {
      const row = cheapest(ofModel)
      if (!row) return []
      const compared = competitors.of(modelId, row.deployment.model.tier).map(({ competitor, isSameModel }) => ({
        competitor,
        isSameModel,
        savingPercent: savingPercent(row.price.tokenPrice, competitor),
      }))
      return [{ row, compared }]
    })
    .sort((a, b) => (a.row.deployment.modelId < b.row.deployment.modelId ? -1 : 1))
}

/** The newest day among the compared prices, epoch milliseconds; null without any. */
export function newestDate(benchmarks: readonly Benchmark[]): number | null {
  let newest: number | null = null
  for (const { compared } of benchmarks) {
    for (const { competitor } of compared) if (newest === null || competitor.date > newest) newest = competitor.date
  }
  return newest
}

/**
 * What one saves on a million input and a million output tokens, in per cent of the other price with one decimal, rounded
 * half away from zero. Exact: integers only.
 */
export function savingPercent(ours: Pick<TokenPrice, 'input' | 'output'>, theirs: Pick<Competitor, 'input' | 'output'>): string {
  const total = theirs.input + theirs.output
  const saved = (total - ours.input - ours.output) * 1000n
  const magnitude = saved < 0n ? -saved : saved
  const tenths = (2n * magnitude + total) / (2n * total)
  const sign = saved < 0n && tenths > 0n ? '-' : ''
  return `${sign}${tenths / 10n}.${tenths % 10n}`
}
