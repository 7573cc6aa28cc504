/**
 * The models.dev price list (api.json): providers by id, each with `models` by id, `cost` in dollars per million tokens and
 * `limit` in tokens. https://models.dev
 */
import {
  BrokenFeed,
  isRecord,
  type ListedPrice,
  member,
  type ParsedFeed,
  readPrice,
  readTokens,
  statedCapabilities,
} from './listed-price.js'

/** `feedProviders` are the providers of the list that are of interest. */
export function parseModelsDev(document: unknown, feedProviders: ReadonlySet<string>): ParsedFeed {
  if (!isRecord(document)) throw new BrokenFeed('The document is not an object of providers.')
  const rows: ListedPrice[] = []
  const refused: string[] = []
  for (const feedProvider of feedProviders) {
    const models = member(member(document, feedProvider), 'models')
    if (!isRecord(models)) continue
    for (const [providerModelId, entry] of Object.entries(models)) {
      const cost = member(entry, 'cost')
      if (cost === undefined) continue
      const price = readPrice(
        { input: member(cost, 'input'), output: member(cost, 'output'), cachedInput: member(cost, 'cache_read') },
        'per_million',
      )
      if (typeof price === 'string') refused.push(`${feedProvider}/${providerModelId}: ${price}`)
      else rows.push({ feedProvider, providerModelId, price, capabilities: capabilitiesOf(entry) })
    }
  }
  return { rows, refused }
}

function capabilitiesOf(entry: unknown): ListedPrice['capabilities'] {
  const limit = member(entry, 'limit')
  const [tools, structured] = [member(entry, 'tool_call'), member(entry, 'structured_output')]
  return statedCapabilities({
    contextWindow: readTokens(member(limit, 'context')),
    maxOutputTokens: readTokens(member(limit, 'output')),
    supportsFunctionCalling: typeof tools === 'boolean' ? tools : undefined,
    supportsJsonMode: typeof structured === 'boolean' ? structured : undefined,
  })
}
