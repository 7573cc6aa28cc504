/** What is refused with a 400 that names the field, and what passes unchanged. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#platform/errors.js'
import { defaultChatLimits } from '../../subgraphs/inference/limits.js'
import { parseChatRequest } from '../../subgraphs/inference/chat/request.js'

const valid = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] }
const parse = (body: unknown) => parseChatRequest(body, defaultChatLimits)
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])

function refusal(body: unknown): AppError {
  try {
    parse(body)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('was accepted')
}

describe('400', () => {
  it.each([
    ['model', { ...valid, model: undefined }],
    ['model', { ...valid, model: null }],
    ['model', { ...valid, model: 5 }],
    ['model', { ...valid, model: '' }],
    ['messages', { model: 'm' }],
    ['messages', { ...valid, messages: 'Hello' }],
    ['messages', { ...valid, messages: [] }],
    ['messages', { ...valid, messages: Array.from({ length: 4_097 }, () => valid.messages[0]) }],
    ['messages[0]', { ...valid, messages: ['Hello'] }],
    ['messages[1].role', { ...valid, messages: [valid.messages[0], { role: 'robot', content: 'x' }] }],
    ['messages[0].role', { ...valid, messages: [{ content: 'x' }] }],
    ['messages[0].content', { ...valid, messages: [{ role: 'user' }] }],
    ['messages[0].content', { ...valid, messages: [{ role: 'user', content: 5 }] }],
    ['messages[0].content[0]', { ...valid, messages: [{ role: 'user', content: ['x'] }] }],
    ['messages[0].content[1].type', { ...valid, messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, {}] }] }],
    ['messages[0].content[0].text', { ...valid, messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    ['temperature', { ...valid, temperature: 'hot' }],
    ['temperature', { ...valid, temperature: 2.1 }],
    ['top_p', { ...valid, top_p: -0.1 }],
    ['max_tokens', { ...valid, max_tokens: 0 }],
    ['max_tokens', { ...valid, max_tokens: 1.5 }],
    ['max_tokens', { ...valid, max_tokens: '5' }],
    ['max_completion_tokens', { ...valid, max_completion_tokens: -1 }],
    ['n', { ...valid, n: 0 }],
    ['n', { ...valid, n: 129 }],
    ['stream', { ...valid, stream: 'yes' }],
    ['stop', { ...valid, stop: 5 }],
    ['stop[1]', { ...valid, stop: ['a', 5] }],
    ['stop', { ...valid, stop: Array.from({ length: 17 }, () => 'a') }],
    ['seed', { ...valid, seed: 1.5 }],
    ['tools', { ...valid, tools: {} }],
    ['tools[0]', { ...valid, tools: ['f'] }],
    ['tools[0].type', { ...valid, tools: [{}] }],
    ['tools[0].function.name', { ...valid, tools: [{ type: 'function', function: {} }] }],
    ['tool_choice', { ...valid, tool_choice: 5 }],
    ['response_format', { ...valid, response_format: 'json' }],
    ['response_format.type', { ...valid, response_format: {} }],
    ['stream_options', { ...valid, stream_options: true }],
    ['stream_options.include_usage', { ...valid, stream_options: { include_usage: 1 } }],
  ])('names %s', (param, body) => {
    expect(refusal(body)).toMatchObject({ httpStatus: 400, type: 'invalid_request_error', param })
  })

  it.each([[null], [[]], ['text'], [5]])('for a body that is no object: %j', (body) => {
    expect(refusal(body)).toMatchObject({ httpStatus: 400, param: null })
  })

  it('for nesting beyond 64 levels, without running out of stack', () => {
    expect(() => parse({ ...valid, metadata: nested(60) })).not.toThrow()
    expect(refusal({ ...valid, metadata: nested(64) }).message).toContain('64')
    let deep: unknown = 1
    for (let i = 0; i < 200_000; i++) deep = [deep]
    expect(refusal({ ...valid, metadata: deep }).httpStatus).toBe(400)
  })

  it('or acceptance is all that arbitrary bodies lead to', () => {
    const field = fc.constantFrom(
      'temperature',
      'max_tokens',
      'stop',
      'tools',
      'tool_choice',
      'response_format',
      'stream_options',
      'seed',
      'n',
      'other',
    )
    const content = fc.oneof(fc.string(), fc.string(), fc.jsonValue())
    const message = fc.record({ role: fc.constantFrom('user', 'tool', 'assistant', 'x'), content })
    const value = fc.oneof(fc.constantFrom(null, 1, 'auto', true), fc.jsonValue())
    const messageList = fc.oneof(fc.array(message, { minLength: 1, maxLength: 2 }), fc.array(fc.jsonValue()))
    const body = fc.tuple(messageList, fc.dictionary(field, value, { maxKeys: 2 }))
    let accepted = 0
    let refused = 0
    fc.assert(
      fc.property(body, ([messages, fields]) => {
        let error: unknown = null
        try {
          parse({ model: 'm', messages, ...fields })
          accepted++
        } catch (thrown) {
          error = thrown
          refused++
        }
        expect(error === null || (error instanceof AppError && error.httpStatus === 400)).toBe(true)
      }),
      { numRuns: 500 },
    )
    expect(Math.min(accepted, refused)).toBeGreaterThan(10)
  })

  it('never repeats what the caller wrote', () => {
    const error = refusal({ ...valid, messages: [{ role: 'my secret prompt', content: 'x' }] })
    expect(error.message).not.toContain('secret')
  })
})

describe('accepted', () => {
  it('are all roles, parts, null content, and null for what is not given', () => {
    const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function']
    const messages = [
      ...roles.map((role) => ({ role, content: null })),
      { role: 'assistant', tool_calls: [] },
      { role: 'user', content: [{ type: 'image_url', image_url: {} }] },
    ]
    const nulls = {
      stop: null,
      seed: null,
      tools: null,
      tool_choice: null,
      response_format: null,
      temperature: null,
      stream: null,
      stream_options: null,
      n: null,
    }
    const request = parse({ model: 'm', messages, ...nulls })
    expect(request.body).toEqual({ messages })
    expect(request).toMatchObject({
      stream: false,
      choices: 1,
      maxOutputTokens: null,
      needsFunctionCalling: false,
      needsJsonMode: false,
    })
  })

  it('are unknown fields, unchanged, null included', () => {
    const unknown = {
      logit_bias: { 50256: -100 },
      reasoning_effort: 'low',
      x: null,
      user: 'u',
      messages: [{ role: 'user', content: 'a', extra: { y: [1] } }],
    }
    expect(parse({ model: 'm', ...unknown }).body).toEqual(unknown)
  })

  it('say what the router needs', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }]
    expect(parse({ ...valid, tools }).needsFunctionCalling).toBe(true)
    expect(parse({ ...valid, tools, tool_choice: 'none' }).needsFunctionCalling).toBe(false)
    expect(parse({ ...valid, response_format: { type: 'json_object' } }).needsJsonMode).toBe(true)
    expect(parse({ ...valid, response_format: { type: 'text' } }).needsJsonMode).toBe(false)
    expect(parse({ ...valid, max_tokens: 5, max_completion_tokens: 7 }).maxOutputTokens).toBe(7)
    expect(parse({ ...valid, stream: true, stream_options: { include_usage: true } })).toMatchObject({
      stream: true,
      wantsUsageChunk: true,
    })
  })
})
