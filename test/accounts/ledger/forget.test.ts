import { describe, expect, test } from 'vitest'
import { dialects, MINUTE_MS, type TestLedger, testLedger, usage } from './kit/ledger-kit.js'

const DAY_MS = 1440 * MINUTE_MS
const ACCOUNT = 'acc-1'

async function charge({ ledger, clock }: TestLedger, holdId: string, amount: bigint): Promise<void> {
  await ledger.reserve({ holdId, accountId: ACCOUNT, amount: 100n, purpose: 'chat', expiresAt: clock.now() + MINUTE_MS })
  await ledger.settle({ holdId, amount, usage: usage({ createdAt: clock.now() }) })
}

const recorded = async ({ database }: TestLedger) =>
  (
    await database.kysely
      .withTables<{ usage_record: { request_id: string } }>()
      .selectFrom('usage_record')
      .select('request_id')
      .orderBy('request_id')
      .execute()
  ).map((row) => row.request_id)

const violations = async ({ ledger }: TestLedger) => (await ledger.checkInvariants()).violations

describe.each(dialects)('usage records that are kept no longer (%s)', (dialect) => {
  test('go in small steps, their charges stay and still prove the balance, also when they are folded later', async () => {
    await using kit = await testLedger(dialect)
    const { ledger, clock } = kit
    await ledger.openAccount(ACCOUNT, { monthlyCap: null })
    await ledger.topUp({ accountId: ACCOUNT, amount: 100_000n, idempotencyKey: 'start', kind: 'top_up' })
    await Promise.all(Array.from({ length: 450 }, (_, index) => charge(kit, `old-${index}`, index === 0 ? 0n : 2n)))
    const session = { holdId: 'gses-1', accountId: ACCOUNT, amount: 500n, purpose: 'session' as const }
    await ledger.reserve({ ...session, expiresAt: clock.now() + 400 * DAY_MS })
    await ledger.capture({ holdId: 'gses-1', total: 50n })
    clock.time += 40 * DAY_MS
    await charge(kit, 'new', 7n)
    const balance = 100_000n - 898n - 50n - 7n
    expect(await ledger.forgetUsage({ keepDays: 41 })).toEqual({ forgotten: 0 })

    expect(await ledger.forgetUsage({ keepDays: 30 })).toEqual({ forgotten: 450 })
    expect(await recorded(kit)).toEqual(['new'])
    expect(await violations(kit)).toEqual([])
    expect((await ledger.read(ACCOUNT)).balance).toBe(balance)
    expect(await ledger.forgetUsage({ keepDays: 30 })).toEqual({ forgotten: 0 })

    // The top-up and what was charged without a hold; the open session stays whole.
    expect(await ledger.fold({ keepDays: 30 })).toEqual({ folded: 450 })
    expect(await violations(kit)).toEqual([])
    expect((await ledger.read(ACCOUNT)).balance).toBe(balance)
  })

  test('are not confused with records that are missing: these are still found', async () => {
    await using kit = await testLedger(dialect)
    await kit.ledger.openAccount(ACCOUNT, { monthlyCap: null })
    await kit.ledger.topUp({ accountId: ACCOUNT, amount: 100_000n, idempotencyKey: 'start', kind: 'top_up' })
    await charge(kit, 'old', 5n)
    kit.clock.time += 40 * DAY_MS
    await charge(kit, 'new', 5n)
    await kit.ledger.forgetUsage({ keepDays: 30 })
    await kit.database.kysely.withTables<{ usage_record: { request_id: string } }>().deleteFrom('usage_record').execute()
    expect(await violations(kit)).toMatchObject([
      { invariant: 'every charge is told by a hold or a usage record', subject: 'new' },
    ])
  })
})
