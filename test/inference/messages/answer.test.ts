/** Messages of Anthropic's API as chat completions, whole and in events: no text, call or count is lost. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCompletion } from '../../../subgraphs/inference/chat/completion.js'
import { ChunkTranslator } from '../../../subgraphs/inference/chat/frames.js'
import { completionOf } from '../../../subgraphs/inference/providers/messages/answer.js'
import { chatOnlyField } from '../../../subgraphs/inference/providers/messages/chat-only.js'
import { messagesBody } from '../../../subgraphs/inference/providers/messages/request.js'
import { chunksInto } from '../../../subgraphs/inference/providers/messages/stream.js'
import {
  messageEvents,
  messageJson,
  says,
  simulated,
  simulatedUsage,
  type SimulatedBlock,
  type SimulatedMessage,
} from '../../kit/messages-simulator.js'

const IDENTITY = { id: 'chatcmpl-1', created: 1, model: 'm' }
type Json = Record<string, unknown>

interface Answer {
  readonly content: string | null
  readonly reasoning: string
  readonly calls: readonly { id: unknown; name: unknown; arguments: string }[]
  readonly finish: unknown
  readonly stoppedAt: unknown
  readonly tokens: unknown
}

function wholeAnswer(message: SimulatedMessage): Answer {
  const { choices, usage } = readCompletion(completionOf(messageJson(message)), IDENTITY)
  const { choice, message: said } = choices[0]!
  return {
    content: said['content'] as string | null,
    reasoning: (said['reasoning_content'] as string | undefined) ?? '',
    calls: ((said['tool_calls'] ?? []) as { id: unknown; function: { name: unknown; arguments: string } }[]).map(
      ({ id, function: { name, arguments: args } }) => ({ id, name, arguments: args }),
    ),
    finish: choice['finish_reason'],
    stoppedAt: choice['stop_reason'],
    tokens: usage?.tokens,
  }
}

/** The chunks of some events, through the translator that every stream goes through, and how the stream ended. */
function chunksOf(events: readonly Json[]) {
  const translator = new ChunkTranslator(IDENTITY)
  const chunks: ReturnType<ChunkTranslator['translate']>[] = []
  const ends: boolean[] = []
  const handler = chunksInto({
    onEvent: (data) => void chunks.push(translator.translate(data)),
    onWhole: () => expect.fail('whole'),
    onEnd: (isDone) => void ends.push(isDone),
    onFailure: (failure) => expect.fail(failure.message),
  })
  for (const event of events) handler.onEvent(JSON.stringify(event))
  return { chunks, ends, finished: translator.finished.size }
}

interface Delta {
  content?: string
  reasoning_content?: string
  tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[]
}

function streamedAnswer(events: readonly Json[]): Answer {
  const { chunks } = chunksOf(events)
  const answer = {
    content: '',
    reasoning: '',
    finish: null as unknown,
    stoppedAt: undefined as unknown,
    tokens: undefined as unknown,
  }
  const calls: { id: unknown; name: unknown; arguments: string }[] = []
  for (const { payload, usage } of chunks) {
    if (usage) answer.tokens = usage.tokens
    if (payload === null) continue
    const { choices } = JSON.parse(payload) as { choices: { delta: Delta; finish_reason: unknown; stop_reason?: unknown }[] }
    for (const { delta, finish_reason, stop_reason } of choices) {
      answer.content += delta.content ?? ''
      answer.reasoning += delta.reasoning_content ?? ''
      answer.finish ??= finish_reason
      answer.stoppedAt ??= stop_reason
      for (const { index, id, function: said } of delta.tool_calls ?? []) {
        if (said.name !== undefined) calls[index] = { id, name: said.name, arguments: '' }
        calls[index]!.arguments += said.arguments
      }
    }
  }
  return { ...answer, content: answer.content === '' && calls.length > 0 ? null : answer.content, calls }
}

const use = (id: string, input: Json): SimulatedBlock => ({ type: 'tool_use', id, name: 'f', input })
const text = (said: string): SimulatedBlock => ({ type: 'text', text: said })
const thought: SimulatedBlock = { type: 'thinking', thinking: 'Hm, a city.', signature: 'EqQB' }

describe('an answer, whole and streamed,', () => {
  it.each<[string, SimulatedMessage, Partial<Answer>]>([
    ['of one text', says('Hello "you"'), { content: 'Hello "you"', calls: [], finish: 'stop' }],
    ['of no text', says(), { content: '', finish: 'stop' }],
    ['of several texts', says('Hel', 'lo'), { content: 'Hello' }],
    [
      'of a text and calls',
      simulated([text('Let me see.'), use('toolu_1', { city: 'Zürich', n: [1, { a: null }] }), use('toolu_2', {})]),
      {
        content: 'Let me see.',
        calls: [
          { id: 'toolu_1', name: 'f', arguments: '{"city":"Zürich","n":[1,{"a":null}]}' },
          { id: 'toolu_2', name: 'f', arguments: '{}' },
        ],
        finish: 'tool_calls',
      },
    ],
    ['of calls alone', simulated([use('toolu_1', {})]), { content: null, finish: 'tool_calls' }],
    ['with a thought', simulated([thought, text('Bern')]), { reasoning: 'Hm, a city.', content: 'Bern', finish: 'stop' }],
    ['cut at its limit', simulated([text('Hel')], { stop_reason: 'max_tokens' }), { finish: 'length' }],
    [
      'at the end of the window',
      simulated([text('Hel')], { stop_reason: 'model_context_window_exceeded' }),
      { finish: 'length' },
    ],
    ['refused', simulated([text('I')], { stop_reason: 'refusal' }), { finish: 'content_filter' }],
    ['paused', simulated([text('I')], { stop_reason: 'pause_turn' }), { finish: 'stop' }],
    ['for a reason of later years', simulated([text('I')], { stop_reason: 'constructor' }), { finish: 'stop' }],
    [
      'ended by a text',
      simulated([text('I')], { stop_reason: 'stop_sequence', stop_sequence: 'END' }),
      { finish: 'stop', stoppedAt: 'END' },
    ],
    [
      'with tokens of a cache counts them into the prompt',
      simulated([text('I')], { usage: simulatedUsage(10, 7, 100, 1_000) }),
      { tokens: { input: 1_010, cachedInput: 100, output: 7 } },
    ],
  ])('%s', (_, message, expected) => {
    expect(wholeAnswer(message)).toMatchObject(expected)
    expect(streamedAnswer(messageEvents(message))).toEqual(wholeAnswer(message))
  })
})

describe('a whole answer', () => {
  it('loses no digit of the numbers in a call', () => {
    const body = messageJson(simulated([use('a', {})])).replace('"input":{}', '"input":{"id":12345678901234567890}')
    expect(JSON.parse(completionOf(body))).toMatchObject({
      choices: [{ message: { tool_calls: [{ function: { arguments: '{"id":12345678901234567890}' } }] } }],
    })
  })

  it.each(['', 'null', '[]', '{"content":"x"}', '{"type":"error","error":{"type":"api_error","message":"m"}}', '<html>'])(
    'that is none is left to its reader: %s',
    (body) => {
      expect(completionOf(body)).toBe(body)
    },
  )

  it.each([null, {}, { input_tokens: 5 }, { input_tokens: '5', output_tokens: 1 }])('with the usage %j has none', (usage) => {
    const { tokens } = wholeAnswer({ ...says('I'), usage: usage as Json })
    expect(tokens).toBeUndefined()
  })
})

describe('a stream', () => {
  const message = simulated([thought, text('Hello'), use('toolu_1', { a: 1 }), use('toolu_2', {})])
  const events = messageEvents(message)

  it.each(events.map((event, at) => [at, String(event['type'])]))('cut before event %i (%s) ends as far as it came', (at) => {
    const { ends, finished } = chunksOf(events.slice(0, at))
    expect([ends, finished]).toEqual([[], at < events.length - 1 ? 0 : 1])
    const { finish, tokens } = streamedAnswer(events.slice(0, at))
    expect([finish, tokens === undefined]).toEqual(at < events.length - 1 ? [null, true] : ['tool_calls', false])
  })

  it('ends with message_stop, once', () => {
    expect(chunksOf(events)).toMatchObject({ ends: [true], finished: 1 })
  })

  it('passes over events, blocks and deltas that nobody knows', () => {
    const strange = [
      { type: 'weather', index: 0 },
      { type: 'content_block_start', index: 9, content_block: { type: 'redacted_thinking', data: 'x' } },
      { type: 'content_block_delta', index: 9, delta: { type: 'dance_delta', steps: 3 } },
      { type: 'content_block_start', index: 9 },
      { type: 'content_block_delta', index: 9 },
      { type: 'content_block_stop', index: 9 },
      { type: 'message_delta' },
    ]
    const [start, ...rest] = events
    expect(streamedAnswer([start!, ...strange, ...rest])).toEqual(wholeAnswer(message))
  })

  it('with null counts at its end keeps those of its beginning', () => {
    const changed = events.map((event) =>
      event['type'] === 'message_delta' ? { ...event, usage: { input_tokens: null, output_tokens: 9 } } : event,
    )
    expect(streamedAnswer(changed).tokens).toEqual({ input: 11, cachedInput: 0, output: 9 })
  })

  it('without a count at its end has none: the one of its beginning is of no answer', () => {
    const changed = events.map((event) => (event['type'] === 'message_delta' ? { ...event, usage: undefined } : event))
    expect(streamedAnswer(changed).tokens).toBeUndefined()
  })

  it.each([{ type: 'error', error: { type: 'overloaded_error', message: 'secret' } }, { type: 5 }, []])(
    'is given up at %j',
    (event) => {
      expect(() => chunksOf([events[0]!, event as Json])).toThrow(/^(error|not a chunk|object)$/)
    },
  )
})

describe('a chat that is told to the provider and told back', () => {
  const word = fc.string({ minLength: 1, unit: 'binary' }).filter((said) => said.trim() !== '')
  const content = fc.oneof(
    word,
    fc.array(
      word.map((said) => ({ type: 'text', text: said })),
      { minLength: 1, maxLength: 3 },
    ),
  )
  const args = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }).map((value) => JSON.stringify(value))
  const turn = fc.oneof(
    fc.record({ role: fc.constantFrom('system', 'developer', 'user', 'assistant'), content }).map((message) => [message]),
    fc.tuple(fc.option(content), fc.array(fc.tuple(args, content), { minLength: 1, maxLength: 3 })).map(([said, calls]) => [
      {
        role: 'assistant',
        content: said,
        tool_calls: calls.map(([given], at) => ({
          id: `c:${at}`,
          type: 'function',
          function: { name: `f${at}`, arguments: given },
        })),
      },
      ...calls.map(([, result], at) => ({ role: 'tool', tool_call_id: `c:${at}`, content: result })),
    ]),
  )
  const chats = fc.array(turn, { minLength: 1, maxLength: 6 }).map((turns) => ({ messages: turns.flat() as Json[] }))

  /** Says everything that was said, and makes every call again: a tool's result is a text like any other. */
  function echoOf(request: Json): SimulatedBlock[] {
    const turns = request['messages'] as { content: Json[] }[]
    const blocks = [...((request['system'] ?? []) as Json[]), ...turns.flatMap((said) => said.content)]
    return blocks.flatMap((block) => (block['type'] === 'tool_result' ? (block['content'] as Json[]) : [block])) as never
  }

  const textsOf = (said: unknown): string =>
    typeof said === 'string' ? said : ((said ?? []) as { text: string }[]).map((part) => part.text).join('')
  const isBefore = ({ role }: Json) => role === 'system' || role === 'developer'

  it('keeps every text, every call and every count', () => {
    const count = fc.nat(1_000_000)
    fc.assert(
      fc.property(chats, fc.tuple(count, count, count, count), fc.integer({ min: 1, max: 9 }), (chat, counts, size) => {
        expect(chatOnlyField(chat)).toBeNull()
        const request = JSON.parse(JSON.stringify(messagesBody(chat))) as Json
        const message = simulated(echoOf(request), { usage: simulatedUsage(...counts) })
        const answer = wholeAnswer(message)
        const { messages } = chat
        const inOrder = [...messages.filter(isBefore), ...messages.filter((said) => !isBefore(said))]
        expect(answer.content ?? '').toBe(inOrder.map((said) => textsOf(said['content'])).join(''))
        const asked = messages.flatMap(
          (said) => (said['tool_calls'] ?? []) as { function: { name: string; arguments: string } }[],
        )
        const made = answer.calls.map(({ name, arguments: given }) => [name, JSON.parse(given) as unknown])
        expect(made).toEqual(asked.map(({ function: { name, arguments: given } }) => [name, JSON.parse(given) as unknown]))
        const [input, output, cacheRead, cacheCreation] = counts
        expect(answer.tokens).toEqual({ input: input + cacheCreation, cachedInput: cacheRead, output })
        expect(streamedAnswer(messageEvents(message, size))).toEqual(answer)
      }),
    )
  })
})
