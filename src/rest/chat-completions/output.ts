/** What a chat completion answers. Most of it is the provider's, so these objects are open. */
import { z } from 'zod'
import { openAiFault } from '../../edge/openapi/fault-shapes.js'
import { count, text, unixSeconds } from '../../edge/openapi/shapes.js'
import { sluice } from '../answer-scan/output.js'

const usage = z
  .looseObject({
    prompt_tokens: count.meta({ description: 'Cached ones included.' }),
    completion_tokens: count,
    total_tokens: count,
  })
  .meta({ id: 'Usage', description: 'Real token counts, the basis of billing.' })

const id = z.string().regex(/^chatcmpl-/)

export const chatCompletion = z
  .looseObject({
    id,
    object: z.literal('chat.completion'),
    created: unixSeconds,
    model: text('The canonical id of the model that answered.'),
    choices: z
      .array(
        z.looseObject({
          index: count,
          message: z.looseObject({ role: z.literal('assistant'), content: z.string().nullable() }),
          finish_reason: z.string(),
        }),
      )
      .min(1),
    usage,
    sluice,
  })
  .meta({
    id: 'ChatCompletion',
    description: "The provider's answer under our id and model; fields that are not listed are the provider's.",
  })

const chatCompletionChunk = z
  .looseObject({
    id: id.meta({ description: 'The same in every chunk.' }),
    object: z.literal('chat.completion.chunk'),
    created: unixSeconds,
    model: z.string(),
    choices: z.array(
      z.looseObject({
        index: count,
        delta: z.looseObject({
          role: z.literal('assistant').meta({ description: 'In the first delta of a choice only.' }).optional(),
          content: z.string().nullish(),
        }),
        finish_reason: z.string().nullable(),
      }),
    ),
    usage: usage.optional(),
    sluice,
  })
  .meta({ id: 'ChatCompletionChunk' })

const chatStreamData = z
  .union([chatCompletionChunk, openAiFault])
  .meta({ id: 'ChatCompletionStreamData', description: 'What a `data:` line of the stream holds, `[DONE]` aside.' })

/** The stream as text, and what is in it. */
export const chatStreamText = {
  schema: text('Server-sent events; see `x-event-data` for what a `data:` line holds.'),
  itemSchema: chatStreamData,
}

export const modelDeploying = z
  .object({
    status: z.literal('deploying'),
    message: z.string(),
    model: z.string(),
    type: z.literal('model_deploying'),
    estimated_ready_seconds: count,
    already_queued: z.boolean().meta({ description: 'Whether an earlier request started this deployment.' }),
    deployment_status: z.string().meta({ examples: ['provisioning'] }),
    deployment_provider: text("The routing identifier of the GPU's provider."),
  })
  .meta({ id: 'ModelDeploying' })
