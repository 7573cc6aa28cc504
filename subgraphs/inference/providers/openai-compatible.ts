/** An OpenAI-compatible provider: our request as its body. Its answers are what the rest of the program speaks. */
import type { StreamUsage } from '../ports.js'
import type { JsonObject } from '../tokens/usage.js'
import type { ProviderDialect } from './provider-dialect.js'
import { withMembers } from './provider-body.js'

export const chatCompletionsDialect: ProviderDialect = {
  path: 'chat/completions',

  body(request, { provider, providerModelId }, outputLimit, usage) {
    const body: JsonObject = { ...request.body, model: providerModelId, stream: usage !== null }
    if (outputLimit !== null) body[provider.maxTokensField ?? 'max_tokens'] = outputLimit
    const options = usage === null ? null : streamOptions(usage)
    if (options) body['stream_options'] = options
    return request.large ? withMembers(body, request.large.rest) : JSON.stringify(body)
  },

  completion: (body) => body,
  stream: (handler) => handler,
}

function streamOptions(usage: StreamUsage): JsonObject | null {
  if (usage === 'none') return null
  if (usage === 'continuous') return { include_usage: true, continuous_usage_stats: true }
  return { include_usage: true }
}
