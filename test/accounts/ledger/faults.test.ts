import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createBatchedLedger } from '../../../subgraphs/accounts/ledger/batched-ledger.js'
import {
  crashable,
  dialects,
  keepsHoldsInMemory,
  MINUTE_MS,
  openTransport,
  SteppingClock,
  testLedger,
  usage,
} from './kit/ledger-kit.js'

describe.each(dialects)('the ledger on %s', (dialect) => {
  test('answers everything exactly once while its connection is killed under load', { timeout: 60_000 }, async () => {
    await using kit = await testLedger(dialect)
    const { ledger, transport } = kit
    await ledger.openAccount('acc', { monthlyCap: null })
    await ledger.topUp({ accountId: 'acc', amount: 1_000_000n, idempotencyKey: 'k', kind: 'top_up' })
    let settled = 0n
    const kills: Promise<void>[] = []
    const client = async (_: unknown, name: number) => {
      for (let index = 0; index < 60; index++) {
        const holdId = `hold-${name}-${index}`
        const request = {
          holdId,
          accountId: 'acc',
          amount: 10n,
          purpose: 'chat' as const,
          expiresAt: kit.clock.now() + MINUTE_MS,
        }
        expect((await ledger.reserve(request)).ok).toBe(true)
        const { charged, outcome } = await ledger.settle({ holdId, amount: 7n })
        expect([charged, outcome === 'unknown']).toEqual([7n, false])
        settled += charged
        if ((settled / 7n) % 150n === 0n) kills.push(transport.kill())
      }
    }
    await Promise.all(Array.from({ length: 24 }, client))
    await Promise.all(kills)
    expect(kills).toHaveLength(9)
    expect(settled).toBe(24n * 60n * 7n)
    expect(await ledger.read('acc')).toMatchObject({ balance: 1_000_000n - settled, held: 0n, spent: settled })
    expect((await ledger.checkInvariants()).violations).toEqual([])
  })

  test('keeps the order of one hold across a crash, so that a release never overtakes its reserve', async () => {
    await using kit = await testLedger(dialect)
    const transport = crashable(openTransport(kit.database.url))
    const ledger = await createBatchedLedger({ transport, clock: kit.clock })
    await ledger.openAccount('acc', { monthlyCap: null })
    await ledger.topUp({ accountId: 'acc', amount: 100n, idempotencyKey: 'k', kind: 'top_up' })
    for (const point of ['before', 'during', 'after'] as const) {
      const holdId = `hold-${point}`
      const request = { holdId, accountId: 'acc', amount: 100n, purpose: 'chat' as const, expiresAt: kit.clock.now() + MINUTE_MS }
      const reserving = ledger.reserve(request)
      // Kept in memory, it is there when it is answered: on a slow machine the account is read first.
      if (keepsHoldsInMemory(dialect)) await reserving
      transport.arm(point)
      const [reserved, released, again] = await Promise.all([
        reserving,
        ledger.release({ holdId, usage: usage() }),
        ledger.release({ holdId, usage: usage() }),
      ])
      // What was in one batch with its reserve and committed before the crash is found done when the batch is repeated.
      const wasDone = point === 'after' && transport.appliesInOrder
      // A batch may be faster than the crash that was to hit it.
      const mayBeDone = point === 'during' && transport.appliesInOrder && released.outcome === 'duplicate'
      const expected = wasDone || mayBeDone ? 'duplicate' : 'settled'
      expect([reserved.ok, released.outcome, again.outcome]).toEqual([true, expected, 'duplicate'])
    }
    expect(transport.crashes).toBe(3)
    expect(await ledger.read('acc')).toMatchObject({ balance: 100n, held: 0n })
    await ledger.close()
  })

  test('all processes that charge the same accounts never lose or double a movement', { timeout: 60_000 }, async () => {
    await using kit = await testLedger(dialect)
    const ledgers = await kit.openAll()
    const accounts = ['acc-0', 'acc-1', 'acc-2']
    for (const accountId of accounts) {
      await kit.ledger.openAccount(accountId, { monthlyCap: null })
      await kit.ledger.topUp({ accountId, amount: 300n, idempotencyKey: 'k', kind: 'top_up' })
    }
    const totals = { refused: 0, charged: 0n }
    const client = async (_: unknown, name: number) => {
      for (let index = 0; index < 30; index++) {
        const ledger = ledgers[name % 2] ?? kit.ledger
        const holdId = `hold-${name}-${index}`
        const accountId = accounts[(name + index) % 3] ?? ''
        const expiresAt = kit.clock.now() + MINUTE_MS
        const reserved = await ledger.reserve({ holdId, accountId, amount: 70n, purpose: 'chat', expiresAt })
        if (reserved.ok) {
          const { charged } = await ledger.settle({ holdId, amount: BigInt(index % 3) })
          totals.charged += charged
        } else totals.refused++
      }
    }
    await Promise.all(Array.from({ length: 40 }, client))
    expect(totals.refused).toBeGreaterThan(50)
    expect(totals.charged).toBeGreaterThan(50n)
    const snapshots = await Promise.all(accounts.map((accountId) => kit.ledger.read(accountId)))
    expect(snapshots.map((snapshot) => snapshot.held)).toEqual([0n, 0n, 0n])
    expect(900n - snapshots.reduce((sum, snapshot) => sum + snapshot.balance, 0n)).toBe(totals.charged)
    expect((await kit.ledger.checkInvariants()).violations).toEqual([])
  })

  test('loses nothing that was acknowledged when its process is killed, twice', { timeout: 60_000 }, async () => {
    await using kit = await testLedger(dialect)
    const { ledger } = kit
    await ledger.openAccount('acc', { monthlyCap: null })
    await ledger.topUp({ accountId: 'acc', amount: 10n ** 12n, idempotencyKey: 'k', kind: 'top_up' })
    const acknowledged = { reserved: new Set<string>(), metered: new Set<string>(), settled: new Set<string>() }
    const owners: string[] = []
    for (const round of ['first', 'second']) owners.push(await chargeUntilKilled(kit.database.url, round, acknowledged))

    expect(acknowledged.settled.size).toBeGreaterThan(600)
    expect((await ledger.checkInvariants()).violations).toEqual([])
    // A hold that lived in memory alone is void with its process.
    const durable = keepsHoldsInMemory(dialect)
      ? new Set([...acknowledged.metered, ...acknowledged.settled])
      : acknowledged.reserved
    const holds = await ledger.readHolds([...durable])
    expect(holds.size).toBe(durable.size)
    for (const id of acknowledged.settled) expect(holds.get(id)).toMatchObject({ state: 'captured', captured: 70n })

    // The sweep closes what the killed processes had under way: at the metered cost where there is one.
    // PostgreSQL may commit a killed client's last transaction after its end, so that a later sweep finds it.
    const heldAfterSweep = async () => {
      await ledger.sweep({ deadOwners: owners })
      return (await ledger.read('acc')).held
    }
    await expect.poll(heldAfterSweep).toBe(0n)
    const closed = await ledger.readHolds([...acknowledged.reserved])
    for (const hold of closed.values()) expect([0n, 30n, 70n]).toContain(hold.captured)
    const report = await ledger.checkInvariants()
    expect(report).toMatchObject({ violations: [], openHolds: 0 })
  })

  test('charges what was delivered, whichever step its process is killed at', { timeout: 120_000 }, async () => {
    await using kit = await testLedger(dialect)
    const { ledger } = kit
    const rounds = ['placed', 'metered', 'charging', 'charging', 'charging', 'charged']
    const isVoid = keepsHoldsInMemory(dialect)
    const charged = { placed: [0n], metered: [30n], charging: [30n, 70n], charged: [70n] } as Record<string, bigint[]>
    for (const [index, last] of rounds.entries()) {
      const accountId = `acc-${index}`
      await ledger.openAccount(accountId, { monthlyCap: null })
      await ledger.topUp({ accountId, amount: 1_000n, idempotencyKey: 'k', kind: 'top_up' })
      const owner = await killedAfter(last, kit.database.url, accountId)
      expect((await ledger.checkInvariants()).violations).toEqual([])
      expect((await ledger.readHolds([`${accountId}-hold`])).size).toBe(last === 'placed' && isVoid ? 0 : 1)
      await ledger.sweep({ deadOwners: [owner] })
      const { balance, held } = await ledger.read(accountId)
      expect([held, charged[last]?.includes(1_000n - balance)]).toEqual([0n, true])
    }
    expect(await ledger.checkInvariants()).toMatchObject({ violations: [], openHolds: 0 })
  })

  test('fails closed when its database is gone, and says so', { timeout: 30_000 }, async () => {
    const url = dialect === 'sqlite' ? 'sqlite:/dev/null/ledger.db' : 'postgres://127.0.0.1:1/none'
    const opening = createBatchedLedger({ transport: openTransport(url), clock: new SteppingClock() })
    await expect(opening).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 2 })
  })
})

describe('an ORM transaction on SQLite', () => {
  test('that has read before it writes is not disturbed by a charge in between', async () => {
    await using kit = await testLedger('sqlite')
    await using free = await testLedger('sqlite')
    await kit.ledger.openAccount('acc', { monthlyCap: null })
    const connection = kit.database.orm.em.getConnection()
    let charge: Promise<unknown> | undefined
    await connection.transactional(async (transaction) => {
      await connection.execute('select count(*) from ledger_account', [], 'all', transaction)
      charge = kit.ledger.openAccount('other', { monthlyCap: null })
      // Long enough for the charge to commit if nothing holds it back: another ledger commits three times meanwhile.
      for (const id of ['a', 'b', 'c']) await free.ledger.openAccount(id, { monthlyCap: null })
      await connection.execute('update ledger_account set monthly_cap = 5', [], 'run', transaction)
    })
    await charge
    expect(await kit.ledger.read('acc')).toMatchObject({ monthlyCap: 5n })
    expect(await kit.ledger.read('other')).toMatchObject({ monthlyCap: null })
  })
})

/** Runs a real process until it has settled 400 more, kills it without warning, and returns its owner id. */
async function chargeUntilKilled(
  url: string,
  round: string,
  acknowledged: { reserved: Set<string>; metered: Set<string>; settled: Set<string> },
): Promise<string> {
  const script = fileURLToPath(new URL('./kit/charging-process.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, url, 'acc', round], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const goal = acknowledged.settled.size + 400
  let owner = ''
  for await (const line of createInterface({ input: child.stdout })) {
    const [what, id = ''] = line.split(' ')
    if (what === 'owner') owner = id
    if (what === 'reserved') acknowledged.reserved.add(id)
    if (what === 'metered') acknowledged.metered.add(id)
    if (what === 'settled') acknowledged.settled.add(id)
    // Lines that were written before the kill are still read afterwards: each was acknowledged.
    if (acknowledged.settled.size >= goal && !child.killed) child.kill('SIGKILL')
  }
  expect((await exited)[1]).toBe('SIGKILL')
  return owner
}

/** Runs a real process with one hold up to a step, kills it without warning, and returns its owner id. */
async function killedAfter(step: string, url: string, accountId: string): Promise<string> {
  const script = fileURLToPath(new URL('./kit/killed-process.mjs', import.meta.url))
  const args = [script, url, accountId, `${accountId}-hold`, step]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  return line.toString().trim()
}
