/** What callers send to /v1, /api and the tools: what is wrong is a 400 that names the field, whichever edge it came through. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersBoth } from '../kit/fake-provider-scenes.js'
import { startChatApp, type ChatApp } from './chats/chat-app.js'
import { validatorOf } from './openapi-document.js'

let chat: ChatApp
beforeAll(async () => {
  chat = await startChatApp(
    { normal: answersBoth({ pieces: ['Hi'] }) },
    {
      limits: { small_body_bytes: 4_000, prefer_wait_seconds: 0.1, key_models: 2, key_grace_seconds: 60 },
      server: { starting_credits: '1000000' },
      compute: { drivers: [{ type: 'sandbox', boot_seconds: 300 }] },
    },
    [
      {
        id: 'cold',
        deploy: { vram_gb: 8, price_hint: '0.5', input_price_per_million: '0.1', output_price_per_million: '0.1' },
      },
    ],
  )
})
afterAll(() => chat.stop())

const post = (path: string, body: unknown) =>
  chat.app.fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

const repeated = (count: number, item: unknown) => Array.from({ length: count }, () => item)

interface OpenAiFault {
  readonly error: { readonly message: string; readonly param: string | null }
}

describe('a parameter of a query', () => {
  it.each([
    ['/v1/models?limit=0', 'limit', '"limit" is an integer from 1 to 1000.'],
    ['/v1/models?limit=1001', 'limit', '"limit" is an integer from 1 to 1000.'],
    ['/v1/models?limit=1.5', 'limit', '"limit" is an integer from 1 to 1000.'],
    ['/v1/models?limit=0x10', 'limit', '"limit" is an integer from 1 to 1000.'],
    ['/v1/models?limit=1&limit=2', 'limit', 'Give "limit" once.'],
    ['/v1/models?offset=-1', 'offset', `"offset" is an integer from 0 to ${Number.MAX_SAFE_INTEGER}.`],
    ['/v1/pricing?format=tree', 'format', '"format" is one of flat, tiers.'],
    [`/v1/pricing?model=${'m'.repeat(257)}`, 'model', '"model" is too long.'],
    ['/v1/gpu/offers?min_vram=many', 'min_vram', '"min_vram" is an integer from 0 to 100000.'],
    ['/v1/gpu/offers?max_price=-1', 'max_price', expect.stringMatching(/^"max_price" is a decimal amount such as "0.15"/)],
    ['/v1/gpu/offers?max_price=1e3', 'max_price', expect.stringMatching(/^"max_price" is a decimal amount such as "0.15"/)],
    ['/v1/gpu/rentals?status=gone', 'status', '"status" is one of provisioning, running, terminated.'],
  ])('of %s is refused by its name', async (path, param, message) => {
    const answer = await chat.app.fetch(path)
    expect(answer.status).toBe(400)
    expect(((await answer.json()) as OpenAiFault).error).toMatchObject({ param, message })
  })

  it.each([
    '/v1/models?limit=&offset=',
    '/v1/models?limit=1000&offset=999999999999999',
    '/v1/models?unknown=1&unknown=2',
    '/v1/gpu/offers?max_price=100&min_vram=0',
    '/v1/gpu/offers?max_price=0.000000001',
  ])('of %s is taken', async (path) => {
    expect((await chat.app.fetch(path)).status).toBe(200)
  })
})

describe('a field of a request for a rental', () => {
  it.each([
    [{ model_id: 'm' }, 'gpu_model', '"gpu_model" is required, such as "L4".'],
    [{ gpu_model: 4 }, 'gpu_model', '"gpu_model" is a string.'],
    [{ gpu_model: 'L4', region: {} }, 'region', '"region" is a string.'],
    [{ gpu_model: 'L4', fine_tuned: 'yes' }, 'fine_tuned', '"fine_tuned" is true or false.'],
    [{ gpu_model: 'L4', max_price_per_gpu_hour: [] }, 'max_price_per_gpu_hour', expect.stringContaining('decimal amount')],
    [{ gpu_model: 'L4', max_price_per_gpu_hour: 1e-12 }, 'max_price_per_gpu_hour', expect.stringContaining('decimal amount')],
    [{ gpu_model: 'L4', max_price_per_gpu_hour: 'x' }, 'max_price_per_gpu_hour', expect.stringContaining('decimal amount')],
    [{ gpu_model: 'L4' }, 'model_id', expect.stringContaining('one of model_id, docker_image or ssh_key')],
  ])('%j is refused by its name', async (body, param, message) => {
    const answer = await post('/v1/gpu/rent', body)
    expect(answer.status).toBe(400)
    expect(((await answer.json()) as OpenAiFault).error).toMatchObject({ param, message })
  })

  it('may be null where it may be left out, and a price may be a number', async () => {
    const nothing = { provider_id: null, region: null, model_id: null, ssh_key: null, fine_tuned: null }
    const answer = await post('/v1/gpu/rent', {
      gpu_model: 'no GPU',
      docker_image: 'a/b',
      ...nothing,
      max_price_per_gpu_hour: 0.5,
    })
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('offer_unavailable')])
  })

  it('counts towards the smaller limit of bodies', async () => {
    const answer = await post('/v1/gpu/rent', { gpu_model: 'L4', docker_image: 'x'.repeat(4_000) })
    expect(answer.status).toBe(413)
  })
})

describe('a scan', () => {
  const file = { code: '', language: 'go' }
  const cases: [path: 'scan' | 'batch-scan', body: object, field: string, message: string][] = [
    ['scan', { language: 'go' }, 'code', '"code" is required.'],
    ['scan', { code: null, language: 'go' }, 'code', '"code" is a string.'],
    ['scan', { code: '' }, 'language', '"language" is required.'],
    ['scan', { ...file, filename: 1 }, 'filename', '"filename" is a string.'],
    ['scan', { ...file, standards: 'owasp' }, 'standards', '"standards" is an array of names.'],
    ['scan', { ...file, standards: ['owasp', 1] }, 'standards[1]', '"standards[1]" is a string.'],
    ['batch-scan', {}, 'files', '"files" is an array of objects with code and language.'],
    ['batch-scan', { files: {} }, 'files', '"files" is an array of objects with code and language.'],
    ['batch-scan', { files: [file, 1] }, 'files[1]', '"files[1]" is an object with code and language.'],
    ['batch-scan', { files: [file, { language: 'go' }] }, 'files[1].code', '"files[1].code" is required.'],
  ]
  it.each(cases)('/api/%s of %j is refused in the same words as the tool', async (path, body, field, message) => {
    const answer = await post(`/api/${path}`, body)
    const fault = { error: message, code: 'INVALID_REQUEST', details: `field: ${field}` }
    expect([answer.status, await answer.json()]).toEqual([400, fault])
    const client = new Client({ name: 'test', version: '1' })
    const requestInit = { headers: { authorization: `Bearer ${chat.app.adminKey}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${chat.app.url}/mcp`), { requestInit }))
    const name = path === 'scan' ? 'scan_code' : 'batch_scan'
    const result = await client.callTool({ name, arguments: body as Record<string, unknown> })
    const [said] = result.content as { text: string }[]
    expect(JSON.parse(said!.text)).toEqual(fault)
    await client.close()
  })
})

describe('what an operator limits', () => {
  it('is how long a caller may wait for a cold model', async () => {
    const answer = await chat.app.fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'wait=3600' },
      body: JSON.stringify({ model: 'cold', messages: [{ role: 'user', content: 'Hi' }] }),
    })
    expect([answer.status, await answer.json()]).toEqual([202, expect.objectContaining({ status: 'deploying' })])
  })

  it('is how many models the list of a key has, and how long a replaced key goes on', async () => {
    const { keyId } = await chat.app.account()
    const setModels = (models: readonly string[]) =>
      chat.app.graphql('mutation ($input: SetApiKeyModelsInput!) { setApiKeyModels(input: $input) { apiKey { models } } }', {
        input: { id: keyId, models },
      })
    await setModels(['a', 'b'])
    await expect(setModels(['a', 'b', 'c'])).rejects.toThrow('A list of models has 1 to 2 ids.')
    const rotate = (graceSeconds: number) =>
      chat.app.graphql('mutation ($input: RotateApiKeyInput!) { rotateApiKey(input: $input) { secret } }', {
        input: { id: keyId, graceSeconds },
      })
    await expect(rotate(61)).rejects.toThrow('is from 0 to 60.')
    await rotate(60)
  })
})

describe('the described body of a chat completion', () => {
  const body = { model: 'normal', messages: [{ role: 'user', content: 'Hi' }] }
  const fits = validatorOf('ChatCompletionRequest')
  const values = [null, '', 'x', 'x'.repeat(257), 0, 1, 1.5, -1, -2, -3, 2, 3, 128, 129, true, {}, { type: 'text' }, { type: 1 }]
  const lists = [[], ['x'], [1], [{ type: 'x' }], [{}], repeated(16, 'x'), repeated(17, 'x'), repeated(1025, { type: 'x' })]
  const messages = [
    [{ role: 'nobody', content: 'x' }],
    [{ content: 'x' }],
    [{ role: 'user', content: null }],
    [{ role: 'user', content: 1 }],
    [{ role: 'user', content: [{ type: 'text', text: 'x' }] }],
    [{ role: 'user', content: [{}] }],
    [{ role: 'assistant' }],
    repeated(4097, { role: 'user', content: 'x' }),
  ]
  const { properties } = fits.schema
  const cases = [
    ...Object.keys(properties).flatMap((name) => [...values, ...lists].map((value) => ({ ...body, [name]: value }))),
    ...messages.map((list) => ({ ...body, messages: list })),
    { ...body, stream_options: { include_usage: 1 } },
    { messages: body.messages },
    { model: body.model },
  ]

  it('is what the domain takes, at every bound of every field', async () => {
    const named = (request: object) => JSON.stringify(request).slice(0, 200)
    for (const request of cases) {
      const answer = await post('/v1/chat/completions', request)
      await answer.arrayBuffer()
      expect({ request: named(request), isTaken: answer.status !== 400 }).toEqual({
        request: named(request),
        isTaken: fits(request),
      })
    }
  })
})
