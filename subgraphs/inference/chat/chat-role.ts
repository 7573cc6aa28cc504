/** Who speaks in a conversation. */
import { registerEnumType } from 'type-graphql'
import { ChatRole } from '#platform/vocabulary/words.js'

export { ChatRole }
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
