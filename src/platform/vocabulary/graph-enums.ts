/** Enums that several subgraphs show under one name: federation wants each of them to say the same. */
import { registerEnumType } from 'type-graphql'
import { ChatApi, HealthStatus, Severity, Tier } from './words.js'

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

registerEnumType(Severity, {
  name: 'Severity',
  description: 'How much harm a violation can do.',
  valuesConfig: {
    CRITICAL: { description: 'Remotely exploitable, with the flow of the data shown, or a secret that looks live.' },
    HIGH: { description: 'Exploitable without a proven remote source, TLS switched off, or a weak cipher.' },
    MEDIUM: { description: 'Weakens a defence: weak hashes, cookie flags, CORS, personal data in logs.' },
    LOW: { description: 'Hygiene.' },
  },
})

export { ChatApi, HealthStatus, Severity, Tier }
