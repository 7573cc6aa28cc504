/** Leases one at a time: how they are taken, given back, asked for and lost. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ledgerEntities } from '../../../subgraphs/accounts/ledger/ledger-tables.js'
import { testDatabase, type TestDatabase } from '../../kit/database.js'
import { MINUTE_MS, usage } from './kit/ledger-kit.js'
import { World, type WorldProcess } from './kit/lease-world.js'

let database: TestDatabase
let world: World
let one: WorldProcess
let two: WorldProcess
let count = 0
beforeEach(async () => {
  database = await testDatabase('postgres', ledgerEntities)
  world = new World(database)
  one = await world.start()
  two = await world.start(60_000)
  await fund('acc', 10_000n)
})
afterEach(async () => {
  expect((await one.ledger.checkInvariants()).violations).toEqual([])
  await world[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

async function fund(accountId: string, amount: bigint): Promise<void> {
  await one.ledger.openAccount(accountId, { monthlyCap: null })
  await one.ledger.topUp({ accountId, amount, idempotencyKey: 'k', kind: 'top_up' })
}

const request = (amount: bigint, purpose: 'chat' | 'session' = 'chat', accountId = 'acc') => ({
  holdId: `hold-${count++}`,
  accountId,
  amount,
  purpose,
  expiresAt: one.clock.now() + 60 * MINUTE_MS,
})

/** Enough traffic for a lease, all of it over again. */
async function lease(process: WorldProcess, amount = 100n): Promise<void> {
  for (let index = 0; index < 3; index++) {
    const hold = request(amount)
    await process.ledger.reserve(hold)
    await process.ledger.release(hold)
  }
  await world.settled()
  expect(await leaseOf(process)).toBeGreaterThan(0n)
}

const leaseOf = async ({ ledger }: WorldProcess): Promise<bigint> =>
  (await world.rows()).leases.find((row) => row.process_id === ledger.ownerId)?.amount ?? 0n
const account = async () => (await world.rows()).accounts.find((row) => row.account_id === 'acc')!
const inMemory = ({ ledger }: WorldProcess): number => ledger.holdsInMemory('acc').length

describe('a lease', () => {
  test('is taken when there is traffic, and not for one hold', async () => {
    const alone = request(100n)
    await one.ledger.reserve(alone)
    await one.ledger.release(alone)
    await world.settled()
    expect(await leaseOf(one)).toBe(0n)
    await lease(one)
    expect(await leaseOf(one)).toBeLessThanOrEqual(2_500n)
    expect(await account()).toMatchObject({ held: await leaseOf(one), leased: await leaseOf(one) })
  })

  test('holds chats without a word to the database, and a charge takes from it', async () => {
    await lease(one)
    const before = await leaseOf(one)
    const hold = request(100n)
    expect(await one.ledger.reserve(hold)).toMatchObject({ ok: true, account: { held: 100n, available: 9_900n } })
    expect(inMemory(one)).toBe(1)
    expect((await world.rows()).holds).toEqual([])
    expect(await one.ledger.settle({ ...hold, amount: 40n, usage: usage() })).toMatchObject({ outcome: 'settled', charged: 40n })
    expect(await leaseOf(one)).toBe(before - 40n)
    expect(await account()).toMatchObject({ balance: 9_960n, held: before - 40n, spent: 40n })
    // What is leased and not held is free: nobody is shown credits that are set aside for nothing.
    expect(await one.ledger.read('acc')).toMatchObject({ held: 0n, available: 9_960n })
    expect(await two.ledger.read('acc')).toMatchObject({ held: 0n, available: 9_960n })
  })

  test('is not for GPU sessions, nor for what comes out of a budget, nor for small accounts', async () => {
    await lease(one)
    await one.ledger.setBudget({ budgetId: 'b', accountId: 'acc', cap: 300n })
    expect(await one.ledger.reserve(request(10n, 'session'))).toMatchObject({ ok: true })
    expect(await one.ledger.reserve({ ...request(10n), budgetIds: ['b'] })).toMatchObject({ ok: true })
    await fund('small', 1_000n)
    for (let index = 0; index < 5; index++) await one.ledger.reserve(request(51n, 'chat', 'small'))
    await world.settled()
    expect(inMemory(one) + one.ledger.holdsInMemory('small').length).toBe(0)
    expect((await world.rows()).leases.map((row) => row.account_id)).toEqual(['acc'])
  })

  test('that nobody uses goes back, also when its process leaves', async () => {
    await lease(one)
    await lease(two)
    await world.advance(16_000)
    expect((await world.rows()).leases).toEqual([])
    await lease(two)
    await two.ledger.close()
    two.state = 'dead'
    expect(await account()).toMatchObject({ balance: 10_000n, held: 0n, leased: 0n })
  })

  test('is used no longer than three seconds before it ends, and renewed by the heartbeat', async () => {
    await lease(one)
    one.clock.stall(16_900)
    await one.ledger.reserve(request(10n))
    expect(inMemory(one)).toBe(1)
    one.clock.stall(200)
    await one.ledger.reserve(request(10n))
    expect(inMemory(one)).toBe(1)
    await one.clock.advance(5_000)
    await world.settled()
    await one.ledger.reserve(request(10n))
    expect(inMemory(one)).toBe(2)
  })

  test('of a stream becomes a row with its first tick, at its full amount', async () => {
    await lease(one)
    const before = await leaseOf(one)
    const hold = request(100n)
    await one.ledger.reserve(hold)
    expect(await one.ledger.meter({ holdId: hold.holdId, amount: 30n })).toBe(true)
    expect((await world.rows()).holds).toMatchObject([{ amount: 100n, metered: 30n }])
    expect(await leaseOf(one)).toBe(before - 100n)
    await one.kill()
    await two.ledger.sweep({ deadOwners: [one.ledger.ownerId] })
    expect(await account()).toMatchObject({ balance: 9_970n, held: 0n })
    one = await world.start()
  })
})

describe('an account that runs dry', () => {
  test('has what others lease of it and do not use', async () => {
    await lease(two)
    await two.ledger.reserve(request(30n))
    const all = request(9_970n, 'session')
    expect(await one.ledger.reserve(all)).toMatchObject({ ok: true })
    expect(await leaseOf(two)).toBe(30n)
    expect(await one.ledger.reserve(request(1n))).toMatchObject({ ok: false, reason: 'balance', account: { available: 0n } })
    await one.ledger.release(all)
  })

  test('has it at the next heartbeat when the news are lost', async () => {
    await lease(two)
    world.isDeaf = true
    const all = request(10_000n, 'session')
    expect(await one.ledger.reserve(all)).toMatchObject({ ok: false })
    await world.advance(5_000)
    expect(await one.ledger.reserve(all)).toMatchObject({ ok: true })
    await one.ledger.release(all)
  })

  test('by a cap that is lowered has what was leased under the old one', async () => {
    await lease(two)
    await one.ledger.setMonthlyCap('acc', 50n)
    await world.settled()
    expect(await leaseOf(two)).toBe(0n)
    expect(await two.ledger.reserve(request(51n))).toMatchObject({ ok: false, reason: 'monthly_cap' })
    expect(await two.ledger.reserve(request(50n))).toMatchObject({ ok: true })
  })
})

describe('a process that stood still', () => {
  test('finds its lease gone, takes no hold in it, and charges what it delivered out of what is free', async () => {
    await lease(one)
    const holds = [request(100n), request(100n)]
    for (const hold of holds) await one.ledger.reserve(hold)
    one.state = 'stalled'
    await world.advance(60_000)
    expect(await leaseOf(one)).toBe(0n)
    await two.ledger.reserve(request(9_850n, 'session'))
    one.state = 'runs'
    const late = request(10n)
    await one.ledger.reserve(late)
    expect(inMemory(one)).toBe(2)
    await one.ledger.release(late)
    expect(await one.ledger.settle({ holdId: holds[0]!.holdId, amount: 90n, usage: usage() })).toMatchObject({ charged: 90n })
    expect(await one.ledger.settle({ holdId: holds[1]!.holdId, amount: 90n, usage: usage() })).toMatchObject({ charged: 60n })
    expect(one.losses).toEqual([{ holdId: holds[1]!.holdId, accountId: 'acc', amount: 30n }])
    expect(await account()).toMatchObject({ balance: 9_850n, held: 9_850n })
  })

  test('charges no more than the cap leaves', async () => {
    await lease(one)
    const hold = request(100n)
    await one.ledger.reserve(hold)
    one.state = 'stalled'
    await world.advance(60_000)
    await two.ledger.setMonthlyCap('acc', 70n)
    one.state = 'runs'
    expect(await one.ledger.settle({ ...hold, amount: 90n, usage: usage() })).toMatchObject({ charged: 70n })
  })
})

test('while a process runs that knows nothing of leases, none are taken and those that are there go back', async () => {
  await lease(one)
  const older = (at: number) =>
    world.database.orm.em.getConnection().execute(`insert into ledger_process (id, heartbeat_at) values ('older', ${at})`)
  await older(one.clock.now())
  await one.clock.advance(5_000)
  await world.settled()
  expect(await leaseOf(one)).toBe(0n)
  for (let index = 0; index < 4; index++) await one.ledger.reserve(request(10n))
  await world.settled()
  expect((await world.rows()).leases).toEqual([])
})

test.each([1, 2, 4])('1,000 chats at once on credits for 250, over %i processes, admit exactly 250', async (processes) => {
  await fund('tight', 2_500n)
  while (world.processes.length < processes) await world.start()
  const ledgers = world.processes.slice(0, processes).map(({ ledger }) => ledger)
  for (const [index, ledger] of [...ledgers, ...ledgers, ...ledgers].entries()) {
    const warm = { ...request(10n, 'chat', 'tight'), holdId: `warm-${index}` }
    await ledger.reserve(warm)
    await ledger.release(warm)
  }
  await world.settled()
  const results = await Promise.all(
    Array.from({ length: 1_000 }, async (_, index) => {
      for (let turn = index % 40; turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve))
      return ledgers[index % ledgers.length]!.reserve(request(10n, 'chat', 'tight'))
    }),
  )
  expect(results.filter(({ ok }) => ok)).toHaveLength(250)
  // How many are held in leases is a matter of timing; that some are is not.
  expect(ledgers.flatMap((ledger) => ledger.holdsInMemory('tight')).length).toBeGreaterThan(0)
  const found = (await world.rows()).accounts.find((row) => row.account_id === 'tight')
  expect(found).toMatchObject({ balance: 2_500n, held: 2_500n })
})
