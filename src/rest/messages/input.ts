/** What callers send to /v1/messages: what can be translated is read here, and what cannot is refused by its name. */
import { z } from 'zod'
import { text } from '../../edge/openapi/shapes.js'
import { chatHeaders } from '../chat-headers.js'
import { modelName } from '../model-name.js'

const REFUSED = 'is not supported by this gateway.'
const cacheControl = z.unknown().meta({ description: 'Accepted and ignored.' }).optional()

const textBlock = z.looseObject({ type: z.literal('text'), text: z.string(), cache_control: cacheControl })

const imageSource = z.discriminatedUnion(
  'type',
  [
    z.looseObject({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
    z.looseObject({ type: z.literal('url'), url: z.string() }),
  ],
  'is of type base64 or url; other sources are not supported by this gateway.',
)

const imageBlock = z.looseObject({ type: z.literal('image'), source: imageSource, cache_control: cacheControl })

const toolUseBlock = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string().min(1),
  name: z.string().min(1),
  input: z.looseObject({}),
  cache_control: cacheControl,
})

const blocksOf = <const Blocks extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]]>(
  blocks: Blocks,
  words: string,
) =>
  z.discriminatedUnion(
    'type',
    blocks,
    `${words}; other blocks, such as thinking and documents, are not supported by this gateway.`,
  )

const toolResultBlock = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().min(1),
  content: z
    .union(
      [z.string(), z.array(blocksOf([textBlock, imageBlock], 'holds blocks of type text or image'))],
      'is a string or blocks of type text or image.',
    )
    .optional(),
  is_error: z.boolean().optional(),
  cache_control: cacheControl,
})

const userBlock = blocksOf([textBlock, imageBlock, toolResultBlock], 'is a block of type text, image or tool_result')
const assistantBlock = blocksOf([textBlock, toolUseBlock], 'is a block of type text or tool_use')

// A union of two shapes would tell of a wrong block only that the content does not fit; told apart by the role it names it.
const message = z
  .discriminatedUnion(
    'role',
    [
      z.looseObject({ role: z.literal('user'), content: contentOf(userBlock) }),
      z.looseObject({ role: z.literal('assistant'), content: contentOf(assistantBlock) }),
    ],
    'has the role user or assistant.',
  )
  .meta({ id: 'AnthropicMessage' })

/** A string is the same as one text block. */
function contentOf<Block extends z.ZodType>(block: Block) {
  const asBlocks = (value: unknown) => (typeof value === 'string' ? [{ type: 'text', text: value }] : value)
  return z.preprocess(asBlocks, z.array(block)).meta({ description: 'A string, or blocks.' })
}

const tool = z
  .looseObject({
    type: z.literal('custom', 'names a server tool, which is not supported by this gateway.').nullish(),
    name: z.string().min(1),
    description: z.string().optional(),
    input_schema: z.looseObject({}),
    strict: z.boolean().optional(),
    cache_control: cacheControl,
  })
  .meta({ id: 'MessagesTool' })

const parallel = { disable_parallel_tool_use: z.boolean().optional() }

const toolChoice = z.discriminatedUnion(
  'type',
  [
    z.looseObject({ type: z.literal('auto'), ...parallel }),
    z.looseObject({ type: z.literal('any'), ...parallel }),
    z.looseObject({ type: z.literal('tool'), name: z.string().min(1), ...parallel }),
    z.looseObject({ type: z.literal('none') }),
  ],
  'is of type auto, any, tool or none.',
)

const outputConfig = z.strictObject(
  {
    format: z
      .looseObject({ type: z.literal('json_schema', 'is json_schema.'), schema: z.looseObject({}) })
      .nullish()
      .meta({ description: 'The schema of the answer.' }),
  },
  { error: unknownField },
)

const prompt = {
  model: modelName,
  messages: z.array(message).min(1, 'holds at least one message.').max(4096, 'holds at most 4096 messages.'),
  system: contentOf(textBlock).optional(),
  tools: z.array(tool).max(1024).optional(),
  tool_choice: toolChoice.optional(),
  output_config: outputConfig.optional(),
  cache_control: cacheControl,
  thinking: z
    .looseObject({ type: z.literal('disabled', REFUSED) })
    .meta({ description: 'Only `disabled`.' })
    .optional(),
}

export const countTokensBody = z.strictObject(prompt, { error: unknownField }).meta({ id: 'CountTokensRequest' })

export const messagesBody = z
  .strictObject(
    {
      ...prompt,
      max_tokens: z.int().min(1, 'is at least 1.'),
      stop_sequences: z.array(z.string()).max(16, 'holds at most 16 texts.').optional(),
      temperature: z.number().min(0, 'is from 0 to 1.').max(1, 'is from 0 to 1.').optional(),
      top_p: z.number().min(0, 'is from 0 to 1.').max(1, 'is from 0 to 1.').optional(),
      stream: z.boolean().optional(),
      metadata: z.looseObject({ user_id: z.string().nullish() }).optional(),
      thread: z.null().meta({ description: 'Only null: conversations are not kept here.' }).optional(),
      service_tier: z.enum(['auto', 'standard_only']).meta({ description: 'Accepted and ignored.' }).optional(),
    },
    { error: unknownField },
  )
  .meta({ id: 'MessagesRequest' })

/** The fields of a request that this gateway cannot honour are named, so that nobody believes they were. */
function unknownField(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === 'unrecognized_keys' ? `has the field "${issue.keys[0]}", which ${REFUSED}` : undefined
}

export type MessagesRequest = z.output<typeof messagesBody>
export type PromptRequest = z.output<typeof countTokensBody>
export type UserBlock = z.output<typeof userBlock>
export type AssistantBlock = z.output<typeof assistantBlock>

export const messagesHeaders = chatHeaders.extend({
  'anthropic-version': text('Accepted and ignored.').optional(),
  'x-api-key': text('The API key, for who sends no `Authorization`.').optional(),
})
