/** The translation between Anthropic's Messages API and chat completions: nothing that was said or counted is lost in it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readInput } from '../../src/edge/input.js'
import { messageOf, type Chunk } from '../../src/rest/messages/from-chat.js'
import { messagesBody } from '../../src/rest/messages/input.js'
import { createMessageStream, type MessageEvent } from '../../src/rest/messages/stream.js'
import { chatBody } from '../../src/rest/messages/to-chat.js'

const translated = (body: object) => chatBody(readInput(messagesBody, { model: 'm', max_tokens: 5, ...body }))
const hi = [{ role: 'user', content: 'Hi' }]

describe('a request', () => {
  it.each([
    ['a system text', { system: 'S', messages: hi }, { messages: [{ role: 'system', content: 'S' }, ...hi] }],
    [
      'images',
      {
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'image',
                source: { type: 'base64', media_type: 'image/png', data: 'AA==' },
                cache_control: { type: 'ephemeral' },
              },
              { type: 'image', source: { type: 'url', url: 'https://x/y' } },
            ],
          },
        ],
      },
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
              { type: 'image_url', image_url: { url: 'https://x/y' } },
            ],
          },
        ],
      },
    ],
    [
      'a tool loop, results before texts',
      {
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } }] },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'and?' },
              { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'R' }] },
            ],
          },
        ],
      },
      {
        messages: [
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 't1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
          },
          { role: 'tool', tool_call_id: 't1', content: 'R' },
          { role: 'user', content: 'and?' },
        ],
      },
    ],
    [
      'tool_choice any',
      { messages: hi, tool_choice: { type: 'any', disable_parallel_tool_use: true } },
      { tool_choice: 'required', parallel_tool_calls: false },
    ],
    [
      'tool_choice tool',
      { messages: hi, tool_choice: { type: 'tool', name: 'f' } },
      { tool_choice: { type: 'function', function: { name: 'f' } } },
    ],
    ['tool_choice none', { messages: hi, tool_choice: { type: 'none' } }, { tool_choice: 'none' }],
    [
      'its settings',
      { messages: hi, stop_sequences: ['x'], top_p: 0.5, metadata: { user_id: 'u' } },
      { stop: ['x'], top_p: 0.5, user: 'u', max_tokens: 5 },
    ],
    [
      'a schema of the answer',
      { messages: hi, output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' }, strict: true } } },
    ],
  ])('with %s becomes a chat completion', (_, given, expected) => {
    expect(translated(given)).toMatchObject(expected)
  })

  it.each([
    ['thinking', { messages: hi, thinking: { type: 'enabled', budget_tokens: 9 } }, /"thinking.type" .*not supported/],
    [
      'a server tool',
      { messages: hi, tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      /"tools\[0\].type" .*server tool/,
    ],
    ['an effort', { messages: hi, output_config: { effort: 'low' } }, /"output_config" .*"effort".*not supported/],
    ['an unknown field', { messages: hi, mcp_servers: [] }, /"mcp_servers".*not supported/],
    [
      'a document',
      { messages: [{ role: 'user', content: [{ type: 'document' }] }] },
      /"messages\[0\].content\[0\].type" .*not supported/,
    ],
    ['no max_tokens', { messages: hi, max_tokens: undefined }, /"max_tokens" is required/],
  ])('with %s is refused by its name', (_, given, message) => {
    expect(() => translated(given)).toThrow(message)
  })
})

const HEAD = { id: 'chatcmpl-1', model: 'm' }
const usage = { prompt_tokens: 11, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } }

it.each([
  ['stop', {}, 'end_turn'],
  ['length', {}, 'max_tokens'],
  ['content_filter', {}, 'refusal'],
  ['stop', { refusal: 'No.' }, 'refusal'],
  ['stop', { tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] }, 'tool_use'],
])('finish_reason %s with %j is the stop_reason %s', (finish_reason, message, expected) => {
  expect(messageOf({ ...HEAD, choices: [{ finish_reason, message }], usage })).toMatchObject({
    stop_reason: expected,
    usage: { input_tokens: 7, cache_read_input_tokens: 4, output_tokens: 3 },
  })
})

it('names the stop sequence where the provider does', () => {
  const choices = [{ finish_reason: 'stop', stop_reason: 'END', message: { content: 'x' } }]
  expect(messageOf({ ...HEAD, choices }, ['END'])).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'END' })
})

const call = fc.record({
  id: fc.uuid(),
  name: fc.stringMatching(/^[a-z]{1,8}$/),
  input: fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.string()),
})
const answer = fc.record({
  text: fc.string(),
  calls: fc.array(call, { maxLength: 4 }),
  size: fc.integer({ min: 1, max: 7 }),
  interleaved: fc.boolean(),
})

function chunksOf({
  text,
  calls,
  size,
  interleaved,
}: {
  text: string
  calls: { id: string; name: string; input: object }[]
  size: number
  interleaved: boolean
}): Chunk[] {
  const cut = (whole: string) =>
    Array.from({ length: Math.ceil(whole.length / size) }, (_, at) => whole.slice(at * size, (at + 1) * size))
  const chunk = (delta: object): Chunk => ({ ...HEAD, choices: [{ index: 0, delta }] })
  const starts = calls.map(({ id, name }, index) => chunk({ tool_calls: [{ index, id, function: { name, arguments: '' } }] }))
  const rests = calls.map(({ input }, index) =>
    cut(JSON.stringify(input)).map((json) => chunk({ tool_calls: [{ index, function: { arguments: json } }] })),
  )
  const told = interleaved ? [...starts, ...rests.flat()] : starts.flatMap((start, at) => [start, ...rests[at]!])
  const last = { ...HEAD, choices: [{ index: 0, delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }], usage }
  return [chunk({ role: 'assistant', content: '' }), ...cut(text).map((content) => chunk({ content })), ...told, last]
}

/** What a reader of the events has, and whether every block was opened and closed in its turn. */
function read(events: readonly MessageEvent[]) {
  const blocks: { type: string; id?: string; name?: string; said: string }[] = []
  let open = -1
  for (const event of events) {
    const { index } = event as { index?: number }
    if (event.type === 'content_block_start') {
      expect([open, index]).toEqual([-1, blocks.length])
      open = index!
      blocks.push({ ...(event['content_block'] as { type: string }), said: '' })
    }
    if (event.type === 'content_block_delta') {
      expect(index).toBe(open)
      const { text, partial_json } = event['delta'] as { text?: string; partial_json?: string }
      blocks[open]!.said += text ?? partial_json ?? ''
    }
    if (event.type === 'content_block_stop') {
      expect(index).toBe(open)
      open = -1
    }
  }
  return { blocks, open }
}

it('a streamed answer keeps every text, call and count, and so does what is said back', () => {
  fc.assert(
    fc.property(answer, (given) => {
      const stream = createMessageStream()
      const events = [...chunksOf(given).flatMap((chunk) => stream.push(chunk)), ...stream.end()]
      const { blocks, open } = read(events)
      expect(open).toBe(-1)
      expect(events.slice(-2)).toMatchObject([
        { type: 'message_delta', usage: { input_tokens: 7, output_tokens: 3 } },
        { type: 'message_stop' },
      ])
      const tool_calls = given.calls.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      }))
      const whole = messageOf({
        ...HEAD,
        choices: [{ message: { content: given.text, tool_calls }, finish_reason: 'stop' }],
        usage,
      })
      const streamed = blocks.map(({ type, id, name, said }) =>
        type === 'text' ? { type, text: said } : { type, id, name, input: JSON.parse(said) as object },
      )
      expect(whole.content).toMatchObject(streamed)
      expect(whole.content).toHaveLength(streamed.length)
      const [back] = translated({ messages: [{ role: 'assistant', content: whole.content }] })['messages'] as object[]
      expect(back).toMatchObject({
        ...(given.text !== '' && { content: given.text }),
        ...(tool_calls.length > 0 && { tool_calls }),
      })
    }),
  )
})

it('a stream that ends after any chunk has at most one open block, which the end closes', () => {
  fc.assert(
    fc.property(answer, fc.nat({ max: 40 }), (given, cutAt) => {
      const stream = createMessageStream()
      const events = chunksOf(given)
        .slice(0, cutAt + 1)
        .flatMap((chunk) => stream.push(chunk))
      read(events)
      expect(read([...events, ...stream.end()]).open).toBe(-1)
    }),
  )
})
