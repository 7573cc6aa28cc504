/** From the rows of a price list to our deployments. Pure. */
import type { Capabilities, ListPrice, PricedDeployment } from '../ports.js'
import type { FeedConfig } from '../pricing-config.js'
import { samePrice } from '../versions/sale-price.js'
import { parseMappedJson } from './json-mapping.js'
import type { ListedPrice, ParsedFeed } from './listed-price.js'
import { parseModelsDev } from './models-dev.js'
import { parseOpenRouter } from './openrouter.js'

export interface MatchedFeed {
  /** By price id. */
  readonly prices: ReadonlyMap<string, ListPrice>
  /** By deployment id. */
  readonly capabilities: ReadonlyMap<string, Partial<Capabilities>>
  readonly refused: readonly string[]
}

/** Throws BrokenFeed when the document as a whole is not what the feed's type says. */
export function parseFeed(feed: FeedConfig, document: unknown, deployments: readonly PricedDeployment[]): ParsedFeed {
  if (feed.type === 'openrouter') return parseOpenRouter(document)
  if (feed.type === 'json') return parseMappedJson(document, feed.mapping)
  return parseModelsDev(document, new Set(deployments.flatMap(({ provider }) => provider.feedId ?? [])))
}

/** Keeps the rows of our deployments. A deployment that the list prices twice, differently, is refused. */
export function matchFeed(feed: FeedConfig, parsed: ParsedFeed, deployments: readonly PricedDeployment[]): MatchedFeed {
  const key = (provider: string | null, modelId: string) => JSON.stringify([provider, modelId])
  const rows = Map.groupBy(parsed.rows, ({ feedProvider, providerModelId }) => key(feedProvider, providerModelId))
  const prices = new Map<string, ListPrice>()
  const capabilities = new Map<string, Partial<Capabilities>>()
  const refused: string[] = []
  for (const deployment of deployments) {
    if (feed.type !== 'models.dev' && deployment.providerId !== feed.provider) continue
    const feedProvider = feed.type === 'models.dev' ? deployment.provider.feedId : null
    const [first, ...others] = rows.get(key(feedProvider, deployment.providerModelId)) ?? []
    if (!first) continue
    if (others.some((other: ListedPrice) => !samePrice(other.price, first.price))) {
      refused.push(`${deployment.id}: the list has two prices for it`)
      continue
    }
    prices.set(deployment.priceId, first.price)
    if (Object.keys(first.capabilities).length > 0) capabilities.set(deployment.id, first.capabilities)
  }
  return { prices, capabilities, refused: [...refused, ...parsed.refused] }
}
