import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBatchedLedger } from '../../../subgraphs/accounts/ledger/batched-ledger.js'
import { byEffort } from '../../kit/effort.js'
import { crashable, dialects, MINUTE_MS, openTransport, type TestLedger, testLedger, usage } from './kit/ledger-kit.js'

const DAY_MS = 1440 * MINUTE_MS
const RUNS = byEffort({ brief: 2, short: 5, long: 50 })

type Step =
  | { readonly verb: 'top_up' | 'charge' | 'release' | 'capture'; readonly account: number; readonly amount: number }
  | { readonly verb: 'wait'; readonly hours: number }
  | { readonly verb: 'fold'; readonly days: number; readonly crash: 'before' | 'after' | 'during' | null }

const account = fc.nat(1)
const amount = fc.integer({ min: 1, max: 50 })
const steps = fc.array(
  fc.oneof(
    fc.record({
      verb: fc.constantFrom('top_up' as const, 'charge' as const, 'release' as const, 'capture' as const),
      account,
      amount,
    }),
    fc.record({ verb: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 60 }) }),
    fc.record({
      verb: fc.constant('fold' as const),
      days: fc.integer({ min: 1, max: 3 }),
      crash: fc.constantFrom(null, 'before' as const, 'after' as const, 'during' as const),
    }),
  ),
  { minLength: 20, maxLength: 40 },
)

/** One history against one ledger; the balances are kept beside it. */
async function play(
  kit: TestLedger,
  run: number,
  history: readonly Step[],
  seen: { folds: number; crashes: number },
): Promise<void> {
  const transport = crashable(openTransport(kit.database.url))
  const ledger = await createBatchedLedger({ transport, clock: kit.clock })
  const balances = [0n, 0n]
  const captured = [0n, 0n]
  const name = (index: number) => `acc-${run}-${index}`
  const expiresAt = kit.clock.now() + 400 * DAY_MS
  for (const index of [0, 1]) {
    await ledger.openAccount(name(index), { monthlyCap: null })
    await ledger.topUp({ accountId: name(index), amount: 10_000n, idempotencyKey: 'start', kind: 'top_up' })
    balances[index] = 10_000n
    const hold = {
      holdId: `gses-${run}-${index}`,
      accountId: name(index),
      amount: 5_000n,
      purpose: 'session' as const,
      expiresAt,
    }
    await ledger.reserve(hold)
  }
  for (const [place, step] of history.entries()) {
    if (step.verb === 'wait') kit.clock.time += step.hours * 60 * MINUTE_MS
    else if (step.verb === 'fold') {
      const crashes = transport.crashes
      if (step.crash) transport.arm(step.crash)
      seen.folds += (await ledger.fold({ keepDays: step.days })).folded
      seen.crashes += transport.crashes - crashes
      expect((await ledger.checkInvariants()).violations).toEqual([])
    } else {
      const total = BigInt(step.amount)
      const accountId = name(step.account)
      const holdId = `req-${run}-${place}`
      if (step.verb === 'top_up') {
        await ledger.topUp({ accountId, amount: total, idempotencyKey: `k-${place}`, kind: 'top_up' })
        balances[step.account]! += total
      } else if (step.verb === 'capture') {
        captured[step.account]! += total
        balances[step.account]! -= total
        await ledger.capture({ holdId: `gses-${run}-${step.account}`, total: captured[step.account]! })
      } else {
        await ledger.reserve({ holdId, accountId, amount: total, purpose: 'chat', expiresAt })
        const charged = step.verb === 'charge' ? total : 0n
        await ledger.settle({ holdId, amount: charged, usage: usage({ createdAt: kit.clock.now() }) })
        balances[step.account]! -= charged
      }
    }
  }
  for (const index of [0, 1]) {
    await ledger.settle({ holdId: `gses-${run}-${index}`, amount: captured[index]! })
    expect(await ledger.read(name(index))).toMatchObject({ balance: balances[index], held: 0n })
  }
  kit.clock.time += 10 * DAY_MS
  await ledger.fold({ keepDays: 1 })
  for (const index of [0, 1]) expect(await ledger.read(name(index))).toMatchObject({ balance: balances[index] })
  expect((await ledger.checkInvariants()).violations).toEqual([])
  expect((await ledger.readHolds([`gses-${run}-0`])).size).toBe(0)
  await ledger.close()
}

describe.each(dialects)('folding on %s', (dialect) => {
  test('leaves balances and promises as they are, whenever and however often it happens', { timeout: 60_000 }, async () => {
    await using kit = await testLedger(dialect)
    const seen = { folds: 0, crashes: 0 }
    let run = 0
    await fc.assert(
      fc.asyncProperty(steps, (history) => play(kit, run++, history, seen)),
      { numRuns: RUNS, seed: 20_261_122, endOnFailure: true },
    )
    expect(seen.folds).toBeGreaterThan(3 * RUNS)
    expect(seen.crashes).toBeGreaterThan(RUNS)
  })

  test('keeps one charge and one credit a day, and nothing of what was charged for', async () => {
    await using kit = await testLedger(dialect)
    const { ledger, clock } = kit
    await ledger.openAccount('acc', { monthlyCap: null })
    await ledger.topUp({ accountId: 'acc', amount: 1_000n, idempotencyKey: 'k', kind: 'top_up' })
    for (let index = 0; index < 450; index++) {
      await ledger.reserve({
        holdId: `req-${index}`,
        accountId: 'acc',
        amount: 1n,
        purpose: 'chat',
        expiresAt: clock.now() + DAY_MS,
      })
      await ledger.settle({ holdId: `req-${index}`, amount: 1n, usage: usage() })
    }
    expect(await ledger.fold({ keepDays: 30 })).toEqual({ folded: 0 })
    clock.time += 31 * DAY_MS
    expect(await ledger.fold({ keepDays: 30 })).toEqual({ folded: 451 })
    const rows = await kit.database.orm.em
      .getConnection()
      .execute<{ reference: string; kind: string; amount: unknown }[]>(
        'select reference, kind, amount from ledger_entry order by kind',
      )
    expect(rows.map(({ reference, kind, amount }) => [reference, kind, Number(amount)])).toEqual([
      ['folded/2026-11-21', 'folded_charge', -450],
      ['folded/2026-11-21', 'folded_credit', 1_000],
    ])
    expect(await ledger.checkInvariants()).toMatchObject({ violations: [], entries: 2 })
    expect(await ledger.read('acc')).toMatchObject({ balance: 550n })
    expect(await ledger.fold({ keepDays: 30 })).toEqual({ folded: 0 })
  })
})
