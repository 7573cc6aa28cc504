/** Subscriptions through graphql-sse's own client: every change of money is told, and whoever comes back sees what was. */
import { createClient, type Client } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { usage } from '../accounts/ledger/kit/ledger-kit.js'
import { startTestApp, type TestApp } from '../kit/app.js'

let app: TestApp
const clients: Client[] = []

beforeAll(async () => {
  app = await startTestApp({ config: { compute: { drivers: [{ type: 'sandbox', boot_seconds: 0.4 }] } } })
})
afterAll(async () => {
  for (const client of clients) client.dispose()
  await app[Symbol.asyncDispose]()
})

function subscribe<T>(query: string, variables: Record<string, unknown>, key: string) {
  const client = createClient({ url: `${app.url}/graphql`, headers: { authorization: `Bearer ${key}` }, retryAttempts: 0 })
  clients.push(client)
  return client.iterate<T>({ query, variables })
}

interface Money {
  readonly balance: string
  readonly held: string
  readonly available: string
  readonly monthlyCap: string | null
}

describe('creditBalance', () => {
  it('tells of every change: a top-up, a cap, the hold of a rental and its end, a swept hold', async () => {
    const { id, key } = await app.account({ credits: '10' })
    const query = 'subscription { creditBalance { balance held available monthlyCap } }'
    const events = subscribe<{ creditBalance: Money }>(query, {}, key)
    /** The next states until one fits: changes in one moment may be told together. */
    const until = async (isIt: (money: Money) => boolean): Promise<Money> => {
      for (;;) {
        const { value, done } = await events.next()
        expect([done, value?.errors]).toEqual([false, undefined])
        if (value?.data && isIt(value.data.creditBalance)) return value.data.creditBalance
      }
    }
    await until(({ balance }) => balance === '10.00')

    await app.graphql(
      'mutation ($id: ID!) { addCredits(input: { accountId: $id, amount: "5", idempotencyKey: "k" }) { entry { id } } }',
      { id },
    )
    await until(({ balance }) => balance === '15.00')

    await app.graphql('mutation ($id: ID!) { updateAccount(input: { id: $id, monthlyCap: "3" }) { account { id } } }', { id })
    expect(await until(({ monthlyCap }) => monthlyCap === '3.00')).toMatchObject({ available: '3.00' })

    const image = { gpuModel: 'L4', dockerImage: 'busybox' }
    const rent = 'mutation ($input: RentGpuInput!) { rentGpu(input: $input) { rental { id } } }'
    const { rentGpu } = await app.graphql<{ rentGpu: { rental: { id: string } } }>(rent, { input: image }, key)
    await until(({ held }) => held !== '0.00')
    await app.graphql(
      'mutation ($id: ID!) { terminateRental(input: { id: $id }) { rental { id } } }',
      { id: rentGpu.rental.id },
      key,
    )
    await until(({ held }) => held === '0.00')

    const { ledger } = app.server.app
    // It has outlived its time, wherever it is kept; where holds are rows, its owner counts as dead besides.
    await ledger.reserve({ holdId: 'gone', accountId: id, amount: 1_000_000n, purpose: 'chat', expiresAt: Date.now() - 1_000 })
    await until(({ held }) => held === '0.001')
    await ledger.sweep({ deadOwners: [ledger.ownerId] })
    await until(({ held }) => held === '0.00')
    await events.return?.()
  })
})

describe('events as parts of multipart/mixed', () => {
  const accept = 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/graphql-response+json'
  const ask = (query: string, key: string, signal?: AbortSignal) =>
    fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { accept, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
      signal: signal ?? null,
    })

  it('are there as they come, and a mistake is an answer', async () => {
    const { id, key } = await app.account({ credits: '10' })
    const leaving = new AbortController()
    const response = await ask('subscription { creditBalance { balance } }', key, leaving.signal)
    expect(response.headers.get('content-type')).toBe('multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"')
    const text = response.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
    let read = ''
    const until = async (balance: string) => {
      const part = { payload: { data: { creditBalance: { balance } } } }
      const whole = `\r\n--graphql\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(part)}\r\n--graphql`
      while (!read.endsWith(whole)) read += (await text.next()).value!
    }
    await until('10.00')
    await app.graphql(
      'mutation ($id: ID!) { addCredits(input: { accountId: $id, amount: "5", idempotencyKey: "k" }) { entry { id } } }',
      { id },
    )
    await until('15.00')
    leaving.abort()

    const wrong = await ask('subscription { creditBalance { balances } }', key)
    expect([wrong.status, wrong.headers.get('content-type')]).toEqual([400, expect.stringContaining('graphql-response+json')])
    const query = await ask('{ viewer { id } }', key)
    expect(await query.json()).toMatchObject({ data: { viewer: { id } } })
  })
})

describe('rentalStatus', () => {
  it('shows whoever comes back every change since, each as it was then', async () => {
    const { key } = await app.account({ credits: '10' })
    const rent = 'mutation ($input: RentGpuInput!) { rentGpu(input: $input) { rental { id } } }'
    const image = { gpuModel: 'L4', dockerImage: 'busybox' }
    const { rentGpu } = await app.graphql<{ rentGpu: { rental: { id: string } } }>(rent, { input: image }, key)
    const fields =
      'sequence status phase cost hold sshHost startedAt terminatedAt terminationReason estimatedReadySeconds changedAt'
    const query = `subscription ($id: ID!, $after: Int) { rentalStatus(id: $id, after: $after) { ${fields} } }`
    type Update = { rentalStatus: Record<string, unknown> }

    const live: Record<string, unknown>[] = []
    for await (const { data, errors } of subscribe<Update>(query, { id: rentGpu.rental.id }, key)) {
      expect(errors).toBeUndefined()
      live.push(data!.rentalStatus)
      if (live.at(-1)!['phase'] !== 'RUNNING') continue
      await app.graphql(
        'mutation ($id: ID!) { terminateRental(input: { id: $id }) { rental { id } } }',
        { id: rentGpu.rental.id },
        key,
      )
    }
    const told = live.filter(({ sequence }) => sequence !== null)
    expect(told.map(({ phase }) => phase)).toContain('BOOTING')
    expect(told.at(-1)).toMatchObject({ status: 'TERMINATED', phase: 'TERMINATED' })
    const times = told.map(({ changedAt }) => String(changedAt))
    expect(times).toEqual(times.filter((time) => time.startsWith('20')).toSorted())

    const replayed: Record<string, unknown>[] = []
    for await (const { data } of subscribe<Update>(query, { id: rentGpu.rental.id, after: told[0]!['sequence'] }, key)) {
      replayed.push(data!.rentalStatus)
    }
    expect(replayed).toEqual(told.slice(1))

    // Who has seen the end already is told how it ended, and no more.
    const after = told.at(-1)!['sequence']
    const seen: unknown[] = []
    for await (const { data } of subscribe<Update>(query, { id: rentGpu.rental.id, after }, key))
      seen.push(data!.rentalStatus['status'])
    expect(seen).toEqual(['TERMINATED'])
  })
})

describe('usageRecorded', () => {
  it('tells what each request of the account cost as it ends, and nothing of other accounts', async () => {
    const [mine, other] = [await app.account({ credits: '10' }), await app.account({ credits: '10' })]
    type Event = { usageRecorded: { id: string; outcome: string; keyId: string } }
    const events = subscribe<Event>('subscription { usageRecorded { id outcome keyId } }', {}, mine.key)
    const next = events.next()
    const { ledger } = app.server.app
    const record = async ({ id, keyId }: { id: string; keyId: string }, holdId: string) => {
      await ledger.reserve({ holdId, accountId: id, amount: 10n, purpose: 'chat', expiresAt: Date.now() + 60_000 })
      await ledger.settle({ holdId, amount: 5n, usage: usage({ keyId }) })
    }
    // Nothing is repeated, so the first is recorded again and again until the subscription hears of one.
    let heard = false
    void next.then(() => (heard = true))
    let at = 0
    await vi.waitUntil(async () => {
      await record(other, `other-${at}`)
      await record(mine, `mine-${at++}`)
      return heard
    })
    const { value } = await next
    expect(value?.data?.usageRecorded).toEqual({ id: expect.stringMatching(/^mine-/), outcome: 'COMPLETED', keyId: mine.keyId })
    await events.return?.()
    const { usageRecord } = await app.graphql<{ usageRecord: { cost: string } }>(
      'query ($id: ID!) { usageRecord(id: $id) { cost } }',
      { id: value!.data!.usageRecorded.id },
      mine.key,
    )
    expect(usageRecord).toEqual({ cost: '0.000000005' })
    const books = 'query ($id: ID!) { usageRecord(id: $id) { entries { amount kind holdId } } }'
    expect(await app.graphql(books, { id: 'mine-0' }, mine.key)).toEqual({
      usageRecord: { entries: [{ amount: '-0.000000005', kind: 'CHARGE', holdId: 'mine-0' }] },
    })
    const foreign = await app.graphql('query ($id: ID!) { usageRecord(id: $id) { cost } }', { id: 'mine-0' }, other.key)
    expect(foreign).toEqual({ usageRecord: null })
  })
})

describe('apiKeysChanged', () => {
  it('tells of every key of the account that comes, changes or ends, and of none of another', async () => {
    const [mine, other] = [await app.account(), await app.account()]
    type Event = { apiKeysChanged: { id: string; name: string; revokedAt: string | null; replacedBy: string | null } }
    const query = 'subscription { apiKeysChanged { id name revokedAt replacedBy } }'
    const events = subscribe<Event>(query, {}, mine.key)
    const until = async (isIt: (key: Event['apiKeysChanged']) => boolean) => {
      for (;;) {
        const { value, done } = await events.next()
        expect([done, value?.errors]).toEqual([false, undefined])
        const key = value!.data!.apiKeysChanged
        expect(key.name).not.toBe('of another')
        if (isIt(key)) return key
      }
    }
    const create = async (name: string, key: string) => {
      const mutation = 'mutation ($name: String!) { createApiKey(input: { name: $name }) { apiKey { id } } }'
      return (await app.graphql<{ createApiKey: { apiKey: { id: string } } }>(mutation, { name }, key)).createApiKey.apiKey.id
    }
    // Nothing is repeated, so keys are made until the subscription hears of one.
    const first = until(() => true)
    let heard = false
    void first.then(() => (heard = true))
    await vi.waitUntil(
      async () => {
        await create('of another', other.key)
        await create('mine', mine.key)
        return heard
      },
      { timeout: 20_000 },
    )
    const { id } = await first
    const rotate = 'mutation ($id: ID!) { rotateApiKey(input: { id: $id }) { apiKey { id } } }'
    const { rotateApiKey } = await app.graphql<{ rotateApiKey: { apiKey: { id: string } } }>(rotate, { id }, mine.key)
    await until((key) => key.id === id && key.replacedBy === rotateApiKey.apiKey.id)
    await app.graphql('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }', { id }, mine.key)
    await until((key) => key.id === id && key.revokedAt !== null)
    await events.return?.()
  })
})

describe('rentalsChanged', () => {
  it('tells every change of every rental of the account, also since a number', async () => {
    const [mine, other] = [await app.account({ credits: '10' }), await app.account({ credits: '10' })]
    const rent = async (key: string) => {
      const mutation = 'mutation ($input: RentGpuInput!) { rentGpu(input: $input) { rental { id } } }'
      const input = { gpuModel: 'L4', dockerImage: 'busybox' }
      return (await app.graphql<{ rentGpu: { rental: { id: string } } }>(mutation, { input }, key)).rentGpu.rental.id
    }
    await rent(other.key)
    const ids = [await rent(mine.key), await rent(mine.key)]
    const query = 'subscription { rentalsChanged(after: 0) { id sequence phase } }'
    const phases = new Map<string, string>()
    const sequences: number[] = []
    type Event = { rentalsChanged: { id: string; sequence: number; phase: string } }
    for await (const { data } of subscribe<Event>(query, {}, mine.key)) {
      const { id, sequence, phase } = data!.rentalsChanged
      phases.set(id, phase)
      sequences.push(sequence)
      if (ids.every((known) => phases.get(known) === 'RUNNING')) break
    }
    expect([...phases.keys()].toSorted()).toEqual(ids.toSorted())
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
  })
})
