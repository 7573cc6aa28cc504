/**
 * The documented shape of a chat completion's request. It is not read by this: the body goes to the domain whole, which checks
 * it on the hot path and in threads. test/contract/inputs.test.ts holds the two together, bound by bound.
 */
import { z } from 'zod'
import { ChatRole } from '#platform/vocabulary/words.js'
import { modelName } from '../model-name.js'

const typed = z.looseObject({ type: z.string() })

const chatMessage = z
  .looseObject({
    role: z.enum(ChatRole),
    content: z
      .union([z.string(), z.null(), z.array(typed)])
      .meta({ description: 'Required for every role but assistant.' })
      .optional(),
  })
  .meta({ id: 'ChatMessage' })

export const chatCompletionBody = z
  .looseObject({
    model: modelName,
    messages: z.array(chatMessage).min(1).max(4096),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    max_tokens: z.int().min(1).nullish(),
    max_completion_tokens: z.int().min(1).nullish().meta({ description: 'Wins over `max_tokens`.' }),
    n: z.int().min(1).max(128).nullish(),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    stop: z.union([z.string(), z.null(), z.array(z.string()).max(16)]).optional(),
    seed: z.int().nullish(),
    tools: z.array(typed).max(1024).nullish(),
    tool_choice: z.union([z.string(), z.looseObject({}), z.null()]).optional(),
    response_format: typed.nullish(),
    frequency_penalty: z.number().min(-2).max(2).nullish(),
    presence_penalty: z.number().min(-2).max(2).nullish(),
  })
  .meta({ id: 'ChatCompletionRequest', description: 'Fields that are not listed go to the provider unchanged.' })
