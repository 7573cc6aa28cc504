/** What others charge, for the benchmark: the shipped file and what the operator's configuration adds. */
import { join } from 'node:path'
import { z } from 'zod'
import { packageRoot } from '#platform/package-root.js'
import { readYaml } from '#platform/yaml-file.js'
import { parseUsd, type PricePerMillion } from '#platform/money.js'
import { Tier } from '#platform/vocabulary/words.js'

const isPositiveDecimal = (text: string): boolean => {
  try {
    return parseUsd(text) > 0n
  } catch {
    return false
  }
}

const Price = z.union([z.string(), z.number()]).transform(String).refine(isPositiveDecimal, 'a decimal above zero such as "0.15"')

const rates = {
  vendor: z.string().min(1),
  label: z.string().min(1),
  input_price_per_million: Price,
  output_price_per_million: Price,
  source: z.string().min(1).default('operator'),
  /** A day, or a month when the source states no day. */
  date: z.string().regex(/^\d{4}-\d{2}(-\d{2})?$/, 'a day such as 2026-07-02'),
}

/** A price to compare with: of the same model at another vendor (`model`), or of a closed model of a tier (`tier`). */
export const CompetitorConfig = z
  .strictObject({ ...rates, model: z.string().optional(), tier: z.enum(Tier).optional() })
  .refine(({ model, tier }) => (model === undefined) !== (tier === undefined), 'name either model or tier')
export type CompetitorConfig = z.infer<typeof CompetitorConfig>

const ShippedFile = z.strictObject({
  sources: z.record(z.string(), z.unknown()),
  closed: z.array(z.strictObject({ ...rates, tier: z.enum(Tier) })),
  same_model: z.record(z.string(), z.array(z.strictObject(rates))),
})

export interface Competitor {
  readonly vendor: string
  readonly label: string
  readonly input: PricePerMillion
  readonly output: PricePerMillion
  readonly source: string
  /** Epoch milliseconds. */
  readonly date: number
}

export interface Competitors {
  /** The newest day of all, epoch milliseconds; null without any. */
  readonly newestDate: number | null
  /** The same model elsewhere first, then closed models of the tier. */
  of(modelId: string, tier: Tier): readonly { readonly competitor: Competitor; readonly isSameModel: boolean }[]
}

function shippedEntries(): CompetitorConfig[] {
  const file = ShippedFile.parse(readYaml(join(packageRoot, 'subgraphs/pricing/shipped/competitors.yaml')))
  const same = Object.entries(file.same_model).flatMap(([model, entries]) => entries.map((entry) => ({ ...entry, model })))
  return [...same, ...file.closed]
}

/** Reads the shipped file unless it is left out. */
export function loadCompetitors(own: readonly CompetitorConfig[], includeShipped: boolean): Competitors {
  const byModel = new Map<string, Competitor[]>()
  const byTier = new Map<string, Competitor[]>()
  for (const entry of [...(includeShipped ? shippedEntries() : []), ...own]) {
    const [group, key] = entry.model === undefined ? [byTier, entry.tier!] : [byModel, entry.model]
    const list = group.get(key) ?? []
    group.set(key, list)
    list.push({
      vendor: entry.vendor,
      label: entry.label,
      input: parseUsd(entry.input_price_per_million),
      output: parseUsd(entry.output_price_per_million),
      source: entry.source,
      date: Date.parse(entry.date.length === 7 ? `${entry.date}-01` : entry.date),
    })
  }
  const dates = [...byModel.values(), ...byTier.values()].flat().map(({ date }) => date)
  return {
    newestDate: dates.length > 0 ? Math.max(...dates) : null,
    of: (modelId, tier) => [
      ...(byModel.get(modelId) ?? []).map((competitor) => ({ competitor, isSameModel: true })),
      ...(byTier.get(tier) ?? []).map((competitor) => ({ competitor, isSameModel: false })),
    ],
  }
}
