/** Subscriptions through graphql-sse's own client: every change of money is told, and whoever comes back sees what was. */
import { createClient, type Client } from 'graphql-sse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'

let app: TestApp
const clients: Client[] = []

beforeAll(async () => {
  app = await startTestApp({ config: { compute: { drivers: [{ type: 'sandbox', boot_seconds: 0.4 }] } } })
}, 30_000)
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

    await app.graphql('mutation ($id: ID!) { addCredits(accountId: $id, amount: "5", idempotencyKey: "k") { id } }', { id })
    await until(({ balance }) => balance === '15.00')

    await app.graphql('mutation ($id: ID!) { updateAccount(id: $id, input: { monthlyCap: "3" }) { id } }', { id })
    expect(await until(({ monthlyCap }) => monthlyCap === '3.00')).toMatchObject({ available: '3.00' })

    const image = { gpuModel: 'L4', dockerImage: 'busybox' }
    const rent = 'mutation ($input: RentGpuInput!) { rentGpu(input: $input) { id } }'
    const { rentGpu } = await app.graphql<{ rentGpu: { id: string } }>(rent, { input: image }, key)
    await until(({ held }) => held !== '0.00')
    await app.graphql('mutation ($id: ID!) { terminateRental(id: $id) { id } }', { id: rentGpu.id }, key)
    await until(({ held }) => held === '0.00')

    const { ledger } = app.server.app
    await ledger.reserve({ holdId: 'gone', accountId: id, amount: 1_000_000n, purpose: 'chat', expiresAt: Date.now() + 60_000 })
    await until(({ held }) => held === '0.001')
    await ledger.sweep({ deadOwners: [ledger.ownerId] })
    await until(({ held }) => held === '0.00')
    await events.return?.()
  })
})

describe('rentalStatus', () => {
  it('shows whoever comes back every change since, each as it was then', async () => {
    const { key } = await app.account({ credits: '10' })
    const rent = 'mutation ($input: RentGpuInput!) { rentGpu(input: $input) { id } }'
    const image = { gpuModel: 'L4', dockerImage: 'busybox' }
    const { rentGpu } = await app.graphql<{ rentGpu: { id: string } }>(rent, { input: image }, key)
    const fields = 'sequence status phase cost hold sshHost startedAt terminatedAt terminationReason estimatedReadySeconds'
    const query = `subscription ($id: ID!, $after: Int) { rentalStatus(id: $id, after: $after) { ${fields} } }`
    type Update = { rentalStatus: Record<string, unknown> }

    const live: Record<string, unknown>[] = []
    for await (const { data, errors } of subscribe<Update>(query, { id: rentGpu.id }, key)) {
      expect(errors).toBeUndefined()
      live.push(data!.rentalStatus)
      if (live.at(-1)!['phase'] !== 'RUNNING') continue
      await app.graphql('mutation ($id: ID!) { terminateRental(id: $id) { id } }', { id: rentGpu.id }, key)
    }
    const told = live.filter(({ sequence }) => sequence !== null)
    expect(told.map(({ phase }) => phase)).toContain('BOOTING')
    expect(told.at(-1)).toMatchObject({ status: 'TERMINATED' })

    const replayed: Record<string, unknown>[] = []
    for await (const { data } of subscribe<Update>(query, { id: rentGpu.id, after: told[0]!['sequence'] }, key)) {
      replayed.push(data!.rentalStatus)
    }
    expect(replayed).toEqual(told.slice(1))

    // Who has seen the end already is told how it ended, and no more.
    const after = told.at(-1)!['sequence']
    const seen: unknown[] = []
    for await (const { data } of subscribe<Update>(query, { id: rentGpu.id, after }, key)) seen.push(data!.rentalStatus['status'])
    expect(seen).toEqual(['TERMINATED'])
  })
})
