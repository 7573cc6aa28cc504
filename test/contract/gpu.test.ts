/** GPU offers, rentals and cold models through HTTP, on the sandbox driver with real child processes. */
import OpenAI from 'openai'
import { createClient } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestAccount, type TestApp } from '../kit/app.js'
import { nano } from './chats/chat-app.js'

let app: TestApp
let rich: TestAccount
const json = { 'content-type': 'application/json' }
const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJdD7y3aLq454yWBdwLWbieU1ebz9/cu7/QEXn9OIeZJ me@example.com'

const cold = (id: string) => ({
  id,
  owned_by: 'test',
  context_window: 8192,
  max_output_tokens: 100,
  deploy: {
    gpu_model: 'L4',
    vram_gb: 24,
    estimated_seconds: 300,
    input_price_per_million: '0.001',
    output_price_per_million: '0.002',
  },
})

beforeAll(async () => {
  app = await startTestApp({
    config: {
      models: ['rented', 'cold-202', 'cold-wait', 'cold-stream', 'cold-retry', 'cold-poor', 'cold-many'].map(cold),
      compute: { drivers: [{ type: 'sandbox', boot_seconds: 0.6, tokens_per_second: 5_000 }] },
    },
  })
  rich = await app.account({ credits: '100' })
})
afterAll(() => app[Symbol.asyncDispose]())

type Json = Record<string, unknown>

async function call(method: string, path: string, body?: unknown, key = rich.key, headers: Record<string, string> = {}) {
  const response = await app.fetch(path, {
    method,
    key,
    headers: { ...json, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json }
}

const statusOf = async (id: unknown, key = rich.key) =>
  (await call('GET', `/v1/gpu/rentals/${String(id)}`, undefined, key)).body['status']

describe('GET /v1/gpu/offers', () => {
  it('has every field of the contract, cheapest first', async () => {
    const { status, body } = await call('GET', '/v1/gpu/offers')
    expect(status).toBe(200)
    const data = body['data'] as Json[]
    expect(body).toMatchObject({ object: 'list', count: data.length })
    expect(data.length).toBeGreaterThan(50)
    for (const offer of data) {
      expect(offer).toMatchObject({
        gpu_model: expect.any(String) as string,
        vram_gb: expect.any(Number) as number,
        provider_id: expect.stringMatching(/^[a-z0-9-]+$/) as string,
        region: expect.any(String) as string,
        price_per_gpu_hour: expect.stringMatching(/^\d+\.\d{2,9}$/) as string,
        interruption_probability: expect.any(Number) as number,
        spot: expect.any(Boolean) as boolean,
        fetched_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      })
      expect(Number.isInteger(offer['vram_gb'])).toBe(true)
    }
    const prices = data.map((offer) => nano(offer['price_per_gpu_hour'] as string))
    expect(prices).toEqual(prices.toSorted((a, b) => a - b))
  })

  it('stacks its filters, and compares prices as numbers', async () => {
    const all = (await call('GET', '/v1/gpu/offers')).body['data'] as Json[]
    const provider = all.find((offer) => offer['gpu_model'] === 'L4')!['provider_id'] as string
    const { body } = await call('GET', `/v1/gpu/offers?gpu_model=L4&provider=${provider}&min_vram=24&max_price=10.5`)
    const expected = all.filter(
      (offer) =>
        offer['gpu_model'] === 'L4' &&
        offer['provider_id'] === provider &&
        Number(offer['vram_gb']) >= 24 &&
        Number(offer['price_per_gpu_hour']) <= 10.5,
    )
    expect(body['data']).toEqual(expected)
    expect(expected.length).toBeGreaterThan(0)
    expect((await call('GET', '/v1/gpu/offers?max_price=0.0001')).body).toMatchObject({ count: 0, data: [] })
  })

  it.each([
    ['min_vram=lots', 'min_vram'],
    ['min_vram=-1', 'min_vram'],
    ['max_price=cheap', 'max_price'],
    ['max_price=NaN', 'max_price'],
    ['max_price=1&max_price=2', 'max_price'],
  ])('refuses %s', async (query, param) => {
    const { status, body } = await call('GET', `/v1/gpu/offers?${query}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { type: 'invalid_request_error', param } })
  })
})

describe('POST /v1/gpu/rent', () => {
  it('answers 201 provisioning with a hold, runs, is billed for the time used, and ends with DELETE', async () => {
    const { key } = await app.account({ credits: '10' })
    const rented = await call(
      'POST',
      '/v1/gpu/rent',
      { gpu_model: 'L4', model_id: 'rented', ssh_key: SSH_KEY, fine_tuned: true },
      key,
    )
    expect(rented.status).toBe(201)
    expect(rented.body).toMatchObject({
      status: 'provisioning',
      gpu_model: 'L4',
      model_id: 'rented',
      fine_tuned: true,
      terminated_at: null,
    })
    const id = rented.body['rental_id']
    expect(id).toMatch(/^rent_/)
    expect(nano((await app.credits(key)).held)).toBe(nano(rented.body['hold'] as string))
    await expect.poll(() => statusOf(id, key), { timeout: 15_000 }).toBe('running')
    const running = (await call('GET', `/v1/gpu/rentals/${String(id)}`, undefined, key)).body
    const served = await fetch(`${String(running['endpoint'])}/models`, {
      headers: { authorization: `Bearer ${String(running['endpoint_key'])}` },
    })
    expect(served.status).toBe(200)
    const ended = await call('DELETE', `/v1/gpu/rentals/${String(id)}`, undefined, key)
    expect(ended.status).toBe(200)
    expect(ended.body).toMatchObject({ rental_id: id, status: 'terminated', termination_reason: 'user', endpoint: null })
    const again = await call('DELETE', `/v1/gpu/rentals/${String(id)}`, undefined, key)
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({ status: 'terminated', cost: ended.body['cost'] })
    const credits = await app.credits(key)
    expect(credits.held).toBe('0.00')
    expect(nano(credits.balance)).toBe(10e9 - nano(ended.body['cost'] as string))
    const listed = await call('GET', '/v1/gpu/rentals?status=terminated', undefined, key)
    expect(listed.body).toMatchObject({ object: 'list', count: 1, data: [{ rental_id: id }] })
    await expect
      .poll(
        async () =>
          fetch(`${String(running['endpoint'])}/models`).then(
            () => 'up',
            () => 'gone',
          ),
        { timeout: 10_000 },
      )
      .toBe('gone')
  })

  it('keeps the label that it was given, and none where none was given', async () => {
    const { key } = await app.account({ credits: '10' })
    const label = `${'x'.repeat(98)} 🚀`
    const named = await call('POST', '/v1/gpu/rent', { gpu_model: 'L4', ssh_key: SSH_KEY, label }, key)
    expect(named).toMatchObject({ status: 201, body: { label } })
    const nameless = await call('POST', '/v1/gpu/rent', { gpu_model: 'L4', ssh_key: SSH_KEY }, key)
    expect(nameless.body).toMatchObject({ label: null })
    const { rental_id: id } = named.body
    expect(await call('GET', `/v1/gpu/rentals/${String(id)}`, undefined, key)).toMatchObject({ body: { label } })
    const list = (await call('GET', '/v1/gpu/rentals', undefined, key)).body['data'] as Json[]
    expect(new Set(list.map((rental) => rental['label']))).toEqual(new Set([label, null]))
    const shown = await app.graphql<{ rental: Json }>('query ($id: ID!) { rental(id: $id) { label } }', { id }, key)
    expect(shown.rental).toEqual({ label })
    for (const rental of list) await call('DELETE', `/v1/gpu/rentals/${String(rental['rental_id'])}`, undefined, key)
  })

  it('takes a GPU that may be taken away, or one that may not, as is asked', async () => {
    const { key } = await app.account({ credits: '10' })
    for (const spot of [true, false]) {
      const { body } = await call('POST', '/v1/gpu/rent', { gpu_model: 'L4', ssh_key: SSH_KEY, spot }, key)
      expect(body['spot']).toBe(spot)
      await call('DELETE', `/v1/gpu/rentals/${String(body['rental_id'])}`, undefined, key)
    }
  })

  it('that is terminated while provisioning costs nothing', async () => {
    const { key } = await app.account({ credits: '10' })
    const { body } = await call('POST', '/v1/gpu/rent', { gpu_model: 'L4', docker_image: 'vllm/vllm-openai:v0.11.0' }, key)
    const ended = await call('DELETE', `/v1/gpu/rentals/${String(body['rental_id'])}`, undefined, key)
    expect(ended.body).toMatchObject({ status: 'terminated', cost: '0.00' })
    expect(await app.credits(key)).toMatchObject({ balance: '10.00', held: '0.00' })
  })

  it('ten times at once with the same Idempotency-Key answers ten times the one rental, and refuses another body under it', async () => {
    const { key } = await app.account({ credits: '10' })
    const body = { gpu_model: 'L4', ssh_key: SSH_KEY }
    const send = (request: object) => call('POST', '/v1/gpu/rent', request, key, { 'idempotency-key': 'order-1' })
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(body)))
    answers.push(await send(body))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    const rented = answers[0]!.body
    // What the machine does may move on between two answers; which rental it is does not.
    for (const answer of answers) expect(answer.body).toMatchObject({ rental_id: rented['rental_id'], hold: rented['hold'] })
    expect((await call('GET', '/v1/gpu/rentals', undefined, key)).body).toMatchObject({ count: 1 })
    const other = await send({ ...body, gpu_model: 'T4' })
    expect(other.status).toBe(409)
    expect(other.body).toMatchObject({ error: { code: 'idempotency_conflict' } })
    await call('DELETE', `/v1/gpu/rentals/${String(rented['rental_id'])}`, undefined, key)
  })

  it('that is refused is refused to everybody with its Idempotency-Key, and goes through with it once there are credits', async () => {
    const { id, key } = await app.account({ credits: '0.01' })
    const send = () => call('POST', '/v1/gpu/rent', { gpu_model: 'L4', ssh_key: SSH_KEY }, key, { 'idempotency-key': 'order-2' })
    const refused = await Promise.all([send(), send(), send()])
    expect(refused.map(({ status }) => status)).toEqual([402, 402, 402])
    const topUp =
      'mutation ($id: ID!) { addCredits(input: { accountId: $id, amount: "10", idempotencyKey: "k" }) { entry { id } } }'
    await app.graphql(topUp, { id })
    const rented = await Promise.all([send(), send(), send()])
    expect(new Set(rented.map(({ body }) => body['rental_id'])).size).toBe(1)
    expect(rented.map(({ status }) => status)).toEqual([201, 201, 201])
    await call('DELETE', `/v1/gpu/rentals/${String(rented[0].body['rental_id'])}`, undefined, key)
  })

  it('without credits for the minimum session is a 402 that tells the live balance', async () => {
    const { key } = await app.account({ credits: '0.01' })
    const { status, body } = await call('POST', '/v1/gpu/rent', { gpu_model: 'L4', ssh_key: SSH_KEY }, key)
    expect(status).toBe(402)
    expect(body).toMatchObject({ error: { type: 'insufficient_credits', message: expect.stringContaining('0.01') as string } })
  })

  it.each([
    ['no gpu_model', { ssh_key: SSH_KEY }, 400, 'gpu_model'],
    ['no purpose', { gpu_model: 'L4' }, 400, 'model_id'],
    ['a key with a second line', { gpu_model: 'L4', ssh_key: `${SSH_KEY}\nssh-rsa AAAA` }, 400, 'ssh_key'],
    ['a label of two lines', { gpu_model: 'L4', ssh_key: SSH_KEY, label: 'night\nly' }, 400, 'label'],
    ['a label of 101 characters', { gpu_model: 'L4', ssh_key: SSH_KEY, label: 'x'.repeat(101) }, 400, 'label'],
    ['a label of spaces', { gpu_model: 'L4', ssh_key: SSH_KEY, label: ' ' }, 400, 'label'],
    ['a label that is a number', { gpu_model: 'L4', ssh_key: SSH_KEY, label: 7 }, 400, 'label'],
    ['a key that is none', { gpu_model: 'L4', ssh_key: 'hello' }, 400, 'ssh_key'],
    ['an image with a shell in it', { gpu_model: 'L4', docker_image: 'x; rm -rf /' }, 400, 'docker_image'],
    ['spot as text', { gpu_model: 'L4', ssh_key: SSH_KEY, spot: 'no' }, 400, 'spot'],
    ['fine_tuned as text', { gpu_model: 'L4', model_id: 'm', fine_tuned: 'yes' }, 400, 'fine_tuned'],
    ['a price as a word', { gpu_model: 'L4', model_id: 'm', max_price_per_gpu_hour: 'low' }, 400, 'max_price_per_gpu_hour'],
    ['gpu_model as a number', { gpu_model: 4, model_id: 'm' }, 400, 'gpu_model'],
  ])('with %s names the field', async (_, body, status, param) => {
    const answer = await call('POST', '/v1/gpu/rent', body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ error: { type: 'invalid_request_error', param } })
  })

  it('for a GPU that nobody offers, or not at the price, is a 409 offer_unavailable', async () => {
    for (const body of [
      { gpu_model: 'Z80', ssh_key: SSH_KEY },
      { gpu_model: 'H100', ssh_key: SSH_KEY, max_price_per_gpu_hour: '0.01' },
    ]) {
      const answer = await call('POST', '/v1/gpu/rent', body)
      expect(answer.status).toBe(409)
      expect(answer.body).toMatchObject({ error: { code: 'offer_unavailable' } })
    }
  })

  it("shows nothing of another account's rental, and nothing without a key or the scope", async () => {
    const { body } = await call('POST', '/v1/gpu/rent', { gpu_model: 'L4', ssh_key: SSH_KEY })
    const other = await app.account({ credits: '1' })
    for (const method of ['GET', 'DELETE']) {
      const answer = await call(method, `/v1/gpu/rentals/${String(body['rental_id'])}`, undefined, other.key)
      expect(answer.status).toBe(404)
      expect(answer.body).toMatchObject({ error: { type: 'not_found_error', code: 'rental_not_found' } })
    }
    expect((await app.fetch('/v1/gpu/offers', { key: null })).status).toBe(401)
    await call('DELETE', `/v1/gpu/rentals/${String(body['rental_id'])}`)
  })
})

describe('the subscription rentalStatus', () => {
  it('replays the stored state, follows every change, and ends with the rental', async () => {
    const { body } = await call('POST', '/v1/gpu/rent', { gpu_model: 'L4', model_id: 'rented' })
    const client = createClient({ url: `${app.url}/graphql`, headers: { authorization: `Bearer ${rich.key}` }, retryAttempts: 0 })
    const seen: string[] = []
    for await (const { data, errors } of client.iterate<{ rentalStatus: { status: string } }>({
      query: 'subscription ($id: ID!) { rentalStatus(id: $id) { status phase } }',
      variables: { id: body['rental_id'] },
    })) {
      expect(errors).toBeUndefined()
      const { status } = data!.rentalStatus
      if (seen.at(-1) !== status) seen.push(status)
      if (status === 'RUNNING' && seen.length === 2) void call('DELETE', `/v1/gpu/rentals/${String(body['rental_id'])}`)
    }
    expect(seen).toEqual(['PROVISIONING', 'RUNNING', 'TERMINATED'])
    client.dispose()
  })
})

describe('a chat for a cold model', () => {
  const chat = (model: string, more: object = {}, headers: Record<string, string> = {}, key = rich.key) =>
    call(
      'POST',
      '/v1/chat/completions',
      { model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 8, ...more },
      key,
      headers,
    )
  const entry = async (model: string) => (await call('GET', `/v1/models/${model}`)).body

  it("answers 202 with the contract's body, once for all callers, and 200 when the model is up", async () => {
    expect(await entry('cold-202')).toMatchObject({ availability: 'cold' })
    const first = await chat('cold-202')
    expect(first.status).toBe(202)
    expect(first.body).toEqual({
      status: 'deploying',
      message: expect.any(String) as string,
      model: 'cold-202',
      type: 'model_deploying',
      estimated_ready_seconds: 1,
      already_queued: false,
      deployment_status: expect.stringMatching(/^(requested|provisioning|loading)$/) as string,
      deployment_provider: expect.stringMatching(/^[a-z0-9-]+$/) as string,
    })
    const retryAfter = Number(first.headers.get('retry-after'))
    expect(retryAfter).toBeGreaterThanOrEqual(5)
    expect(retryAfter).toBeLessThanOrEqual(600)
    expect(nano((await app.credits(rich.key)).held)).toBeGreaterThan(0)
    const second = await chat('cold-202', {}, {}, app.adminKey)
    expect(second.body).toMatchObject({ already_queued: true })
    // Another server than the one that began it hears of it within a moment.
    await expect
      .poll(() => entry('cold-202'), { timeout: 1_000 })
      .toMatchObject({
        availability: 'deploying',
        estimated_deploy_seconds: expect.any(Number) as number,
        estimated_cost_per_hour: expect.any(Number) as number,
      })
    await expect.poll(async () => (await chat('cold-202')).status, { timeout: 15_000 }).toBe(200)
    // The chat may have been answered by another server than the one that lists it.
    await expect
      .poll(() => entry('cold-202'), { timeout: 1_000 })
      .toMatchObject({ availability: 'instant', provider_count: 1, providers: [first.body['deployment_provider']] })
  })

  it('starts one session however many ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => chat('cold-many')))
    expect(answers.filter(({ status }) => status !== 202)).toEqual([])
    expect(answers.filter(({ body }) => body['already_queued'] === false)).toHaveLength(1)
  })

  it('with Prefer: wait=N holds the connection and answers 200', async () => {
    const { status, body } = await chat('cold-wait', {}, { prefer: 'respond-async, wait=30' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ object: 'chat.completion', model: 'cold-wait' })
    const late = await chat('cold-wait', { stream: false }, { prefer: 'wait=1' })
    expect(late.status).toBe(200)
  })

  it('with Prefer: wait=N streams when the model is up', async () => {
    const client = new OpenAI({
      baseURL: `${app.url}/v1`,
      apiKey: rich.key,
      maxRetries: 0,
      defaultHeaders: { prefer: 'wait=30' },
    })
    const stream = await client.chat.completions.create({
      model: 'cold-stream',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
    })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text.length).toBeGreaterThan(0)
  })

  it('in retry mode is a 503 that the official SDK retries until the model answers', async () => {
    const account = await app.account({ credits: '10' })
    await app.graphql('mutation ($id: ID!) { updateAccount(input: { id: $id, coldStartMode: RETRY }) { account { id } } }', {
      id: account.id,
    })
    const refused = await chat('cold-retry', {}, {}, account.key)
    expect(refused.status).toBe(503)
    expect(refused.body).toMatchObject({ error: { type: 'model_deploying' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(5)
    const client = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: account.key, maxRetries: 5 })
    const answer = await client.chat.completions.create({ model: 'cold-retry', messages: [{ role: 'user', content: 'Hello' }] })
    expect(answer.choices[0]?.message.content).not.toBe('')
  })

  it('without credits for the minimum session is a 402 with the live balance, and the model stays cold', async () => {
    const { key } = await app.account({ credits: '0.011' })
    const { status, body } = await chat('cold-poor', {}, {}, key)
    expect(status).toBe(402)
    expect(body).toMatchObject({ error: { type: 'insufficient_credits', message: expect.stringContaining('0.011') as string } })
    expect(await entry('cold-poor')).toMatchObject({ availability: 'cold' })
  })
})
