/** Chat holds that live in the memory of the one process that writes to a SQLite file; only their charge is written. */
import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { createBatchedLedger } from '../../../subgraphs/accounts/ledger/batched-ledger.js'
import type { Ledger } from '../../../subgraphs/accounts/ledger/ledger.js'
import { DatabaseTrouble } from '../../../subgraphs/accounts/ledger/operations/database-trouble.js'
import type { LedgerTransport, Operation } from '../../../subgraphs/accounts/ledger/operations/operation.js'
import { byEffort } from '../../kit/effort.js'
import { type CrashPoint, crashable, MINUTE_MS, openTransport, type TestLedger, testLedger, usage } from './kit/ledger-kit.js'

const UNAVAILABLE = { code: 'service_unavailable' }

let kit: TestLedger
let ledger: Ledger
beforeEach(async () => {
  kit = await testLedger('sqlite')
  ledger = kit.ledger
  await ledger.openAccount('acc', { monthlyCap: null })
  await ledger.topUp({ accountId: 'acc', amount: 1_000n, idempotencyKey: 'k', kind: 'top_up' })
})
afterEach(async () => {
  expect((await kit.ledger.checkInvariants()).violations).toEqual([])
  await kit[Symbol.asyncDispose]()
})

const request = (holdId: string, amount: bigint, purpose: 'chat' | 'session' = 'chat') => ({
  holdId,
  accountId: 'acc',
  amount,
  purpose,
  expiresAt: kit.clock.now() + MINUTE_MS,
})
const rows = (table: 'ledger_hold' | 'usage_record') =>
  kit.database.kysely.withTables<Record<string, Record<string, unknown>>>().selectFrom(table).selectAll().execute()

/** Another program at the same file, such as a command that adds credits. */
function otherProgram(sql: string): void {
  const location = parseDatabaseUrl(kit.database.url)
  if (location.dialect !== 'sqlite') throw new Error('not SQLite')
  const db = new DatabaseSync(location.file)
  db.exec(sql)
  db.close()
}

/** The ledger over a transport that counts its batches and can be made to fail. */
async function watched(): Promise<
  { ledger: Ledger; batches: () => number; crash: ReturnType<typeof crashable> } & AsyncDisposable
> {
  const crash = crashable(openTransport(kit.database.url))
  let batches = 0
  const transport: LedgerTransport = {
    ...crash,
    execute(operations, time) {
      batches++
      return crash.execute(operations, time)
    },
  }
  const own = await createBatchedLedger({ transport, clock: kit.clock, limits: { retryMs: -1 } })
  return { ledger: own, crash, batches: () => batches, [Symbol.asyncDispose]: () => own.close() }
}

describe('a chat hold', () => {
  test('is placed without a word to the database, and its charge is one batch', async () => {
    await using it = await watched()
    await it.ledger.read('acc')
    const before = it.batches()
    // Not even a turn passes: a chat that waits for nothing is answered in fewer steps.
    expect(it.ledger.reserve(request('h', 100n))).toMatchObject({ ok: true, account: { held: 100n, available: 900n } })
    expect(it.batches()).toBe(before)
    await it.ledger.settle({ holdId: 'h', amount: 40n, usage: usage() })
    expect(it.batches()).toBe(before + 1)
    expect(await rows('ledger_hold')).toEqual([])
    expect(await it.ledger.read('acc')).toMatchObject({ balance: 960n, held: 0n, spent: 40n })
  })

  test('is in every figure that is shown of the account', async () => {
    await ledger.setBudget({ budgetId: 'b', accountId: 'acc', cap: 300n })
    await ledger.reserve({ ...request('h', 100n), budgetIds: ['b'] })
    await ledger.reserve(request('g', 200n, 'session'))
    expect(await ledger.read('acc')).toMatchObject({ balance: 1_000n, held: 300n, available: 700n })
    expect(ledger.lastKnown('acc')).toMatchObject({ held: 300n, available: 700n })
    expect((await ledger.readBudgets(['b'])).get('b')).toMatchObject({ held: 100n, available: 200n })
    expect(ledger.holdsInMemory('acc')).toMatchObject([
      { holdId: 'h', amount: 100n, captured: 0n, state: 'open', purpose: 'chat' },
    ])
    expect(ledger.holdsInMemory('other')).toEqual([])
    expect([...(await ledger.readHolds(['h', 'g'])).keys()].toSorted()).toEqual(['g', 'h'])
    expect(await ledger.checkInvariants()).toMatchObject({ openHolds: 2 })
  })

  test('becomes a row when something was metered, and counts once all the while', async () => {
    await ledger.reserve(request('h', 100n))
    const metering = ledger.meter({ holdId: 'h', amount: 30n })
    expect(await ledger.read('acc')).toMatchObject({ held: 100n })
    expect(await metering).toBe(true)
    expect(await rows('ledger_hold')).toMatchObject([{ id: 'h', amount: 100n, metered: 30n, state: 'open' }])
    expect(await ledger.read('acc')).toMatchObject({ held: 100n })
    expect(ledger.holdsInMemory('acc')).toEqual([])
    expect(await ledger.meter({ holdId: 'h', amount: 50n })).toBe(true)
    expect(await ledger.settle({ holdId: 'h', amount: 60n, usage: usage() })).toMatchObject({ outcome: 'settled', charged: 60n })
    expect(await rows('ledger_hold')).toEqual([])
    expect(await ledger.read('acc')).toMatchObject({ balance: 940n, held: 0n })
  })

  test('is written also above a cap that was lowered since', async () => {
    await ledger.reserve(request('h', 100n))
    await ledger.setMonthlyCap('acc', 10n)
    expect(await ledger.reserve(request('h2', 1n))).toMatchObject({ ok: false, reason: 'monthly_cap' })
    expect(await ledger.meter({ holdId: 'h', amount: 30n })).toBe(true)
    expect(await ledger.settle({ holdId: 'h', amount: 60n, usage: usage() })).toMatchObject({ charged: 60n })
  })

  test('ends at once when it is released without a record, whatever state the database is in', async () => {
    await using it = await watched()
    await it.ledger.reserve(request('h', 1_000n))
    const before = it.batches()
    expect(await it.ledger.release({ holdId: 'h' })).toMatchObject({ outcome: 'settled', charged: 0n })
    expect(it.batches()).toBe(before)
    expect(await it.ledger.reserve(request('h2', 1_000n))).toMatchObject({ ok: true })
  })

  test('that nobody closes is closed when it has outlived its time', async () => {
    await ledger.reserve(request('h', 100n))
    expect((await ledger.sweep()).closed).toEqual([])
    kit.clock.time += MINUTE_MS + 1
    expect((await ledger.sweep()).closed).toEqual([{ holdId: 'h', accountId: 'acc', charged: 0n }])
    expect(await ledger.read('acc')).toMatchObject({ balance: 1_000n, held: 0n })
  })

  test('that is wrong rejects, as where it is asked of the database, and never throws', async () => {
    const wrong = ledger.reserve(request('h', -1n))
    await expect(wrong).rejects.toThrow()
    const unknown = ledger.reserve({ ...request('h', 1n), accountId: 'nobody' })
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
  })

  test('that names an id of another kind is not charged to it', async () => {
    await ledger.reserve(request('same', 300n, 'session'))
    await ledger.reserve(request('same', 100n))
    await expect(ledger.settle({ holdId: 'same', amount: 50n, usage: usage() })).rejects.toMatchObject({
      code: 'idempotency_conflict',
    })
    expect(await ledger.read('acc')).toMatchObject({ balance: 1_000n, held: 300n })
  })
})

describe('what takes of an account', () => {
  test('leaves what chats hold: sessions, their extension, and chats what sessions hold', async () => {
    await ledger.reserve(request('chat', 600n))
    expect(await ledger.reserve(request('gpu', 401n, 'session'))).toMatchObject({ ok: false, reason: 'balance' })
    expect(await ledger.reserve(request('gpu', 300n, 'session'))).toMatchObject({ ok: true, account: { held: 900n } })
    const later = { holdId: 'gpu', expiresAt: kit.clock.now() + MINUTE_MS }
    expect(await ledger.extend({ ...later, toAmount: 401n })).toMatchObject({ ok: false, reason: 'balance' })
    expect(await ledger.extend({ ...later, toAmount: 400n })).toMatchObject({ ok: true, account: { held: 1_000n } })
    expect(await ledger.reserve(request('more', 1n))).toMatchObject({ ok: false, account: { available: 0n } })
    // A session that is asked for again is answered, although nothing is left.
    expect(await ledger.reserve(request('gpu', 300n, 'session'))).toMatchObject({ ok: true, replayed: true })
    await ledger.settle({ holdId: 'chat', amount: 100n, usage: usage() })
    expect(await ledger.reserve(request('more', 500n))).toMatchObject({ ok: true })
    expect(await ledger.reserve(request('most', 1n))).toMatchObject({ ok: false })
    await ledger.release({ holdId: 'gpu' })
  })

  test('sees what another program at the file has written', async () => {
    await ledger.reserve(request('h', 1_000n))
    otherProgram(`insert into ledger_entry (reference, kind, account_id, amount, created_at) values ('acc/x', 'top_up', 'acc', 500, 1);
      update ledger_account set balance = balance + 500`)
    // Nothing is refused from memory alone.
    expect(await ledger.reserve(request('h2', 400n))).toMatchObject({ ok: true })
    otherProgram("update ledger_account set monthly_cap = 1450 where account_id = 'acc'")
    // Any batch brings the news.
    await ledger.openAccount('other', { monthlyCap: null })
    expect(await ledger.reserve(request('h3', 51n))).toMatchObject({ ok: false, reason: 'monthly_cap' })
    expect(await ledger.reserve(request('h3', 50n))).toMatchObject({ ok: true })
  })

  test('is told when the file says less than memory holds', async () => {
    await ledger.reserve(request('h', 1_000n))
    otherProgram('update ledger_account set balance = 900')
    await ledger.read('acc')
    expect((await ledger.checkInvariants()).violations.map(({ invariant }) => invariant)).toEqual([
      'the entries of an account sum to its balance',
      'no account has less than it holds, in memory too',
    ])
    // What another program took is not charged for a second time: the account pays what it has.
    expect(await ledger.settle({ holdId: 'h', amount: 1_000n, usage: usage() })).toMatchObject({ charged: 900n, clipped: true })
    otherProgram('update ledger_account set balance = 100')
  })

  test('is granted nothing after a failed write until one has worked, although the file can be read', async () => {
    const inner = openTransport(kit.database.url)
    const writes = new Set<Operation['kind']>(['probe', 'charge'])
    let isFull = false
    const transport: LedgerTransport = {
      ...inner,
      async execute(operations, time) {
        if (isFull && operations.some(({ kind }) => writes.has(kind))) throw new DatabaseTrouble('full', 'no room')
        return inner.execute(operations, time)
      },
    }
    const own = await createBatchedLedger({ transport, clock: kit.clock })
    await own.reserve(request('h', 10n))
    isFull = true
    await expect(own.settle({ holdId: 'h', amount: 1n, usage: usage() })).rejects.toMatchObject(UNAVAILABLE)
    expect(await own.read('acc')).toMatchObject({ held: 10n })
    await expect(own.reserve(request('h2', 10n))).rejects.toMatchObject(UNAVAILABLE)
    isFull = false
    expect(await own.reserve(request('h3', 10n))).toMatchObject({ ok: true, account: { held: 20n } })
    await own.close()
  })

  test('leaves what a session holds whose placing is in doubt', async () => {
    await ledger.openAccount('other', { monthlyCap: null })
    await ledger.topUp({ accountId: 'other', amount: 10n, idempotencyKey: 'k', kind: 'top_up' })
    await using it = await watched()
    await it.ledger.reserve({ ...request('of-other', 10n), accountId: 'other' })
    await it.ledger.reserve(request('h', 1n))
    it.crash.arm('after')
    await expect(it.ledger.reserve(request('gpu', 600n, 'session'))).rejects.toMatchObject(UNAVAILABLE)
    // That charges work again says nothing of this account.
    await it.ledger.settle({ holdId: 'of-other', amount: 5n, usage: usage() })
    expect(await it.ledger.reserve(request('h2', 400n))).toMatchObject({ ok: false, reason: 'balance' })
    expect(await it.ledger.reserve(request('h2', 399n))).toMatchObject({ ok: true })
    expect(await it.ledger.reserve(request('gpu', 600n, 'session'))).toMatchObject({ ok: true, replayed: true })
    await it.ledger.release({ holdId: 'gpu' })
  })
})

test('500 calls at once on a tiny balance never hold or spend more than it, and use all of it', async () => {
  await ledger.openAccount('tiny', { monthlyCap: null })
  await ledger.topUp({ accountId: 'tiny', amount: 105n, idempotencyKey: 'k', kind: 'top_up' })
  let charged = 0n
  let refused = 0
  const covered = ({ account }: { account: { balance: bigint; held: bigint } | null }) =>
    expect(account!.held).toBeLessThanOrEqual(account!.balance)
  const call = async (_: unknown, index: number) => {
    const holdId = `call-${index}`
    for (let turn = index % 7; turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve))
    const held = await ledger.reserve({ ...request(holdId, 10n), accountId: 'tiny' })
    covered(held)
    if (!held.ok) return void refused++
    if (index % 3 === 0) await ledger.meter({ holdId, amount: 2n })
    const result = await ledger.settle({ holdId, amount: BigInt(index % 12), usage: usage() })
    covered(result)
    charged += result.charged
  }
  await Promise.all(Array.from({ length: 500 }, call))
  const { balance, held } = await ledger.read('tiny')
  expect([balance, held]).toEqual([105n - charged, 0n])
  expect(refused).toBeGreaterThan(400)
  expect(charged).toBeGreaterThan(50n)
})

const POINTS: CrashPoint[] = ['before', 'after', 'during']
const HOLDS = 6
const action = fc.record({
  verb: fc.constantFrom('chat', 'chat', 'stream', 'leave', 'gpu', 'topUp', 'cap') as fc.Arbitrary<Verb>,
  amount: fc.bigInt({ min: 1n, max: 60n }),
  budgeted: fc.boolean(),
  waits: fc.nat(3),
})
type Verb = 'chat' | 'stream' | 'leave' | 'gpu' | 'topUp' | 'cap'
type Action = { readonly verb: Verb; readonly amount: bigint; readonly budgeted: boolean; readonly waits: number }
const wave = fc.record({
  actions: fc.array(action, { minLength: HOLDS, maxLength: 3 * HOLDS }),
  crash: fc.option(fc.constantFrom(...POINTS), { freq: 3 }),
})

/** Everything at once on a balance for a few of them; each answer is checked against what must always be true. */
async function play(name: string, waves: readonly { actions: Action[]; crash: CrashPoint | null }[], seen: Map<string, number>) {
  const crash = crashable(openTransport(kit.database.url))
  const own = await createBatchedLedger({ transport: crash, clock: kit.clock, limits: { retryMs: 5_000 } })
  await own.openAccount(name, { monthlyCap: null })
  await own.topUp({ accountId: name, amount: 150n, idempotencyKey: 'k', kind: 'top_up' })
  await own.setBudget({ budgetId: name, accountId: name, cap: 90n })
  let given = 150n
  let charged = 0n
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  const check = <T extends { account: { balance: bigint; held: bigint } | null }>(result: T): T => {
    if (result.account) expect(result.account.held).toBeLessThanOrEqual(result.account.balance)
    return result
  }
  const act = async ({ verb, amount, budgeted, waits }: Action, holdId: string) => {
    for (let turn = 0; turn < waits; turn++) await new Promise((resolve) => setImmediate(resolve))
    if (verb === 'topUp') {
      await own.topUp({ accountId: name, amount, idempotencyKey: holdId, kind: 'top_up' })
      given += amount
      return
    }
    if (verb === 'cap') return own.setMonthlyCap(name, budgeted ? null : charged + 3n * amount)
    const purpose = verb === 'gpu' ? 'session' : 'chat'
    const placing = { ...request(holdId, amount, purpose), accountId: name, budgetIds: budgeted ? [name] : undefined }
    const held = check(await own.reserve(placing))
    count(held.ok ? `${verb} held` : `${verb} ${held.reason}`)
    if (!held.ok) return
    if (verb === 'leave') return void check(await own.release({ holdId }))
    if (verb === 'stream') await own.meter({ holdId, amount: amount / 2n })
    if (verb === 'gpu') {
      await own.capture({ holdId, total: amount / 3n })
      check(await own.extend({ holdId, toAmount: amount + 10n, expiresAt: placing.expiresAt }))
    }
    const closing = { holdId, amount: amount - 1n, ...(purpose === 'chat' && { usage: usage() }) }
    const results = await Promise.all([own.settle(closing), own.settle(closing)])
    results.forEach(check)
    expect(results[0].charged).toBe(results[1].charged)
    charged += results[0].charged
  }
  for (const [at, { actions, crash: point }] of waves.entries()) {
    if (point) crash.arm(point)
    await Promise.all(actions.map((one, index) => act(one, `${name}-${at}-${index}`)))
    if (point) count('crash')
    expect(await own.read(name)).toMatchObject({ balance: given - charged, held: 0n })
    expect((await own.readBudgets([name])).get(name)).toMatchObject({ held: 0n })
    expect((await own.checkInvariants()).violations).toEqual([])
  }
  await own.close()
}

test(
  'whatever happens at once, holds are covered at every answer and every charge is made once',
  { timeout: 120_000 },
  async () => {
    const seen = new Map<string, number>()
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(wave, { minLength: 2, maxLength: 4, size: 'max' }), (waves) => play(`run-${run++}`, waves, seen)),
      { numRuns: byEffort({ brief: 6, short: 15, long: 150 }), seed: 20_261_122, endOnFailure: true },
    )
    const must = [
      'chat held',
      'chat balance',
      'chat monthly_cap',
      'chat budget',
      'stream held',
      'leave held',
      'gpu held',
      'gpu balance',
    ]
    expect([...must, 'crash'].filter((what) => !seen.has(what))).toEqual([])
  },
)
