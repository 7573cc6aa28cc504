/** What /v1/responses and /v1/messages answer, whole and event by event, fits what their publishers' SDKs declare. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../../src/platform/package-root.js'
import {
  answersBoth,
  deltaJson,
  fakeUsage,
  playsEvents,
  streams,
  wholeJson,
  answers,
  type Scene,
} from '../../kit/fake-provider-scenes.js'
import { startChatApp, type ChatApp } from './chat-app.js'

const usage = fakeUsage(11, 3, {
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 1 },
})
const calls = [0, 1].map((index) => ({ index, id: `c${index}`, type: 'function', function: { name: 'f', arguments: '{"a":1}' } }))

/** The same message whole and streamed. */
const says =
  (message: object, finish: string): Scene =>
  (response, call) =>
    call.body['stream'] === true
      ? playsEvents([deltaJson({ role: 'assistant', ...message }), deltaJson({}, finish, { usage })])(response, call)
      : answers(
          wholeJson('', usage, {
            choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: finish }],
          }),
        )(response, call)

const SCENES = {
  text: answersBoth({ pieces: ['Hel', 'lo'], usageObject: usage }),
  uncounted: answersBoth({ pieces: ['Hel', 'lo'], usage: 'none' }),
  calls: says({ content: 'Both:', tool_calls: calls }, 'tool_calls'),
  refusal: says({ refusal: 'No.' }, 'stop'),
  long: says({ content: 'So long' }, 'length'),
  filtered: says({ content: 'So' }, 'content_filter'),
  empty: says({ content: '' }, 'stop'),
  code: says({ content: '```python\nimport os\nos.system(input())\n```\n' }, 'stop'),
  cut: streams({ pieces: ['Hel', 'lo'], ending: 'reset' }),
}

let chat: ChatApp
beforeAll(async () => {
  chat = await startChatApp(SCENES)
})
afterAll(() => chat.stop())

const ajv = new Ajv({ strict: false, allErrors: true })
ajv.addSchema({
  $id: 'sdks',
  ...(JSON.parse(readFileSync(join(packageRoot, 'test', 'contract', 'chats', 'agent-schemas.json'), 'utf8')) as object),
})

/** The schema of an event is that of its type: anything else would tell of all of them. */
const schemaOf = (union: string, { type }: { readonly type: string }): string => {
  const { $defs } = ajv.getSchema('sdks')!.schema as {
    $defs: Record<string, { anyOf?: Ref[]; properties?: { type?: { const?: string } } }>
  }
  const names = ($defs[union]!.anyOf ?? followed($defs, union)).map(({ $ref }) => $ref.replace('#/$defs/', ''))
  const name = names.find((each) => $defs[each]?.properties?.type?.const === type)
  if (name === undefined) throw new Error(`No SDK declares the event ${type}.`)
  return name
}

interface Ref {
  readonly $ref: string
}

function followed($defs: Record<string, { anyOf?: Ref[] }>, name: string): readonly Ref[] {
  const { $ref } = $defs[name] as unknown as Ref
  return $defs[$ref.replace('#/$defs/', '')]!.anyOf!
}

/** `output_text` is made by OpenAI's SDK, and a usage that is not there yet is null in its API and left out in its types. */
function asDeclared(value: object): object {
  const isResponse = 'object' in value && value.object === 'response'
  if (isResponse) return { ...value, output_text: '', ...('usage' in value && value.usage === null && { usage: undefined }) }
  return 'response' in value ? { ...value, response: asDeclared(value.response as object) } : value
}

function misfits(type: string, value: unknown): string[] {
  const fits = ajv.compile({ $ref: `sdks#/$defs/${type}` })
  fits(value)
  return (fits.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

async function ask(path: string, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json', 'sluice-scan': 'all' }
  const response = await chat.app.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(response.status).toBe(200)
  return response.text()
}

const eventsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as { readonly type: string })

const tools = {
  responses: [{ type: 'function', name: 'f', parameters: {}, strict: false }],
  messages: [{ name: 'f', input_schema: { type: 'object' } }],
}
const APIS = {
  '/v1/responses': {
    body: { input: 'Hello', tools: tools.responses, metadata: { a: 'b' } },
    whole: 'ResponsesResponse',
    event: 'ResponsesEvent',
  },
  '/v1/messages': {
    body: { max_tokens: 500, messages: [{ role: 'user', content: 'Hello' }], tools: tools.messages },
    whole: 'A_MessagesMessage',
    event: 'A_MessagesEvent',
  },
}

describe.each(Object.entries(APIS))('%s', (path, { body, whole, event }) => {
  it.each(Object.keys(SCENES).filter((name) => name !== 'cut'))('answers what its SDK declares: %s', async (model) => {
    const answer = JSON.parse(await ask(path, { model, ...body })) as object
    expect(misfits(whole, asDeclared(answer))).toEqual([])
  })

  it.each(Object.keys(SCENES))('streams what its SDK declares: %s', async (model) => {
    const events = eventsOf(await ask(path, { model, ...body, stream: true }))
    expect(events.length).toBeGreaterThan(2)
    // Faults within a stream have our own codes, of which OpenAI's list knows none.
    const declared = events.filter(({ type }) => type !== 'response.failed' && type !== 'ping' && type !== 'error')
    expect(
      declared.flatMap((each) => misfits(schemaOf(event, each), asDeclared(each)).map((misfit) => `${each.type}${misfit}`)),
    ).toEqual([])
  })
})

it('what does not fit is found', () => {
  expect(misfits('A_MessagesMessage', { type: 'message' })).not.toEqual([])
  expect(misfits('ResponsesResponse', { object: 'response' })).not.toEqual([])
})
