/** Which dialect goes with which provider. */
import { ProviderApi } from '#platform/vocabulary/words.js'
import type { ProviderConfig } from '../ports.js'
import { messagesDialect } from './messages/dialect.js'
import { chatCompletionsDialect } from './openai-compatible.js'
import type { ProviderDialect } from './provider-dialect.js'

const DIALECTS: Readonly<Record<ProviderApi, ProviderDialect>> = {
  [ProviderApi.CHAT_COMPLETIONS]: chatCompletionsDialect,
  [ProviderApi.MESSAGES]: messagesDialect,
}

export const dialectOf = ({ api }: Pick<ProviderConfig, 'api'>): ProviderDialect => DIALECTS[api ?? ProviderApi.CHAT_COMPLETIONS]
