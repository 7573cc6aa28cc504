/** Who speaks in a conversation. */
import { registerEnumType } from 'type-graphql'

export const ChatRole = {
  SYSTEM: 'system',
  DEVELOPER: 'developer',
  USER: 'user',
  ASSISTANT: 'assistant',
  TOOL: 'tool',
  FUNCTION: 'function',
} as const
registerEnumType(ChatRole, {
  name: 'ChatRole',
  description: 'Who speaks in a conversation.',
  valuesConfig: {
    SYSTEM: { description: 'The instructions of the application.' },
    DEVELOPER: { description: 'The same, as newer models call it.' },
    USER: { description: 'Who asks.' },
    ASSISTANT: { description: 'The model.' },
    TOOL: { description: 'A function, with the answer to a call.' },
    FUNCTION: { description: 'The same, as older models call it.' },
  },
})
