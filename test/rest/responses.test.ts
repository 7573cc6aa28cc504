/** The translation between OpenAI's Responses API and chat completions: nothing that was said or counted is lost in it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readInput } from '../../src/edge/input.js'
import type { Chunk } from '../../src/rest/messages/from-chat.js'
import { responseOf } from '../../src/rest/responses/from-chat.js'
import { responsesBody } from '../../src/rest/responses/input.js'
import { createResponseStream, type ResponseEvent } from '../../src/rest/responses/stream.js'
import { chatBody } from '../../src/rest/responses/to-chat.js'

const read = (body: object) => readInput(responsesBody, { model: 'm', input: 'Hi', ...body })
function translated(body: object) {
  const asked = read(body)
  return chatBody(
    asked,
    asked.input.flatMap((item) => (item.type === 'item_reference' ? [] : [item])),
  )
}
const hi = { role: 'user', content: 'Hi' }
const schema = { type: 'object', properties: {} }

describe('a request', () => {
  it.each([
    ['a text', {}, { model: 'm', messages: [hi] }],
    ['instructions', { instructions: 'S' }, { messages: [{ role: 'system', content: 'S' }, hi] }],
    [
      'messages with parts and images',
      {
        input: [
          { role: 'developer', content: 'D' },
          { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'https://x/y', detail: 'low' }] },
        ],
      },
      {
        messages: [
          { role: 'developer', content: 'D' },
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x/y', detail: 'low' } }] },
        ],
      },
    ],
    [
      'a tool loop, a turn in one message',
      {
        input: [
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'T', annotations: [] }] },
          { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"a":1}' },
          { type: 'function_call', call_id: 'b', name: 'g', arguments: '{}' },
          {
            type: 'function_call_output',
            call_id: 'a',
            output: [
              { type: 'input_text', text: 'R' },
              { type: 'input_image', image_url: 'https://x/y' },
            ],
          },
          { type: 'function_call_output', call_id: 'b', output: 'S' },
          hi,
        ],
      },
      {
        messages: [
          {
            role: 'assistant',
            content: 'T',
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
              { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
            ],
          },
          { role: 'tool', tool_call_id: 'a', content: 'R' },
          { role: 'tool', tool_call_id: 'b', content: 'S' },
          { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x/y' } }] },
          hi,
        ],
      },
    ],
    [
      'words behind a call, still in its turn; more words are another message',
      {
        input: [
          { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'T', annotations: [] }] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'U', annotations: [] }] },
          { type: 'function_call_output', call_id: 'a', output: 'R' },
        ],
      },
      {
        messages: [
          {
            role: 'assistant',
            content: 'T',
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          { role: 'assistant', content: 'U' },
          { role: 'tool', tool_call_id: 'a', content: 'R' },
        ],
      },
    ],
    [
      'tools',
      { tools: [{ type: 'function', name: 'f', description: null, parameters: schema, strict: true }] },
      { tools: [{ type: 'function', function: { name: 'f', parameters: schema, strict: true } }] },
    ],
    [
      'tool_choice of a function',
      { tool_choice: { type: 'function', name: 'f' } },
      { tool_choice: { type: 'function', function: { name: 'f' } } },
    ],
    [
      'a schema',
      { text: { format: { type: 'json_schema', name: 'n', schema, strict: true } } },
      { response_format: { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } } },
    ],
    ['json_object', { text: { format: { type: 'json_object' } } }, { response_format: { type: 'json_object' } }],
    [
      'its settings',
      {
        max_output_tokens: 5,
        reasoning: { effort: 'low' },
        parallel_tool_calls: false,
        temperature: 2,
        top_p: 0.5,
        store: false,
      },
      { max_completion_tokens: 5, reasoning_effort: 'low', parallel_tool_calls: false, temperature: 2, top_p: 0.5 },
    ],
    ['nulls', { store: null, tools: null, text: null, reasoning: null, metadata: null, previous_response_id: null }, {}],
  ])('with %s becomes a chat completion', (_, given, expected) => {
    expect(translated(given)).toEqual({ model: 'm', messages: [hi], ...expected })
  })

  it.each([
    ['store', { store: 'yes' }, /"store" is true or false/],
    ['previous_response_id', { previous_response_id: 1 }, /"previous_response_id" is a string/],
    ['background', { background: true }, /"background" .*not supported/],
    ['a hosted tool', { tools: [{ type: 'web_search' }] }, /"tools\[0\].type" .*hosted tool/],
    ['an unknown field', { conversation: 'c' }, /"conversation".*not supported/],
    ['a reasoning item', { input: [{ type: 'reasoning', summary: [] }] }, /"input\[0\].type" .*not supported/],
    [
      'a file',
      { input: [{ role: 'user', content: [{ type: 'input_file' }] }] },
      /"input\[0\].content\[0\].type" .*not supported/,
    ],
    ['no input', { input: undefined }, /"input" /],
  ])('with %s is refused by its name', (_, given, message) => {
    expect(() => translated(given)).toThrow(message)
  })
})

const HEAD = { id: 'chatcmpl-1', model: 'm', created: 7 }
const usage = { prompt_tokens: 11, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } }
const billed = { input_tokens: 11, input_tokens_details: { cached_tokens: 4 }, output_tokens: 3, total_tokens: 14 }

it.each([
  ['stop', 'completed', null],
  ['tool_calls', 'completed', null],
  ['length', 'incomplete', { reason: 'max_output_tokens' }],
  ['content_filter', 'incomplete', { reason: 'content_filter' }],
])('finish_reason %s is the status %s', (finish_reason, status, incomplete_details) => {
  const choices = [{ finish_reason, message: { refusal: 'No.' } }]
  expect(responseOf({ ...HEAD, choices, usage }, read({ metadata: { a: 'b' } }))).toMatchObject({
    id: 'resp_1',
    created_at: 7,
    status,
    incomplete_details,
    output: [{ type: 'message', status, content: [{ type: 'refusal', refusal: 'No.' }] }],
    usage: billed,
    metadata: { a: 'b' },
  })
})

const call = fc.record({ id: fc.uuid(), name: fc.stringMatching(/^[a-z]{1,8}$/), json: fc.json() })
const answer = fc.record({
  text: fc.string(),
  refusal: fc.string(),
  calls: fc.array(call, { maxLength: 4 }),
  size: fc.integer({ min: 1, max: 7 }),
  interleaved: fc.boolean(),
})
type Answer = typeof answer extends fc.Arbitrary<infer Value> ? Value : never

function chunksOf({ text, refusal, calls, size, interleaved }: Answer): Chunk[] {
  const cut = (whole: string) =>
    Array.from({ length: Math.ceil(whole.length / size) }, (_, at) => whole.slice(at * size, (at + 1) * size))
  const chunk = (delta: object): Chunk => ({ ...HEAD, choices: [{ index: 0, delta }] })
  const starts = calls.map(({ id, name }, index) => chunk({ tool_calls: [{ index, id, function: { name, arguments: '' } }] }))
  const rests = calls.map(({ json }, index) =>
    cut(json).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
  )
  const told = interleaved ? [...starts, ...rests.flat()] : starts.flatMap((start, at) => [start, ...rests[at]!])
  const said = [...cut(text).map((content) => chunk({ content })), ...cut(refusal).map((part) => chunk({ refusal: part }))]
  const last = { ...HEAD, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage }
  return [chunk({ role: 'assistant', content: '' }), ...said, ...told, last]
}

/** What a reader of the events has heard of each item, and which are complete. */
function heard(events: readonly ResponseEvent[]) {
  const items: { said: string; isDone: boolean }[] = []
  events.forEach((event, at) => {
    expect(event.sequence_number).toBe(at)
    const index = event['output_index'] as number
    if (event.type === 'response.output_item.added') {
      expect(index).toBe(items.length)
      items.push({ said: '', isDone: false })
    } else if (index !== undefined) {
      expect(items[index]).toMatchObject({ isDone: false })
    }
    if (event.type.endsWith('.delta')) items[index]!.said += String(event['delta'])
    if (event.type === 'response.output_item.done') items[index]!.isDone = true
  })
  return items
}

const streamOf = () => createResponseStream(read({}), { id: 'req_1', model: 'm' })

it('a streamed answer keeps every text, call and count, is the whole answer, and so is what is said back', async () => {
  await fc.assert(
    fc.asyncProperty(answer, async (given) => {
      const stream = streamOf()
      const events = [...chunksOf(given).flatMap((chunk) => stream.push(chunk)), ...(await stream.end())]
      const tool_calls = given.calls.map(({ id, name, json }) => ({ id, type: 'function', function: { name, arguments: json } }))
      const message = { content: given.text, refusal: given.refusal, tool_calls }
      const whole = responseOf({ ...HEAD, choices: [{ message, finish_reason: 'stop' }], usage }, read({}))
      expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { ...whole, usage: billed } })
      const said = given.text + given.refusal
      const items = heard(events)
      expect(items.every(({ isDone }) => isDone)).toBe(true)
      expect(items.map((item) => item.said)).toEqual([...(said === '' ? [] : [said]), ...given.calls.map(({ json }) => json)])
      if (whole.output.length === 0) return
      const [back, ...more] = translated({ input: whole.output })['messages'] as { content: unknown }[]
      expect(more).toEqual([])
      const texts =
        typeof back!.content === 'string'
          ? back!.content
          : (back!.content as { text: string }[] | null)?.map(({ text }) => text).join('')
      expect(texts ?? '').toBe(said)
      if (tool_calls.length > 0) expect(back).toMatchObject({ tool_calls })
    }),
  )
})

it('a stream that breaks after any chunk ends with a failure, what was said, and no call that looks complete', () => {
  fc.assert(
    fc.property(answer, fc.nat({ max: 40 }), (given, cutAt) => {
      const stream = streamOf()
      const pushed = chunksOf(given).slice(0, cutAt)
      const error = { code: 'upstream_error', message: 'Broke.' }
      const events = [...pushed.flatMap((chunk) => stream.push(chunk)), ...stream.fail(error)]
      expect(heard(events).some(({ isDone }) => isDone)).toBe(false)
      expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress'])
      const { response } = events.at(-1) as unknown as { response: { output: object[] } }
      expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed', error } })
      expect(response.output).toHaveLength(heard(events).length)
    }),
  )
})
