import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import type { Dialect } from '#platform/database/database.js'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { type BatchedLedgerOptions, createBatchedLedger } from '../../../subgraphs/accounts/ledger/batched-ledger.js'
import type { ChargeNotice, Ledger } from '../../../subgraphs/accounts/ledger/ledger.js'
import { ManualClock } from '../../kit/manual-clock.js'
import { crashable, dialects, MINUTE_MS, openTransport, testLedger, usage } from './kit/ledger-kit.js'

/** Keeps every charge out, as another program at the database would; the returned function lets them in again. */
async function lockOut(url: string): Promise<() => Promise<void>> {
  const location = parseDatabaseUrl(url)
  if (location.dialect === 'sqlite') {
    const other = new DatabaseSync(location.file)
    other.exec('begin immediate')
    return async () => other.close()
  }
  const client = new Client({ connectionString: location.connectionString, options: `-c search_path=${location.schema}` })
  await client.connect()
  await client.query('begin; lock table ledger_account in access exclusive mode')
  return () => client.end()
}

interface Scene extends AsyncDisposable {
  readonly ledger: Ledger
  readonly clock: ManualClock
  readonly late: ChargeNotice[]
  lockOut(): Promise<() => Promise<void>>
  reserve(holdId: string, amount?: bigint): ReturnType<Ledger['reserve']>
}

async function scene(dialect: Dialect, options: Partial<BatchedLedgerOptions> = {}): Promise<Scene> {
  const kit = await testLedger(dialect)
  const clock = new ManualClock(kit.clock.now())
  const late: ChargeNotice[] = []
  const ledger = await createBatchedLedger({
    transport: openTransport(kit.database.url, { lockMs: 20 }),
    clock,
    limits: { retryMs: 0, closeMs: 1_000 },
    onLateCharge: (charge) => late.push(charge),
    ...options,
  })
  await ledger.openAccount('acc', { monthlyCap: null })
  await ledger.topUp({ accountId: 'acc', amount: 1_000n, idempotencyKey: 'k', kind: 'top_up' })
  return {
    ledger,
    clock,
    late,
    lockOut: () => lockOut(kit.database.url),
    reserve: (holdId, amount = 100n) =>
      ledger.reserve({ holdId, accountId: 'acc', amount, purpose: 'chat', expiresAt: clock.now() + 3 * MINUTE_MS }),
    async [Symbol.asyncDispose]() {
      await ledger.close()
      expect((await kit.ledger.checkInvariants()).violations).toEqual([])
      await kit[Symbol.asyncDispose]()
    },
  }
}

const UNAVAILABLE = { code: 'service_unavailable', retryAfterSeconds: 2 }

describe.each(dialects)('an outcome that the database on %s did not take', (dialect) => {
  test('keeps its credits set aside until the repetition is answered', async () => {
    await using it = await scene(dialect)
    await it.reserve('hold-1')
    const letIn = await it.lockOut()
    await expect(it.ledger.settle({ holdId: 'hold-1', amount: 70n, usage: usage() })).rejects.toMatchObject(UNAVAILABLE)
    await letIn()
    expect(await it.ledger.read('acc')).toMatchObject({ balance: 1_000n, held: 100n, available: 900n })
    expect(await it.reserve('hold-2', 901n)).toMatchObject({ ok: false, reason: 'balance' })
    await it.clock.advance(2_000)
    await expect.poll(() => it.ledger.unsettledOutcomes()).toBe(0)
    expect(await it.ledger.read('acc')).toMatchObject({ balance: 930n, held: 0n })
  })

  test('is told to its caller at once and charged within two seconds of the recovery, once', async () => {
    await using it = await scene(dialect)
    await it.reserve('hold-1')
    const letIn = await it.lockOut()
    await expect(it.ledger.settle({ holdId: 'hold-1', amount: 70n, usage: usage() })).rejects.toMatchObject(UNAVAILABLE)
    await it.clock.advance(MINUTE_MS)
    expect(it.ledger.unsettledOutcomes()).toBe(1)
    await letIn()
    await it.clock.advance(2_000)
    await expect.poll(() => it.ledger.unsettledOutcomes()).toBe(0)
    expect(await it.ledger.read('acc')).toMatchObject({ balance: 930n, held: 0n })
    expect(it.late).toMatchObject([
      { accountId: 'acc', holdId: 'hold-1', charged: 70n, usage: { inputTokens: usage().inputTokens } },
    ])
  })

  test('that was withheld from its caller is released instead of charged', async () => {
    await using it = await scene(dialect)
    await it.reserve('hold-1')
    const letIn = await it.lockOut()
    const settling = it.ledger.settle({ holdId: 'hold-1', amount: 70n, usage: usage(), isUndelivered: true })
    await expect(settling).rejects.toMatchObject(UNAVAILABLE)
    await letIn()
    await it.clock.advance(2_000)
    await expect.poll(() => it.ledger.unsettledOutcomes()).toBe(0)
    expect(await it.ledger.read('acc')).toMatchObject({ balance: 1_000n, held: 0n })
  })

  test('wins over whatever is said of the same hold later', async () => {
    await using it = await scene(dialect)
    await it.reserve('hold-1')
    const letIn = await it.lockOut()
    await expect(it.ledger.settle({ holdId: 'hold-1', amount: 70n })).rejects.toMatchObject(UNAVAILABLE)
    await expect(it.ledger.release({ holdId: 'hold-1' })).rejects.toMatchObject(UNAVAILABLE)
    expect(it.ledger.unsettledOutcomes()).toBe(1)
    await letIn()
    expect(await it.ledger.release({ holdId: 'hold-1' })).toMatchObject({ charged: 70n })
    expect(it.ledger.unsettledOutcomes()).toBe(0)
  })

  test('goes before a sweep that would charge less', async () => {
    await using it = await scene(dialect)
    await it.reserve('hold-1')
    await it.ledger.meter({ holdId: 'hold-1', amount: 5n })
    const letIn = await it.lockOut()
    await expect(it.ledger.settle({ holdId: 'hold-1', amount: 70n })).rejects.toMatchObject(UNAVAILABLE)
    await it.clock.advance(10 * MINUTE_MS)
    await letIn()
    await it.ledger.sweep()
    expect(await it.ledger.read('acc')).toMatchObject({ balance: 930n, held: 0n })
  })

  test('becomes durable when the process stops', async () => {
    await using it = await scene(dialect)
    await it.reserve('hold-1')
    const letIn = await it.lockOut()
    await expect(it.ledger.settle({ holdId: 'hold-1', amount: 70n })).rejects.toMatchObject(UNAVAILABLE)
    await letIn()
    await it.ledger.close()
    expect(it.late).toMatchObject([{ charged: 70n }])
  })

  test('is given up beyond the limit, and said to be', async () => {
    const lost: string[] = []
    await using it = await scene(dialect, { limits: { retryMs: 0, unsettled: 1 }, onLostOutcome: (holdId) => lost.push(holdId) })
    await it.reserve('hold-1')
    await it.reserve('hold-2')
    const letIn = await it.lockOut()
    await expect(it.ledger.settle({ holdId: 'hold-1', amount: 1n })).rejects.toMatchObject(UNAVAILABLE)
    await expect(it.ledger.settle({ holdId: 'hold-2', amount: 1n })).rejects.toMatchObject(UNAVAILABLE)
    expect(lost).toEqual(['hold-2'])
    await letIn()
  })
})

describe('a hold on postgres whose placing is in doubt', () => {
  test('does not stay open', async () => {
    await using kit = await testLedger('postgres')
    const transport = crashable(openTransport(kit.database.url))
    const clock = new ManualClock(kit.clock.now())
    const ledger = await createBatchedLedger({ transport, clock, limits: { retryMs: -1 } })
    await ledger.openAccount('acc', { monthlyCap: null })
    await ledger.topUp({ accountId: 'acc', amount: 1_000n, idempotencyKey: 'k', kind: 'top_up' })
    transport.arm('after')
    const hold = {
      holdId: 'hold-1',
      accountId: 'acc',
      amount: 100n,
      purpose: 'chat' as const,
      expiresAt: clock.now() + MINUTE_MS,
    }
    await expect(ledger.reserve(hold)).rejects.toMatchObject(UNAVAILABLE)
    expect(await ledger.read('acc')).toMatchObject({ held: 100n })
    await clock.advance(100)
    await expect.poll(() => ledger.unsettledOutcomes()).toBe(0)
    expect(await ledger.read('acc')).toMatchObject({ held: 0n, balance: 1_000n })
    await ledger.close()
  })
})
