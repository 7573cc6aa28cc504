/** What /v1/messages answers. */
import { z } from 'zod'
import { count, text } from '../../edge/openapi/shapes.js'
import { sluice } from '../answer-scan/output.js'

const usage = z
  .looseObject({
    input_tokens: count.meta({ description: 'Without cached ones.' }),
    cache_read_input_tokens: count,
    output_tokens: count,
  })
  .meta({ id: 'MessagesUsage', description: 'Real token counts, the basis of billing.' })

export const messageAnswer = z
  .looseObject({
    id: z.string().regex(/^msg_/),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: text('The canonical id of the model that answered.'),
    content: z.array(z.looseObject({ type: z.enum(['text', 'tool_use']) })),
    stop_reason: z.enum(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'refusal']),
    stop_sequence: z.string().nullable(),
    usage,
    sluice,
  })
  .meta({ id: 'MessagesAnswer' })

const streamEvent = z
  .looseObject({
    type: z.enum([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
      'ping',
      'error',
    ]),
    sluice,
  })
  .meta({ id: 'MessagesStreamEvent' })

export const messageStreamText = {
  schema: text('Server-sent events; `event:` repeats the type of the JSON in `data:`.'),
  itemSchema: streamEvent,
}

export const tokenCount = z.object({ input_tokens: count }).meta({ id: 'MessagesTokenCount' })
