/**
 * OpenRouter's `/api/v1/models`: `data` is a list of models whose `pricing` states dollars per token as decimal text.
 * https://openrouter.ai/docs/api-reference/list-available-models
 */
import {
  BrokenFeed,
  type ListedPrice,
  member,
  type ParsedFeed,
  readPrice,
  readTokens,
  statedCapabilities,
} from './listed-price.js'

export function parseOpenRouter(document: unknown): ParsedFeed {
  const data = member(document, 'data')
  if (!Array.isArray(data)) throw new BrokenFeed('The document has no list "data".')
  const rows: ListedPrice[] = []
  const refused: string[] = []
  for (const entry of data as unknown[]) {
    const providerModelId = member(entry, 'id')
    if (typeof providerModelId !== 'string') {
      refused.push('a row without an id')
      continue
    }
    const pricing = member(entry, 'pricing')
    const price = readPrice(
      {
        input: member(pricing, 'prompt'),
        output: member(pricing, 'completion'),
        cachedInput: member(pricing, 'input_cache_read'),
      },
      'per_token',
    )
    if (typeof price === 'string') refused.push(`${providerModelId}: ${price}`)
    else rows.push({ feedProvider: null, providerModelId, price, capabilities: capabilitiesOf(entry) })
  }
  return { rows, refused }
}

function capabilitiesOf(entry: unknown): ListedPrice['capabilities'] {
  const parameters = member(entry, 'supported_parameters')
  const supports = (name: string) => (Array.isArray(parameters) ? parameters.includes(name) : undefined)
  return statedCapabilities({
    contextWindow: readTokens(member(entry, 'context_length')),
    maxOutputTokens: readTokens(member(member(entry, 'top_provider'), 'max_completion_tokens')),
    supportsFunctionCalling: supports('tools'),
    supportsJsonMode: supports('response_format'),
  })
}
