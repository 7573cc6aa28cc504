/** Price rows, their order, and the roll-up by tier. Pure. */
import type { TokenPrice } from '#platform/money.js'
import { QUALITY_TIERS, type Tier } from '#platform/vocabulary/words.js'
import type { DeploymentHealth, PricedDeployment } from '../ports.js'
import type { CurrentPrice } from '../versions/price-memory.js'

/** One deployment with what it costs; `price` null is unpriced. */
export interface PriceRow {
  readonly deployment: PricedDeployment
  readonly price: CurrentPrice | null
}

export interface PricedRow extends PriceRow {
  readonly price: CurrentPrice
}

export const isPriced = (row: PriceRow): row is PricedRow => row.price !== null

const compare = <T extends bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

/** By input plus output price, then input price, then deployment id; what has no price comes last, never first. */
export function cheapestFirst(a: PriceRow, b: PriceRow): number {
  const [left, right] = [a.price?.tokenPrice, b.price?.tokenPrice]
  if (!left || !right) return left ? -1 : right ? 1 : compare(a.deployment.id, b.deployment.id)
  return (
    compare(left.input + left.output, right.input + right.output) ||
    compare(left.input, right.input) ||
    compare(a.deployment.id, b.deployment.id)
  )
}

/** The row with the lowest input plus output price; null when none has a price. */
export function cheapest(rows: readonly PriceRow[]): PricedRow | null {
  let best: PricedRow | null = null
  for (const row of rows) if (isPriced(row) && (!best || cheapestFirst(row, best) < 0)) best = row
  return best
}

export interface RowFilter {
  /** Canonical model id. */
  readonly model?: string
  /** Routing identifier. */
  readonly provider?: string
}

/** Both filters must fit. */
export const matches = ({ deployment }: PriceRow, { model, provider }: RowFilter): boolean =>
  (model === undefined || deployment.modelId === model) && (provider === undefined || deployment.providerId === provider)

export interface TierRollUp {
  readonly tier: Tier
  readonly cheapest: PricedRow
  /** The lowest rates of the tier, which may belong to different rows. */
  readonly lowestInput: bigint
  readonly lowestOutput: bigint
  /** The cheapest row of each model, cheapest first. */
  readonly models: readonly PricedRow[]
}

/** Priced rows by tier: light, medium, high; a tier without any is left out. */
export function rollUpByTier(rows: readonly PriceRow[]): TierRollUp[] {
  const priced = rows.filter(isPriced).toSorted(cheapestFirst)
  const byTier = Map.groupBy(priced, ({ deployment }) => deployment.model.tier)
  return (Object.keys(QUALITY_TIERS) as Tier[]).flatMap((tier) => {
    const ofTier = byTier.get(tier)
    if (!ofTier) return []
    const models = [...Map.groupBy(ofTier, ({ deployment }) => deployment.modelId).values()].map((ofModel) => ofModel[0]!)
    const lowest = (rate: (price: TokenPrice) => bigint) =>
      ofTier.map(({ price }) => rate(price.tokenPrice)).reduce((least, value) => (value < least ? value : least))
    return [
      {
        tier,
        cheapest: ofTier[0]!,
        lowestInput: lowest(({ input }) => input),
        lowestOutput: lowest(({ output }) => output),
        models,
      },
    ]
  })
}

/** What is shown for limits that nobody has stated: low enough to be safe for a client that trims its prompts by them. */
const UNSTATED_CONTEXT_WINDOW = 8192
const UNSTATED_MAX_OUTPUT_TOKENS = 4096

/** The contract's capabilities, which know no "unknown": what nobody has said counts as not supported. */
export function shownCapabilities({ model, ...deployment }: PricedDeployment) {
  const contextWindow = deployment.contextWindow ?? model.contextWindow ?? UNSTATED_CONTEXT_WINDOW
  return {
    contextWindow,
    maxOutputTokens: deployment.maxOutputTokens ?? model.maxOutputTokens ?? Math.min(contextWindow, UNSTATED_MAX_OUTPUT_TOKENS),
    supportsFunctionCalling: deployment.supportsFunctionCalling ?? model.supportsFunctionCalling ?? false,
    supportsJsonMode: deployment.supportsJsonMode ?? model.supportsJsonMode ?? false,
    qualityTier: QUALITY_TIERS[model.tier],
  }
}

/** The contract's health, whose figures are never null: 0 says that there has been no traffic to measure. */
export const shownHealth = (health: DeploymentHealth) => ({
  status: health.status,
  latencyP50Ms: health.latencyP50Ms ?? 0,
  latencyP95Ms: health.latencyP95Ms ?? 0,
  tokensPerSecond: health.tokensPerSecond ?? 0,
})

/** Rates under their names in the graph. */
export const shownRates = (price: TokenPrice) => ({
  inputPerMillion: price.input,
  outputPerMillion: price.output,
  cachedInputPerMillion: price.cachedInput,
})
