/** What callers send to /v1/responses: what can be translated is read here, and what cannot is refused by its name. */
import { z } from 'zod'
import { integerText } from '../../edge/input.js'
import { text } from '../../edge/openapi/shapes.js'
import { modelName } from '../model-name.js'

const REFUSED = 'is not supported by this gateway.'

const inputText = z.looseObject({ type: z.literal('input_text'), text: z.string() })
const inputImage = z.looseObject({
  type: z.literal('input_image'),
  image_url: z.string('is a URL or a data URL; files are not kept by this gateway.'),
  detail: z.string().nullish(),
})
const outputText = z.looseObject({ type: z.literal('output_text'), text: z.string() })
const refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() })

const spokenPart = z.discriminatedUnion(
  'type',
  [inputText, inputImage],
  'is input_text or input_image; other parts, such as files, are not supported by this gateway.',
)
const assistantPart = z.discriminatedUnion('type', [inputText, outputText, refusal], 'is output_text or refusal.')

/** A string is the same as one text. */
function contentOf<Part extends z.ZodType>(part: Part) {
  const asParts = (value: unknown) => (typeof value === 'string' ? [{ type: 'input_text', text: value }] : value)
  return z.preprocess(asParts, z.array(part)).meta({ description: 'A string, or parts.' })
}

const type = z.literal('message')
const message = z.discriminatedUnion(
  'role',
  [
    z.looseObject({ type, role: z.literal('user'), content: contentOf(spokenPart) }),
    z.looseObject({ type, role: z.literal('system'), content: contentOf(spokenPart) }),
    z.looseObject({ type, role: z.literal('developer'), content: contentOf(spokenPart) }),
    z.looseObject({ type, role: z.literal('assistant'), content: contentOf(assistantPart) }),
  ],
  'is user, assistant, system or developer.',
)

const functionCall = z.looseObject({
  type: z.literal('function_call'),
  call_id: z.string().min(1),
  name: z.string().min(1),
  arguments: z.string(),
})

const functionCallOutput = z.looseObject({
  type: z.literal('function_call_output'),
  call_id: z.string().min(1),
  output: contentOf(spokenPart),
})

const OTHER_ITEMS =
  'is message, function_call, function_call_output or item_reference; other items, such as reasoning, are not supported by this gateway.'

const item = z.discriminatedUnion('type', [message, functionCall, functionCallOutput], OTHER_ITEMS)

const reference = z.looseObject({ type: z.literal('item_reference'), id: z.string().min(1).max(256) })

const sentItem = z
  .discriminatedUnion('type', [message, functionCall, functionCallOutput, reference], OTHER_ITEMS)
  .meta({ id: 'ResponsesItem' })

/** As they were read once. */
export const storedItems = z.array(item)

/** A string is one message of the user, and an item without a type is a message. */
const asItems = (value: unknown): unknown =>
  typeof value === 'string'
    ? [{ type: 'message', role: 'user', content: value }]
    : Array.isArray(value)
      ? value.map((each: unknown) => (isUntyped(each) ? { ...each, type: 'message' } : each))
      : value

const isUntyped = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && 'role' in value && !('type' in value)

const tool = z
  .looseObject({
    type: z.literal('function', 'names a hosted tool, which is not supported by this gateway: only function is.'),
    name: z.string().min(1),
    description: z.string().nullish(),
    parameters: z.looseObject({}).nullish(),
    strict: z.boolean().nullish(),
  })
  .meta({ id: 'ResponsesTool' })

const toolChoice = z.union(
  [z.enum(['none', 'auto', 'required']), z.looseObject({ type: z.literal('function'), name: z.string().min(1) })],
  'is none, auto, required or a function by its name.',
)

const format = z.discriminatedUnion(
  'type',
  [
    z.looseObject({ type: z.literal('text') }),
    z.looseObject({ type: z.literal('json_object') }),
    z.looseObject({
      type: z.literal('json_schema'),
      name: z.string().min(1),
      description: z.string().nullish(),
      schema: z.looseObject({}),
      strict: z.boolean().nullish(),
    }),
  ],
  'is of type text, json_object or json_schema.',
)

const ignored = (accepted: z.ZodType) => accepted.meta({ description: 'Accepted and ignored.' }).optional()
const only = (accepted: z.ZodType, why: string) => accepted.meta({ description: why }).optional()

/** As many as `limits.messages` lets a chat have when nobody changes it. */
const MOST_ITEMS = 4096

export const responsesBody = z
  .strictObject(
    {
      model: modelName,
      input: z
        .preprocess(
          asItems,
          z.array(sentItem).min(1, 'holds at least one item.').max(MOST_ITEMS, `holds at most ${MOST_ITEMS} items.`),
        )
        .meta({ description: 'A string, or items.' }),
      instructions: z.string().nullish(),
      tools: z.array(tool).max(1024).nullish(),
      tool_choice: toolChoice.nullish(),
      parallel_tool_calls: z.boolean().nullish(),
      text: z.strictObject({ format: format.nullish(), verbosity: z.string().nullish() }, { error: unknownField }).nullish(),
      max_output_tokens: z.int().min(1, 'is at least 1.').nullish(),
      reasoning: z.looseObject({ effort: z.string().nullish() }).nullish(),
      temperature: z.number().min(0, 'is from 0 to 2.').max(2, 'is from 0 to 2.').nullish(),
      top_p: z.number().min(0, 'is from 0 to 1.').max(1, 'is from 0 to 1.').nullish(),
      metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
      stream: z.boolean().nullish(),
      user: z.string().nullish(),
      safety_identifier: z.string().nullish(),
      prompt_cache_key: z.string().nullish(),
      store: z.boolean().nullish().meta({
        description:
          'Whether the response is kept, for `previous_response_id` and `GET`; where it is absent, as the server is configured: not, unless said otherwise.',
      }),
      previous_response_id: z.string().min(1).max(80).nullish().meta({ description: 'A stored response to go on from.' }),
      background: only(z.literal(false, REFUSED).nullable(), 'Only false or null.'),
      truncation: only(z.literal('disabled', REFUSED).nullable(), 'Only `disabled` or null.'),
      include: ignored(z.array(z.literal('reasoning.encrypted_content', 'names what this gateway cannot include.')).nullable()),
      stream_options: ignored(z.looseObject({}).nullable()),
      service_tier: ignored(z.enum(['auto', 'default']).nullable()),
    },
    { error: unknownField },
  )
  .meta({ id: 'ResponsesRequest' })

/** The fields of a request that this gateway cannot honour are named, so that nobody believes they were. */
function unknownField(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === 'unrecognized_keys' ? `has the field "${issue.keys[0]}", which ${REFUSED}` : undefined
}

export type ResponsesRequest = z.output<typeof responsesBody>
export type Item = z.output<typeof item>
export type SentItem = z.output<typeof sentItem>
export type SpokenPart = z.output<typeof spokenPart>
export type AssistantPart = z.output<typeof assistantPart>

export const responsePath = z.object({ response_id: text('Such as resp_...') })

export const inputItemsQuery = z.object({
  limit: integerText({ min: 1, max: 100, default: 20, description: 'Items per page.' }).optional(),
  order: z.enum(['asc', 'desc']).meta({ description: 'Oldest or newest first; `desc` when left out.' }).optional(),
  after: text('The id of an item: the page begins behind it.').optional(),
})
