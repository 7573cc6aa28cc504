/** Chat completions in the words of Anthropic's Messages API, and what cannot be said there. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseExactJson } from '#platform/json/exact-json.js'
import { parseChatRequest } from '../../../subgraphs/inference/chat/request.js'
import { defaultChatLimits } from '../../../subgraphs/inference/limits.js'
import { chatOnlyField } from '../../../subgraphs/inference/providers/messages/chat-only.js'
import { messagesBody } from '../../../subgraphs/inference/providers/messages/request.js'

const hi = [{ role: 'user', content: 'Hi' }]
const hiTurn = { role: 'user', content: [{ type: 'text', text: 'Hi' }] }
const call = (id: string, args: string) => ({ id, type: 'function', function: { name: 'f', arguments: args } })
const f = { type: 'function', function: { name: 'f', parameters: { properties: { a: { type: 'number' } } } } }
const fTool = { name: 'f', input_schema: { type: 'object', properties: { a: { type: 'number' } } } }
const schema = { type: 'object', properties: {}, additionalProperties: false }

describe('a request', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['of one text is one message of the user and nothing else', { messages: hi }, { messages: [hiTurn] }],
    [
      'puts the texts of system and developer before the conversation, wherever they stood',
      {
        messages: [{ role: 'system', content: 'S' }, ...hi, { role: 'developer', content: [{ type: 'text', text: 'D' }] }],
      },
      {
        system: [
          { type: 'text', text: 'S' },
          { type: 'text', text: 'D' },
        ],
        messages: [hiTurn],
      },
    ],
    [
      'carries images in the text and by their address',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look' },
              { type: 'image_url', image_url: { url: 'data:image/PNG;base64,AA==', detail: 'high' } },
              { type: 'image_url', image_url: { url: 'https://x/y.png' } },
            ],
          },
        ],
      },
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
              { type: 'image', source: { type: 'url', url: 'https://x/y.png' } },
            ],
          },
        ],
      },
    ],
    [
      'has the results of all calls of a turn in one message, before what the user says',
      {
        messages: [
          ...hi,
          { role: 'assistant', content: '\n', tool_calls: [call('a', '{"a":1}'), call('b', '')] },
          { role: 'tool', tool_call_id: 'a', content: 'A' },
          { role: 'tool', tool_call_id: 'b', content: '' },
          { role: 'user', content: 'And?' },
        ],
      },
      {
        messages: [
          hiTurn,
          {
            role: 'assistant',
            content: [
              { type: 'tool_use', id: 'a', name: 'f', input: { a: 1 } },
              { type: 'tool_use', id: 'b', name: 'f', input: {} },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'A' }] },
              { type: 'tool_result', tool_use_id: 'b' },
              { type: 'text', text: 'And?' },
            ],
          },
        ],
      },
    ],
    [
      'names a call and its result alike when their id is of another provider',
      {
        messages: [
          { role: 'assistant', content: null, tool_calls: [call('functions.f:0', '{}')] },
          { role: 'tool', tool_call_id: 'functions.f:0', content: 'A' },
        ],
      },
      {
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 'functions_2e_f_3a_0', name: 'f', input: {} }] },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 'functions_2e_f_3a_0', content: [{ type: 'text', text: 'A' }] }],
          },
        ],
      },
    ],
    [
      'keeps arguments that are no object as their text',
      {
        messages: [{ role: 'assistant', tool_calls: [call('a', '{"a":'), call('b', '[1]'), call('c', '12345678901234567890')] }],
      },
      {
        messages: [
          {
            role: 'assistant',
            content: [
              { type: 'tool_use', id: 'a', name: 'f', input: { INVALID_JSON: '{"a":' } },
              { type: 'tool_use', id: 'b', name: 'f', input: { INVALID_JSON: '[1]' } },
              { type: 'tool_use', id: 'c', name: 'f', input: { INVALID_JSON: '12345678901234567890' } },
            ],
          },
        ],
      },
    ],
    [
      'says what a model refused',
      { messages: [...hi, { role: 'assistant', content: null, refusal: 'No.' }] },
      { messages: [hiTurn, { role: 'assistant', content: [{ type: 'text', text: 'No.' }] }] },
    ],
    ['has tools whose input is an object', { messages: hi, tools: [f] }, { messages: [hiTurn], tools: [fTool] }],
    [
      'has strict tools with their description',
      { messages: hi, tools: [{ ...f, function: { ...f.function, description: 'd', strict: true } }] },
      { messages: [hiTurn], tools: [{ ...fTool, description: 'd', strict: true }] },
    ],
    ['has no choice of tools without tools', { messages: hi, tool_choice: 'required' }, { messages: [hiTurn] }],
    [
      'has its settings',
      { messages: hi, temperature: 1.7, top_p: 1, top_k: 5, stop: 'x', user: 'u', max_tokens: 5, n: 1, seed: 3 },
      { messages: [hiTurn], temperature: 1, top_k: 5, stop_sequences: ['x'], metadata: { user_id: 'u' } },
    ],
    [
      'leaves out a temperature that means nothing where top_p means something',
      { messages: hi, temperature: 1, top_p: 0.5, stop: ['x', 'y'] },
      { messages: [hiTurn], top_p: 0.5, stop_sequences: ['x', 'y'] },
    ],
    [
      'asks for the JSON of a schema',
      { messages: hi, response_format: { type: 'json_schema', json_schema: { name: 'n', strict: true, schema } } },
      { messages: [hiTurn], output_config: { format: { type: 'json_schema', schema } } },
    ],
    ['of plain text asks for no form', { messages: hi, response_format: { type: 'text' } }, { messages: [hiTurn] }],
  ])('%s', (_, chat, expected) => {
    expect(messagesBody(chat)).toEqual(expected)
    expect(chatOnlyField(chat)).toBeNull()
  })

  it.each([
    ['auto', undefined, { type: 'auto' }],
    ['none', false, { type: 'none' }],
    ['required', undefined, { type: 'any' }],
    ['required', false, { type: 'any', disable_parallel_tool_use: true }],
    [undefined, false, { type: 'auto', disable_parallel_tool_use: true }],
    [undefined, true, undefined],
    [{ type: 'function', function: { name: 'f' } }, undefined, { type: 'tool', name: 'f' }],
  ])('with tool_choice %j and parallel_tool_calls %j has the choice %j', (tool_choice, parallel_tool_calls, expected) => {
    const body = messagesBody({ messages: hi, tools: [f], tool_choice, parallel_tool_calls })
    expect(body['tool_choice']).toEqual(expected)
  })

  it('loses no digit of the numbers in arguments', () => {
    const args = '{"id":12345678901234567890,"x":1e400}'
    const said = JSON.stringify(messagesBody({ messages: [{ role: 'assistant', tool_calls: [call('a', args)] }] }))
    expect(said).toContain(`"input":${args}`)
    const exact = parseExactJson(Buffer.from('{"messages":[],"temperature":0.30000000000000000001}'))
    expect(messagesBody(exact as Record<string, unknown>)).toEqual({ messages: [], temperature: 0.3 })
  })
})

describe('whatever the check of requests lets through', () => {
  // Names that the translation reads, so that what is arbitrary gets deep into it.
  const names = [
    'type',
    'function',
    'name',
    'arguments',
    'image_url',
    'url',
    'text',
    'refusal',
    'json_schema',
    'schema',
    'toString',
  ]
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      fc.jsonValue({ maxDepth: 1 }),
      tie('object'),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
    object: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4 }),
  }))
  const role = fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool', 'function')
  const part = fc.record({ type: fc.constantFrom('text', 'image_url', 'file'), text: fc.string(), image_url: value })
  const message = fc.record(
    { role, content: fc.oneof(fc.string(), fc.array(part)), tool_calls: value, tool_call_id: value, refusal: value },
    { requiredKeys: ['role', 'content'] },
  )
  const settings = fc.record(
    { tools: value, tool_choice: value, response_format: value, stop: value, modalities: value, user: value, metadata: value },
    { requiredKeys: [] },
  )

  it('is translated or refused by a name, and never our fault', () => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 4 }), settings, (messages, more) => {
        const chat = { model: 'm', messages, ...more }
        try {
          parseChatRequest(chat, defaultChatLimits)
        } catch {
          return
        }
        const field = chatOnlyField(chat)
        expect(field === null || field.length > 0).toBe(true)
        expect(JSON.parse(JSON.stringify(messagesBody(chat)))).toHaveProperty('messages')
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('what only a chat completion can ask for', () => {
  const image = { type: 'image_url', image_url: { url: 'https://x/y' } }
  it.each<[string, Record<string, unknown>]>([
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['top_logprobs', { top_logprobs: 3 }],
    ['frequency_penalty', { frequency_penalty: 0.5 }],
    ['presence_penalty', { presence_penalty: -1 }],
    ['logit_bias', { logit_bias: { 5: 1 } }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['audio', { audio: { voice: 'alloy' } }],
    ['functions', { functions: [{ name: 'f' }] }],
    ['function_call', { function_call: 'auto' }],
    ['web_search_options', { web_search_options: {} }],
    ['min_p', { min_p: 0.1 }],
    ['response_format', { response_format: { type: 'json_object' } }],
    ['response_format', { response_format: { type: 'json_schema', json_schema: { name: 'n' } } }],
    ['tool_choice', { tool_choice: { type: 'allowed_tools', allowed_tools: {} } }],
    ['tools[1].type', { tools: [f, { type: 'custom', custom: { name: 'c' } }] }],
    ['stop', { stop: ['x', '\n'] }],
    ['messages[1].role', { messages: [...hi, { role: 'function', name: 'f', content: 'x' }] }],
    ['messages[0].function_call', { messages: [{ role: 'assistant', function_call: { name: 'f', arguments: '' } }] }],
    ['messages[0].audio', { messages: [{ role: 'assistant', audio: { id: 'a' } }] }],
    ['messages[0].tool_calls[0].type', { messages: [{ role: 'assistant', tool_calls: [{ type: 'custom', custom: {} }] }] }],
    ['messages[0].content[1].type', { messages: [{ role: 'user', content: [image, { type: 'input_audio' }] }] }],
    ['messages[0].content[0].type', { messages: [{ role: 'system', content: [image] }] }],
    [
      'messages[0].content[0].type',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/svg+xml,<svg/>' } }] }] },
    ],
  ])('is named: %s in %j', (field, chat) => {
    expect(chatOnlyField({ messages: hi, ...chat })).toBe(field)
  })

  it('is nothing where a field means nothing, or is a hint', () => {
    const nothing = { n: 1, logprobs: false, top_logprobs: 0, frequency_penalty: 0, presence_penalty: 0, logit_bias: {} }
    const hints = { seed: 1, store: false, metadata: {}, service_tier: 'auto', reasoning_effort: 'low', modalities: ['text'] }
    expect(chatOnlyField({ messages: hi, ...nothing, ...hints, audio: null })).toBeNull()
  })
})
