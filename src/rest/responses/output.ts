/** What /v1/responses answers. */
import { z } from 'zod'
import { count, text, unixSeconds } from '../../edge/openapi/shapes.js'
import { sluice } from '../answer-scan/output.js'

const usage = z
  .looseObject({
    input_tokens: count.meta({ description: 'Cached ones included.' }),
    input_tokens_details: z.looseObject({ cached_tokens: count }),
    output_tokens: count,
    total_tokens: count,
  })
  .meta({ id: 'ResponsesUsage', description: 'Real token counts, the basis of billing.' })

export const responseAnswer = z
  .looseObject({
    id: z.string().regex(/^resp_/),
    object: z.literal('response'),
    created_at: unixSeconds,
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
    model: text('The canonical id of the model that answered.'),
    output: z.array(z.looseObject({ type: z.enum(['message', 'function_call']) })),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    incomplete_details: z.object({ reason: z.enum(['max_output_tokens', 'content_filter']) }).nullable(),
    usage: usage.nullable(),
    sluice,
  })
  .meta({ id: 'ResponsesAnswer' })

export const deletedResponse = z
  .object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) })
  .meta({ id: 'DeletedResponse' })

export const inputItems = z
  .object({
    object: z.literal('list'),
    data: z.array(z.looseObject({ id: z.string(), type: z.enum(['message', 'function_call', 'function_call_output']) })),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'ResponsesInputItems' })

const streamEvent = z
  .looseObject({ type: z.string().regex(/^response\./), sequence_number: count, response: responseAnswer.optional() })
  .meta({ id: 'ResponsesStreamEvent' })

export const responseStreamText = {
  schema: text('Server-sent events; `event:` repeats the type of the JSON in `data:`.'),
  itemSchema: streamEvent,
}
