/** The price list of one moment as GraphQL objects: what the resolvers answer from, without touching the database. */
import { buildBenchmarks, newestDate } from '../benchmark/benchmark.js'
import type { BenchmarkEntryType, BenchmarkListType } from '../benchmark/benchmark-type.js'
import type { Competitors } from '../benchmark/competitors.js'
import type { Capabilities, CatalogSource, HealthTracker, PricePoint } from '../ports.js'
import type { PriceBook } from '../versions/price-book.js'
import { createPriceObjects, shownBenchmark, tierObject } from './price-objects.js'
import { cheapest, cheapestFirst, isPriced, matches, type PriceRow, rollUpByTier, type RowFilter } from './price-rows.js'
import type { PriceTierType } from './price-tier-type.js'
import type { PriceType } from './price-type.js'

export interface PriceList {
  /** Routable prices, ordered by model and then cheapest first. */
  prices(filter: RowFilter, accountId?: string): PriceType[]
  tiers(filter: RowFilter, accountId?: string): PriceTierType[]
  benchmarks(accountId?: string): BenchmarkListType
  benchmarkOf(modelId: string, accountId?: string): BenchmarkEntryType | null
  pricesOf(modelId: string, accountId?: string): PriceType[]
  cheapestOf(modelId: string, accountId?: string): PriceType | null
  priceOfDeployment(deploymentId: string, accountId?: string): PriceType | null
  /** The price of a price id that no deployment uses at present, such as a model's GPU sessions. */
  priceOfPoint(point: PricePoint): PriceType | null
}

interface RowView {
  readonly rows: readonly PriceRow[]
  readonly byModel: ReadonlyMap<string, readonly PriceRow[]>
}

export function createPriceList(
  book: PriceBook,
  catalog: CatalogSource,
  health: HealthTracker,
  competitors: Competitors,
): PriceList {
  // The catalogue answers the same array for the same state, so rows live as long as it and the prices do.
  const views = new WeakMap<object, { revision: number; view: RowView }>()
  const viewFor = (accountId?: string): RowView => {
    const deployments = catalog.deployments(accountId)
    const known = views.get(deployments)
    if (known?.revision === book.revision()) return known.view
    const rows = deployments.map((deployment) => ({ deployment, price: book.priceOf(deployment.priceId) }))
    const view = { rows, byModel: Map.groupBy(rows, ({ deployment }) => deployment.modelId) }
    views.set(deployments, { revision: book.revision(), view })
    return view
  }
  const shown = createPriceObjects(health)
  const rowsOf = (modelId: string, accountId?: string) => viewFor(accountId).byModel.get(modelId) ?? []
  return {
    prices: (filter, accountId) =>
      viewFor(accountId)
        .rows.filter((row) => matches(row, filter))
        .filter(isPriced)
        .sort(byModel)
        .map(shown),
    tiers: (filter, accountId) => rollUpByTier(viewFor(accountId).rows.filter((row) => matches(row, filter))).map(tierObject),
    benchmarks(accountId) {
      const benchmarks = buildBenchmarks(viewFor(accountId).rows, competitors)
      return {
        benchmarks: benchmarks.map(shownBenchmark),
        updatedAt: new Date(newestDate(benchmarks) ?? competitors.newestDate ?? 0),
      }
    },
    benchmarkOf(modelId, accountId) {
      const [benchmark] = buildBenchmarks(rowsOf(modelId, accountId), competitors)
      return benchmark ? shownBenchmark(benchmark) : null
    },
    pricesOf: (modelId, accountId) => rowsOf(modelId, accountId).filter(isPriced).toSorted(cheapestFirst).map(shown),
    cheapestOf(modelId, accountId) {
      const row = cheapest(rowsOf(modelId, accountId))
      return row && shown(row)
    },
    priceOfDeployment(deploymentId, accountId) {
      const row = viewFor(accountId).rows.find(({ deployment }) => deployment.id === deploymentId)
      return row && isPriced(row) ? shown(row) : null
    },
    priceOfPoint(point) {
      const model = catalog.model(point.modelId)
      const price = book.priceOf(point.priceId)
      if (!model || !price) return null
      const { id, modelId, priceId, providerId } = { ...point, id: point.priceId }
      const capabilities: Capabilities = model
      const place = { region: null, providerModelId: modelId, provider: { feedId: null } }
      const deployment = { ...capabilities, ...place, id, modelId, priceId, providerId, model }
      return shown({ deployment, price })
    },
  }
}

const byModel = (a: PriceRow, b: PriceRow): number => {
  const [left, right] = [a.deployment.modelId, b.deployment.modelId]
  return left < right ? -1 : left > right ? 1 : cheapestFirst(a, b)
}
