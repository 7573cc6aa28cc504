/** A catalogue of a few models at two providers, with prices that the test sets. */
import type { TokenPrice } from '#platform/money.js'
import { type CatalogOptions, createCatalogSubgraph, ModelConfig, ProviderConfig } from '../../subgraphs/catalog/index.js'
import type { SessionState } from '../../subgraphs/catalog/index.js'

export const providers = [
  { id: 'hp-1', name: 'First', base_url: 'https://one.example/v1', api_key: 'k1' },
  { id: 'hp-2', name: 'Second', base_url: 'https://two.example/v1/', api_key: 'k2' },
].map((entry) => ProviderConfig.parse(entry))

export const model = (entry: Record<string, unknown>): ModelConfig => ModelConfig.parse(entry)

export const NO_SESSION: SessionState = { state: 'none', estimatedDeploySeconds: null, estimatedCostPerHour: null }

export function testCatalog(options: Partial<CatalogOptions> = {}) {
  const prices = new Map<string, TokenPrice>()
  const sessions = new Map<string, SessionState>()
  const listeners = new Set<(modelId: string) => void>()
  let revision = 0
  const subgraph = createCatalogSubgraph({
    options: { providers, models: [], includeShipped: false, presetKeys: new Map(), sandbox: null, canDeploy: true, ...options },
    prices: {
      revision: () => revision,
      priceOf(priceId) {
        const tokenPrice = prices.get(priceId)
        return tokenPrice ? { versionId: `v-${priceId}`, tokenPrice, costPrice: null } : null
      },
      onChange(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    sessions: { stateOf: (modelId) => sessions.get(modelId) ?? NO_SESSION },
    health: { statusOf: () => 'healthy', openUntil: () => null, faultOf: () => null },
  })
  return {
    subgraph,
    catalog: subgraph.catalog,
    sessions,
    setPrice(priceId: string, input: bigint, output: bigint) {
      prices.set(priceId, { input, output, cachedInput: null })
      revision++
      for (const listener of listeners) listener(priceId.split('@')[0]!)
    },
    /** Gives every deployment its list price, as the pricing subgraph does at start. */
    priceAll() {
      for (const { priceId, listPrice } of subgraph.catalog.pricePoints()) if (listPrice) prices.set(priceId, listPrice)
      revision++
    },
  }
}
