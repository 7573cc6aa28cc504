/** How each API of providers wants to be told the operator's key. Chats and probes say it alike. */
import { ProviderApi } from '../vocabulary/words.js'

/** The version of Anthropic's API that is spoken here: the only one since it has versions. */
const ANTHROPIC_VERSION = '2023-06-01'

export function keyHeaders(api: ProviderApi | undefined, apiKey: string | null): Readonly<Record<string, string>> {
  if (api === ProviderApi.MESSAGES) {
    return { 'anthropic-version': ANTHROPIC_VERSION, ...(apiKey !== null && { 'x-api-key': apiKey }) }
  }
  return apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }
}
