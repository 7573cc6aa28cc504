/** Enums that several subgraphs show under one name: federation wants each of them to say the same. */
import { registerEnumType } from 'type-graphql'
import { ChatApi, HealthStatus, Tier } from './words.js'

registerEnumType(Tier, {
  name: 'Tier',
  description: 'How capable a model is, which is also a keyword that a chat request may name instead of a model.',
  valuesConfig: {
    LIGHT: { description: 'Small and cheap; quality tier 1.' },
    MEDIUM: { description: 'Balanced; quality tier 2.' },
    HIGH: { description: 'The most capable; quality tier 3.' },
  },
})

registerEnumType(HealthStatus, {
  name: 'HealthStatus',
  description: 'How recent real traffic went.',
  valuesConfig: {
    HEALTHY: { description: 'It answers, or nothing has been asked of it yet.' },
    DEGRADED: { description: 'It answers slowly or fails often; used after healthy ones.' },
    DOWN: { description: 'It keeps failing; tried again after a pause.' },
  },
})

registerEnumType(ChatApi, {
  name: 'ChatApi',
  description: 'The API that a chat came by.',
  valuesConfig: {
    CHAT_COMPLETIONS: { description: "OpenAI's chat completions." },
    RESPONSES: { description: "OpenAI's Responses." },
    MESSAGES: { description: "Anthropic's Messages." },
    GRAPHQL: { description: 'This graph.' },
  },
})

export { ChatApi, HealthStatus, Tier }
