/** Provider chunks as ours: the same stream identity, one role, no usage left inside, and nothing else lost. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChunkTranslator, MalformedEvent, ProviderErrorEvent } from '../../../subgraphs/inference/chat/frames.js'
import type { JsonObject } from '../../../subgraphs/inference/tokens/usage.js'

const IDENTITY = { id: 'chatcmpl-ours', created: 42, model: 'our-model' }
const chunk = (delta: unknown, more: JsonObject = {}, choice: JsonObject = {}) =>
  JSON.stringify({
    id: 'p',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'theirs',
    choices: [{ index: 0, delta, finish_reason: null, ...choice }],
    ...more,
  })

const translateAll = (events: readonly string[]) => {
  const translator = new ChunkTranslator(IDENTITY)
  return events.map((event) => translator.translate(event))
}
const objects = (events: readonly string[]) =>
  translateAll(events).map(({ payload }) => (payload === null ? null : (JSON.parse(payload) as JsonObject)))

function thrownBy(action: () => unknown): unknown {
  try {
    action()
    return null
  } catch (error) {
    return error
  }
}

describe('a translated stream', () => {
  it('has one id, created and model, and the role in the first delta of each choice only', () => {
    const events = [
      chunk({ role: 'assistant', content: '' }),
      chunk({ role: 'assistant', content: 'a' }),
      chunk({ content: 'b' }),
    ]
    expect(objects(events)).toEqual(
      [{ role: 'assistant', content: '' }, { content: 'a' }, { content: 'b' }].map((delta) => ({
        id: 'chatcmpl-ours',
        object: 'chat.completion.chunk',
        created: 42,
        model: 'our-model',
        choices: [{ index: 0, delta, finish_reason: null }],
      })),
    )
  })

  it('gets a role when the provider sends none', () => {
    expect(objects([chunk({ content: 'a' })])[0]).toMatchObject({ choices: [{ delta: { role: 'assistant', content: 'a' } }] })
  })

  it('keeps what it does not know', () => {
    const known = objects([
      chunk({ content: 'a', x: 1 }, { y: [2] }, { z: { deep: 3 } }),
      chunk({ content: 'b', x: 1 }, { y: [2] }),
    ])
    expect(known[0]).toMatchObject({ y: [2], choices: [{ z: { deep: 3 }, delta: { x: 1 } }] })
    expect(known[1]).toMatchObject({ y: [2], choices: [{ delta: { x: 1 } }] })
  })

  it('numbers tool calls that have no index', () => {
    const call = (id: string | undefined, args: string) =>
      chunk({ tool_calls: [{ ...(id && { id }), function: { arguments: args } }] })
    const calls = objects([call('a', ''), call(undefined, '{'), call('b', ''), call(undefined, '}')])
    expect(
      calls.map(
        (object) =>
          (object as never as { choices: [{ delta: { tool_calls: [{ index: number }] } }] }).choices[0].delta.tool_calls[0].index,
      ),
    ).toEqual([0, 0, 1, 1])
  })

  it('is the same whether an event is relayed or parsed, for any text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '"', '\\', '"}]}', '\u2028', '","content":"', 'a\\', '\\"', '{"content":"x"}', '\u0000'),
    )
    const field = fc.constantFrom('content', 'reasoning_content', 'reasoning', 'refusal')
    let relayed = 0
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 3, maxLength: 12 }),
        field,
        fc.dictionary(fc.string(), fc.jsonValue()),
        (texts, name, extra) => {
          const reserved = ['id', 'object', 'created', 'model', 'choices', 'usage', 'error', 'x_groq', '__proto__']
          const more = Object.fromEntries(Object.entries(extra).filter(([key]) => !reserved.includes(key)))
          const events = texts.map((value) => chunk({ [name]: value }, more))
          const results = translateAll(events)
          results.forEach((result, index) => {
            if (result.object === null && result.payload !== null) relayed++
            // A translator that has seen only the first event parses this one.
            const [, parsed] =
              index === 0
                ? [null, results[0]!]
                : translateAll([events[0]!.replace(/"finish/, '"other":1,"finish'), events[index]!])
            expect(result.text).toBe(texts[index])
            expect(JSON.parse(result.payload!)).toEqual(JSON.parse(parsed.payload!))
          })
        },
      ),
      { numRuns: 120 },
    )
    expect(relayed).toBeGreaterThan(200)
  })

  it('is not deceived by an event that only begins and ends like the others', () => {
    const same = [chunk({ content: 'a' }), chunk({ content: 'b' }), chunk({ content: 'c' })]
    const [, , relayed, more] = translateAll([...same, chunk({ content: 'd', other: 'e' })])
    expect(relayed).toMatchObject({ object: null, text: 'c' })
    expect(more).toMatchObject({ text: 'd', object: { choices: [{ delta: { content: 'd', other: 'e' } }] } })
    expect(() => translateAll([...same, same[2]!.replace('"c"', '"c" oops "d"')])).toThrow(MalformedEvent)
    expect(() => translateAll([...same, same[2]!.replace('"c"', '"c\\x"')])).toThrow(MalformedEvent)
    expect(() => translateAll([...same, same[2]!.replace('"c"', '"c\n"')])).toThrow(MalformedEvent)
  })

  it('is the same whether events are read one by one or in runs, whatever stands between them', () => {
    const text = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom('a', ' word', '', 'é', '日本', '🌍', '\n', '"}]}\n\ndata: {') },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 900 }) },
    )
    const others = [': ping\n\n', 'event: x\n', `data: ${chunk({ content: 'x' }, {}, { logprobs: {} })}\n\n`, '\n']
    const between = fc.oneof({ weight: 12, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(...others) })
    const seen = { runs: 0, longRuns: 0, betweens: 0 }
    fc.assert(
      fc.property(fc.array(fc.tuple(text, between), { minLength: 1, maxLength: 40, size: 'max' }), (events) => {
        const stream = events.map(([value, odd]) => `${odd}data: ${chunk({ content: value })}\n\n`).join('')
        const [single, inRuns] = [new ChunkTranslator(IDENTITY), new ChunkTranslator(IDENTITY)]
        for (const translator of [single, inRuns]) for (const first of ['a', 'b']) translator.translate(chunk({ content: first }))
        const read = (data: string, translator: ChunkTranslator) => {
          const { payload, text: said } = translator.translate(data)
          return [[payload, said]]
        }
        const expected = [...stream.matchAll(/^data: (.*)$/gm)].flatMap(([, data]) => read(data!, single))
        const got: (string | null)[][] = []
        for (let at = 0; at < stream.length;) {
          const run = inRuns.translateRun(stream, at)
          const end = stream.indexOf('\n', at)
          if (run) {
            const { payload, text: said, texts } = run.event
            expect(texts!.join('')).toBe(said)
            got.push(...payload!.split('\n').map((line, index) => [line, texts![index]!]))
            seen.runs++
            if (texts!.length > 5) seen.longRuns++
          } else if (stream.startsWith('data: ', at)) got.push(...read(stream.slice(at + 'data: '.length, end), inRuns))
          else seen.betweens++
          at = run?.end ?? end + 1
        }
        expect(got).toEqual(expected)
      }),
      { numRuns: 300 },
    )
    expect(Object.values(seen).every((times) => times > 50)).toBe(true)
  })

  it('relays tool call arguments and text with other characters unchanged', () => {
    const args = (text: string) => chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] })
    const results = translateAll([
      chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '' } }] }),
      args('{"a'),
      args('":1}'),
      args('é'),
    ])
    expect(results.map(({ text }) => text)).toEqual(['f', '{"a', '":1}', 'é'])
    expect(results.slice(2).every(({ object }) => object === null)).toBe(true)
    expect(JSON.parse(results[2]!.payload!)).toMatchObject({
      choices: [{ delta: { tool_calls: [{ function: { arguments: '":1}' } }] } }],
    })
  })

  it.each([
    ['top level', chunk({}, { usage: { prompt_tokens: 5, completion_tokens: 0 } })],
    ['x_groq', chunk({}, { x_groq: { id: 'r', usage: { prompt_tokens: 5, completion_tokens: 0 } } })],
    ['choice', chunk({}, {}, { usage: { prompt_tokens: 5, completion_tokens: 0 } })],
    ['chunk of its own', JSON.stringify({ id: 'p', choices: [], usage: { prompt_tokens: 5, completion_tokens: 0 } })],
  ])('gives up its usage from %s, zero included', (_, event) => {
    const [result] = translateAll([event])
    expect(result!.usage?.tokens).toEqual({ input: 5, cachedInput: 0, output: 0 })
    expect(result!.payload ?? '').not.toContain('completion_tokens')
  })

  it('has no usage: null and no chunk without choices', () => {
    const results = translateAll([chunk({ content: 'a' }, { usage: null }), JSON.stringify({ id: 'p', choices: [] })])
    expect(results[0]!.payload).not.toContain('usage')
    expect(results[1]!.payload).toBeNull()
  })

  it('refuses what is not a chunk, and tells errors apart', () => {
    for (const wrong of ['', '{', '[]', '1', 'null', '{}', '{"choices":1}', '{"choices":[1]}', '{"foo":1}']) {
      expect(() => translateAll([wrong])).toThrow(MalformedEvent)
    }
    expect(() => translateAll(['{"error":{"message":"x"}}'])).toThrow(ProviderErrorEvent)
  })

  it('refuses or translates arbitrary JSON, and never throws anything else', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.json(),
            fc.jsonValue().map((value) => JSON.stringify({ choices: [{ delta: value }] })),
          ),
          { maxLength: 6 },
        ),
        (events) => {
          const failure = thrownBy(() => translateAll(events))
          expect(failure === null || failure instanceof MalformedEvent || failure instanceof ProviderErrorEvent).toBe(true)
        },
      ),
    )
  })
})
