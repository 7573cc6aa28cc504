/** Webhooks through the graph: for administrators, with what a server does and how it is set up. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestApp, type TestAccount, type TestApp } from '../kit/app.js'
import { webhookReceiver, type Received, type WebhookReceiver } from '../kit/webhook-receiver.js'

let app: TestApp
let account: TestAccount
let receiver: WebhookReceiver

const CREATE = `mutation ($input: CreateWebhookInput!) {
  createWebhook(input: $input) { secret webhook { id name url types offSince offBecause } }
}`

/** Without a price. */
const waits = {
  id: 'waits',
  owned_by: 'test',
  context_window: 8192,
  max_output_tokens: 100,
  deployments: [{ provider: 'p1', model_id: 'waits' }],
}

/** At a provider where nobody listens. */
const dead = {
  ...waits,
  id: 'dead',
  deployments: [{ provider: 'p1', model_id: 'dead', input_price_per_million: '1', output_price_per_million: '1' }],
}

const chat = (model: string, key: string) =>
  app.fetch('/v1/chat/completions', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 10 }),
  })

interface Created {
  readonly createWebhook: { readonly secret: string; readonly webhook: { readonly id: string } }
}

beforeAll(async () => {
  app = await startTestApp({
    config: {
      webhooks: { allow_networks: ['127.0.0.0/8'], allow_http: true, most: 4 },
      providers: [{ id: 'p1', base_url: 'http://127.0.0.1:9/v1', api_key: 'x' }],
      models: [waits, dead],
      pricing: { health_interval_seconds: 1 },
      compute: { drivers: [{ type: 'sandbox', boot_seconds: 0.2 }] },
    },
  })
  account = await app.account({ credits: '100' })
  receiver = await webhookReceiver()
  const { createWebhook } = await app.graphql<Created>(CREATE, { input: { url: receiver.url } })
  receiver.secret = createWebhook.secret
})
afterAll(async () => {
  await receiver[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

const of = (subject: string): Received[] => receiver.taken.filter(({ data }) => Object.values(data).includes(subject))

const told = (subject: string, types: readonly string[]) =>
  vi.waitFor(() => expect(of(subject).map(({ type }) => type)).toEqual(types), { timeout: 30_000, interval: 20 })

describe('a receiver is told', () => {
  it('of keys that are made and revoked, without their secrets', async () => {
    const { createApiKey } = await app.graphql<{ createApiKey: { secret: string; apiKey: { id: string } } }>(
      'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret apiKey { id } } }',
      { input: { accountId: account.id, name: 'ci', scopes: ['CHAT', 'SCAN'] } },
    )
    const { id } = createApiKey.apiKey
    for (let times = 0; times < 2; times++) {
      await app.graphql('mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { apiKey { id } } }', {
        input: { id },
      })
    }
    await told(id, ['key.created', 'key.revoked'])
    expect(of(id)[0]!.data).toEqual({ keyId: id, accountId: account.id, name: 'ci', scopes: 'chat,scan' })
    expect(JSON.stringify(receiver.attempts)).not.toContain(createApiKey.secret.split('_')[2])
  })

  it('of every status of a rental, in their order', async () => {
    const rented = await app.fetch('/v1/gpu/rent', {
      method: 'POST',
      key: account.key,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ gpu_model: 'L4', provider: 'sandbox', docker_image: 'x/y:1' }),
    })
    expect(rented.status).toBe(201)
    const { rental_id: id } = (await rented.json()) as { rental_id: string }
    await told(id, ['rental.provisioning', 'rental.running'])
    await app.fetch(`/v1/gpu/rentals/${id}`, { method: 'DELETE', key: account.key })
    await told(id, ['rental.provisioning', 'rental.running', 'rental.terminated'])
    const [first, , last] = of(id)
    expect(first!.data).toMatchObject({ accountId: account.id, status: 'provisioning', gpuModel: 'L4', gpuCount: 1, cost: null })
    expect(last!.data).toMatchObject({
      status: 'terminated',
      terminationReason: 'user',
      cost: expect.stringMatching(/^\d/) as string,
    })
  })

  it('of prices that come into force', async () => {
    await app.graphql('mutation ($input: SetPriceInput!) { setPrice(input: $input) { price { deploymentId } } }', {
      input: { deploymentId: 'waits@p1', inputPerMillion: '0.25', outputPerMillion: '1' },
    })
    await told('waits@p1', ['price.changed'])
    expect(of('waits@p1')[0]!.data).toEqual({
      modelId: 'waits',
      providerId: 'p1',
      deploymentId: 'waits@p1',
      origin: 'administrator',
      inputPerMillion: '0.25',
      outputPerMillion: '1.00',
      cachedInputPerMillion: null,
      reason: null,
    })
  })

  it('of a provider that does not answer', async () => {
    // Enough for each of several servers to give it up.
    for (let times = 0; times < 12; times++) await chat('dead', account.key)
    await told('p1', ['price.changed', 'provider.down'])
    expect(of('p1')[1]!.data).toEqual({ providerId: 'p1', deployments: 2, failing: 1 })
  })

  it('of a cap that has no room', async () => {
    const capped = await app.account({ credits: '100', monthlyCap: '0.000001' })
    expect((await chat('dead', capped.key)).status).toBe(402)
    await vi.waitFor(() => expect(of(capped.id).map(({ type }) => type)).toContain('cap.reached'), { timeout: 30_000 })
    expect(of(capped.id).find(({ type }) => type === 'cap.reached')!.data).toMatchObject({
      keyId: null,
      percent: 100,
      spent: '0.00',
    })
  })

  it('nothing that is forged', () => expect(receiver.forged).toEqual([]))
})

describe('webhooks in the graph', () => {
  it('exist for administrators only', async () => {
    for (const [source, variables] of [
      [CREATE, { input: { url: receiver.url } }],
      ['{ webhooks { nodes { id } } }', {}],
      ['{ webhook(id: "whk_none") { id } }', {}],
      ['mutation { testWebhook(input: { id: "whk_none" }) { isDelivered } }', {}],
      ['mutation { replayWebhook(input: { id: "whk_none" }) { replayed } }', {}],
      ['mutation { setWebhookEnabled(input: { id: "whk_none", isEnabled: true }) { webhook { id } } }', {}],
      ['mutation { rotateWebhookSecret(input: { id: "whk_none" }) { secret } }', {}],
      ['mutation { removeWebhook(input: { id: "whk_none" }) { id } }', {}],
    ] as const) {
      await expect(app.graphql(source, variables, account.key)).rejects.toThrow('insufficient_scope')
    }
  })

  it('show what was sent, and never a secret', async () => {
    const answer = await app.graphql<{ webhooks: { nodes: { deliveries: { nodes: { state: string }[] } }[] } }>(
      `{ webhooks { nodes { id name url types createdAt offSince deliveries(first: 5) { totalCount nodes {
        id type subject data occurredAt state attempts attemptedAt answered failure } } } } }`,
    )
    expect(answer.webhooks.nodes[0]!.deliveries.nodes[0]).toMatchObject({ attempts: 1, answered: 204, failure: null })
    expect(JSON.stringify(answer)).not.toContain('whsec_')
  })

  it('change their secret, shown once, and say until when the old one signs too', async () => {
    const { createWebhook } = await app.graphql<Created>(CREATE, { input: { url: receiver.url, types: ['GPU_ORPHAN'] } })
    const { id } = createWebhook.webhook
    const ROTATE = `mutation ($input: RotateWebhookSecretInput!) {
      rotateWebhookSecret(input: $input) { secret webhook { id earlierSecretUntil } } }`
    const { rotateWebhookSecret: made } = await app.graphql<{
      rotateWebhookSecret: { secret: string; webhook: { id: string; earlierSecretUntil: string } }
    }>(ROTATE, { input: { id, graceSeconds: 600 } })
    expect(made.secret).toMatch(/^whsec_/)
    expect(made.secret).not.toBe(createWebhook.secret)
    expect(Date.parse(made.webhook.earlierSecretUntil)).toBeGreaterThan(Date.now())
    await expect(app.graphql(ROTATE, { input: { id, graceSeconds: -1 } })).rejects.toThrow('"param":"graceSeconds"')
    await app.graphql('mutation ($id: ID!) { removeWebhook(input: { id: $id }) { id } }', { id })
  })

  it('send a test message when they are asked to, and say what came of it', async () => {
    const { createWebhook } = await app.graphql<Created>(CREATE, { input: { url: receiver.url, types: ['GPU_ORPHAN'] } })
    const input = { id: createWebhook.webhook.id }
    const TEST = 'mutation ($input: TestWebhookInput!) { testWebhook(input: $input) { isDelivered answered failure } }'
    // Signed with another secret than the receiver's.
    expect(await app.graphql(TEST, { input })).toEqual({
      testWebhook: { isDelivered: false, answered: 400, failure: 'the receiver answered 400' },
    })
    const [before, wrong] = [receiver.secret, receiver.forged.length]
    receiver.secret = createWebhook.secret
    expect(await app.graphql(TEST, { input })).toEqual({ testWebhook: { isDelivered: true, answered: 204, failure: null } })
    receiver.secret = before
    expect(receiver.taken.at(-1)).toMatchObject({ type: 'webhook.test', data: { webhookId: input.id } })
    receiver.forged.splice(wrong - 1)
    await app.graphql('mutation ($input: RemoveWebhookInput!) { removeWebhook(input: $input) { id } }', { input })
  })

  it.each([
    [{ url: 'https://10.0.0.1/hook' }, 'url'],
    [{ url: 'https://[::ffff:192.168.0.1]/' }, 'url'],
    [{ url: 'nonsense' }, 'url'],
    [{ url: 'https://example.com/', name: '' }, 'name'],
    [{ url: 'https://example.com/', types: [] }, 'types'],
  ])('refuse %j and name the field', async (input, param) => {
    await expect(app.graphql(CREATE, { input })).rejects.toThrow(`"param":"${param}"`)
  })

  it('are limited in number', async () => {
    const add = () => app.graphql<Created>(CREATE, { input: { url: 'https://example.com/hook', types: ['GPU_ORPHAN'] } })
    const made = [await add(), await add(), await add()]
    await expect(add()).rejects.toThrow('webhooks.most')
    for (const { createWebhook } of made) {
      await app.graphql('mutation ($id: ID!) { removeWebhook(input: { id: $id }) { id } }', { id: createWebhook.webhook.id })
    }
  })
})
