/** Any JSON price list, with the operator's mapping of where it has what. */
import type { FeedMapping } from '../pricing-config.js'
import {
  BrokenFeed,
  follow,
  type ListedPrice,
  type ParsedFeed,
  readPrice,
  readTokens,
  statedCapabilities,
} from './listed-price.js'

export function parseMappedJson(document: unknown, mapping: FeedMapping): ParsedFeed {
  const list = mapping.rows === undefined ? document : follow(document, mapping.rows)
  if (!Array.isArray(list)) throw new BrokenFeed(`There is no list at "${mapping.rows ?? '(top)'}".`)
  const rows: ListedPrice[] = []
  const refused: string[] = []
  const optional = (entry: unknown, path: string | undefined) => (path === undefined ? undefined : follow(entry, path))
  for (const entry of list as unknown[]) {
    const providerModelId = follow(entry, mapping.model_id)
    if (typeof providerModelId !== 'string') {
      refused.push(`a row without text at "${mapping.model_id}"`)
      continue
    }
    const price = readPrice(
      {
        input: follow(entry, mapping.input),
        output: follow(entry, mapping.output),
        cachedInput: optional(entry, mapping.cached_input),
      },
      mapping.unit,
    )
    if (typeof price === 'string') {
      refused.push(`${providerModelId}: ${price}`)
      continue
    }
    const capabilities = statedCapabilities({
      contextWindow: readTokens(optional(entry, mapping.context_window)),
      maxOutputTokens: readTokens(optional(entry, mapping.max_output_tokens)),
    })
    rows.push({ feedProvider: null, providerModelId, price, capabilities })
  }
  return { rows, refused }
}
