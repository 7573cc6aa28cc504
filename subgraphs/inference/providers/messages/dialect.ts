/** A provider with Anthropic's Messages API. */
import type { ProviderDialect } from '../provider-dialect.js'
import { withMembers } from '../provider-body.js'
import { completionOf } from './answer.js'
import { messagesBody } from './request.js'
import { chunksInto } from './stream.js'

export const messagesDialect: ProviderDialect = {
  path: 'messages',

  body({ body, large }, { providerModelId: model }, outputLimit, usage) {
    const facts = { model, max_tokens: outputLimit, stream: usage !== null }
    if (large) return large.asMessages().then((rest) => withMembers(facts, rest))
    return JSON.stringify({ ...facts, ...messagesBody(body) })
  },

  completion: completionOf,
  stream: chunksInto,
}
