import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ledgerEntities } from '../../../subgraphs/accounts/ledger/ledger-tables.js'
import { MAX_AMOUNT } from '../../../subgraphs/accounts/ledger/ledger.js'
import { schemaDrift, testDatabase } from '../../kit/database.js'
import { keepsHoldsInMemory, MINUTE_MS, type TestLedger, testLedger, usage } from './kit/ledger-kit.js'

const KINDS = [
  ['sqlite', 'sqlite', false],
  ['postgres', 'postgres', false],
  ['postgres with leases', 'postgres', true],
] as const

describe.each(KINDS)('the ledger on %s', (_, dialect, hasLeases) => {
  const isInMemory = keepsHoldsInMemory(dialect)
  let kit: TestLedger
  let count = 0
  beforeAll(async () => {
    kit = await testLedger(dialect, hasLeases)
  })
  afterAll(() => kit[Symbol.asyncDispose]())

  const unique = (prefix: string) => `${prefix}_${count++}`

  async function funded(amount: bigint, monthlyCap: bigint | null = null): Promise<string> {
    const accountId = unique('acc')
    await kit.ledger.openAccount(accountId, { monthlyCap })
    if (amount > 0n) await kit.ledger.topUp({ accountId, amount, idempotencyKey: 'first', kind: 'top_up' })
    return accountId
  }

  const request = (accountId: string, amount: bigint, holdId = unique('hold')) => ({
    holdId,
    accountId,
    amount,
    purpose: 'chat' as const,
    expiresAt: kit.clock.now() + MINUTE_MS,
  })

  const rows = (table: 'usage_record' | 'ledger_entry', where: Record<string, string>) => {
    let query = kit.database.kysely.withTables<Record<string, Record<string, unknown>>>().selectFrom(table).selectAll()
    for (const [column, value] of Object.entries(where)) query = query.where(column, '=', value)
    return query.orderBy('account_id').execute()
  }

  test('1,000 concurrent reserves on a balance for 250 admit exactly 250', async () => {
    const accountId = await funded(2_500n)
    const ledgers = await kit.openAll()
    const results = await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => ledgers[index % 2]!.reserve(request(accountId, 10n))),
    )
    expect(results.filter((result) => result.ok)).toHaveLength(250)
    expect(results.filter((result) => !result.ok && result.reason === 'balance')).toHaveLength(750)
    expect(await kit.ledger.read(accountId)).toMatchObject({ balance: 2_500n, held: 2_500n, available: 0n })
  })

  test('an account without credits is refused also on its first request', async () => {
    const accountId = await funded(0n)
    expect(await kit.ledger.reserve(request(accountId, 1n))).toMatchObject({ ok: false, reason: 'balance' })
    expect(await kit.ledger.reserve(request(accountId, 0n))).toMatchObject({ ok: true })
  })

  test('an unknown account and an unknown hold are named as such', async () => {
    await expect(kit.ledger.reserve(request('nobody', 0n))).rejects.toMatchObject({ code: 'not_found' })
    await expect(kit.ledger.read('nobody')).rejects.toMatchObject({ code: 'not_found' })
    await expect(kit.ledger.extend({ holdId: 'none', toAmount: 1n, expiresAt: 1 })).rejects.toMatchObject({ code: 'not_found' })
    expect(await kit.ledger.release({ holdId: 'none' })).toMatchObject({ outcome: 'unknown', charged: 0n })
    expect(await kit.ledger.meter({ holdId: 'none', amount: 1n })).toBe(false)
  })

  test('a settlement charges once, frees the rest and writes entries and usage together', async () => {
    const accountId = await funded(100n)
    const { holdId } = await reserved(accountId, 40n)
    const settled = await kit.ledger.settle({ holdId, amount: 15n, usage: usage({ modelId: 'model-x' }) })
    expect(settled).toMatchObject({
      outcome: 'settled',
      charged: 15n,
      clipped: false,
      account: { balance: 85n, held: 0n, spent: 15n },
    })
    for (const amount of [15n, 40n, 0n]) {
      expect(await kit.ledger.settle({ holdId, amount, usage: usage() })).toMatchObject({ outcome: 'duplicate', charged: 15n })
    }
    const entries = await rows('ledger_entry', { reference: holdId })
    expect(entries.map((entry) => [entry.account_id, entry.kind, entry.amount])).toEqual([[accountId, 'charge', -15n]])
    expect(await rows('usage_record', { request_id: holdId })).toMatchObject([
      {
        account_id: accountId,
        model_id: 'model-x',
        cost: 15n,
        provider_cost: 3n,
        input_tokens: 10,
        cached_input_tokens: 2,
        output_tokens: 5,
        usage_source: 'reported',
        ended_as: 'completed',
        first_token_ms: 120,
        duration_ms: 900,
        attempts: 1,
        api: 'messages',
        code_findings: 2,
      },
    ])
    expect(await kit.ledger.read(accountId)).toMatchObject({ balance: 85n, held: 0n, available: 85n })
  })

  test('100 concurrent settlements of one hold charge it once', async () => {
    const accountId = await funded(100n)
    const { holdId } = await reserved(accountId, 40n)
    const results = await Promise.all(Array.from({ length: 100 }, () => kit.ledger.settle({ holdId, amount: 7n })))
    expect(results.filter((result) => result.outcome === 'settled')).toHaveLength(1)
    expect(await kit.ledger.read(accountId)).toMatchObject({ balance: 93n, held: 0n })
  })

  test('a settlement above the hold is clipped to it and says so', async () => {
    const accountId = await funded(100n)
    const { holdId } = await reserved(accountId, 40n)
    expect(await kit.ledger.settle({ holdId, amount: 41n })).toMatchObject({ outcome: 'settled', charged: 40n, clipped: true })
  })

  test('a release charges nothing, and a description never fails a settlement', async () => {
    const accountId = await funded(100n)
    const { holdId } = await reserved(accountId, 40n)
    const odd = usage({ modelId: `a\0${'b'.repeat(400)}`, durationMs: Number.NaN, route: 'x\0y', endedAs: 'failed' })
    expect(await kit.ledger.release({ holdId, usage: odd })).toMatchObject({ outcome: 'settled', charged: 0n, clipped: false })
    expect(await kit.ledger.read(accountId)).toMatchObject({ balance: 100n, held: 0n, spent: 0n })
    expect(await rows('usage_record', { request_id: holdId })).toMatchObject([{ cost: 0n, ended_as: 'failed', route: 'xy' }])
  })

  test('repeating a reserve changes nothing; a different one under its id is a conflict', async () => {
    const accountId = await funded(100n)
    const first = await reserved(accountId, 40n)
    expect(await kit.ledger.reserve(first)).toMatchObject({ ok: true, replayed: true, account: { held: 40n } })
    await expect(kit.ledger.reserve({ ...first, amount: 41n })).rejects.toMatchObject({ code: 'idempotency_conflict' })
    // Raised, it is the hold of its new amount.
    expect(await kit.ledger.extend({ holdId: first.holdId, toAmount: 50n, expiresAt: 0 })).toMatchObject({ ok: true })
    expect(await kit.ledger.reserve({ ...first, amount: 41n })).toMatchObject({
      ok: true,
      replayed: true,
      account: { held: 50n },
    })
    const accountOfAnother = await funded(100n)
    await expect(kit.ledger.reserve({ ...first, accountId: accountOfAnother })).rejects.toMatchObject({
      code: 'idempotency_conflict',
    })
    const settling = kit.ledger.settle({ holdId: first.holdId, amount: 1n })
    expect(await kit.ledger.reserve(first)).toMatchObject({ ok: false, reason: 'closed' })
    await settling
    // Memory does not know every id that was ever charged; the charge does.
    expect((await kit.ledger.reserve(first)).ok).toBe(isInMemory)
    expect(await kit.ledger.settle({ holdId: first.holdId, amount: 7n })).toMatchObject({ outcome: 'duplicate', charged: 1n })
    expect(await kit.ledger.read(accountId)).toMatchObject({ balance: 99n, held: 0n })
  })

  test('a top-up is applied once per account and key', async () => {
    const [accountId, second] = [await funded(0n), await funded(0n)]
    const topUp = { accountId, amount: 50n, idempotencyKey: 'payment-1', kind: 'top_up' }
    const results = await Promise.all(Array.from({ length: 20 }, () => kit.ledger.topUp(topUp)))
    expect(results.filter((result) => result.applied)).toHaveLength(1)
    expect((await kit.ledger.topUp({ ...topUp, accountId: second })).applied).toBe(true)
    await expect(kit.ledger.topUp({ ...topUp, amount: 51n })).rejects.toMatchObject({ code: 'idempotency_conflict' })
    expect(await kit.ledger.read(accountId)).toMatchObject({ balance: 50n })
  })

  test('the same top-up from two processes at once is applied once', async () => {
    const accountId = await funded(0n)
    const other = await kit.openAnother()
    for (let round = 0; round < 10; round++) {
      const topUp = { accountId, amount: 1n, idempotencyKey: `round-${round}`, kind: 'top_up' }
      const results = await Promise.all([kit.ledger.topUp(topUp), other.topUp(topUp)])
      expect(results.filter((result) => result.applied)).toHaveLength(1)
    }
    expect(await kit.ledger.read(accountId)).toMatchObject({ balance: 10n })
  })

  test('amounts that do not fit are refused before they reach the database', async () => {
    const accountId = await funded(0n)
    await expect(kit.ledger.reserve(request(accountId, -1n))).rejects.toMatchObject({ code: 'invalid_request_error' })
    await expect(kit.ledger.reserve(request(accountId, 2n ** 63n))).rejects.toMatchObject({ code: 'invalid_request_error' })
    await kit.ledger.topUp({ accountId, amount: MAX_AMOUNT, idempotencyKey: 'most', kind: 'top_up' })
    await expect(kit.ledger.topUp({ accountId, amount: 1n, idempotencyKey: 'more', kind: 'top_up' })).rejects.toMatchObject({
      code: 'invalid_request_error',
    })
    expect(await kit.ledger.read(accountId)).toMatchObject({ balance: MAX_AMOUNT })
    const { holdId } = await reserved(accountId, MAX_AMOUNT)
    expect(await kit.ledger.settle({ holdId, amount: MAX_AMOUNT })).toMatchObject({
      charged: MAX_AMOUNT,
      account: { balance: 0n },
    })
    await expect(kit.ledger.openAccount('sluice:revenue', { monthlyCap: null })).rejects.toMatchObject({
      code: 'invalid_request_error',
    })
  })

  test('the monthly cap covers what is spent and held, and can be changed', async () => {
    const accountId = await funded(1_000n, 100n)
    const first = await reserved(accountId, 60n)
    expect(await kit.ledger.reserve(request(accountId, 41n))).toMatchObject({
      ok: false,
      reason: 'monthly_cap',
      account: { available: 40n },
    })
    await kit.ledger.settle({ holdId: first.holdId, amount: 50n })
    expect(await kit.ledger.reserve(request(accountId, 51n))).toMatchObject({ ok: false, reason: 'monthly_cap' })
    await kit.ledger.setMonthlyCap(accountId, 101n)
    await reserved(accountId, 51n)
    await kit.ledger.setMonthlyCap(accountId, 10n)
    expect(await kit.ledger.read(accountId)).toMatchObject({ available: 0n, monthlyCap: 10n })
    await kit.ledger.setMonthlyCap(accountId, null)
    await reserved(accountId, 800n)
    await expect(kit.ledger.setMonthlyCap('nobody', null)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('a new month starts with nothing spent, and a clock that steps back does not reopen the old one', async () => {
    const accountId = await funded(1_000n, 100n)
    const before = kit.clock.now()
    await kit.ledger.settle({ holdId: (await reserved(accountId, 100n)).holdId, amount: 100n })
    expect(await kit.ledger.reserve(request(accountId, 1n))).toMatchObject({ ok: false, reason: 'monthly_cap' })
    kit.clock.nextMonth()
    const next = new Date(kit.clock.now()).toISOString().slice(0, 7)
    expect(await kit.ledger.read(accountId)).toMatchObject({ spent: 0n, period: next, available: 100n })
    await kit.ledger.settle({ holdId: (await reserved(accountId, 10n)).holdId, amount: 5n })
    // The hold of the old month is charged to the month in which it settles.
    const held = await reserved(accountId, 70n)
    kit.clock.time = before
    expect(await kit.ledger.settle({ holdId: held.holdId, amount: 70n })).toMatchObject({ account: { spent: 75n, period: next } })
    expect(await kit.ledger.reserve(request(accountId, 26n))).toMatchObject({ ok: false, reason: 'monthly_cap' })
    expect(await kit.ledger.reserve(request(accountId, 25n))).toMatchObject({ ok: true })
  })

  test('a session is charged by watermark while its hold stays open', async () => {
    const accountId = await funded(1_000n)
    const { holdId } = await reserved(accountId, 100n, 'session')
    expect(await kit.ledger.capture({ holdId, total: 30n })).toMatchObject({ outcome: 'settled', charged: 30n, clipped: false })
    expect(await kit.ledger.capture({ holdId, total: 30n })).toMatchObject({ outcome: 'duplicate', charged: 30n })
    expect(await kit.ledger.capture({ holdId, total: 20n })).toMatchObject({ outcome: 'duplicate', charged: 30n })
    expect(await kit.ledger.capture({ holdId, total: 70n })).toMatchObject({
      charged: 70n,
      account: { balance: 930n, held: 30n },
    })
    expect(await kit.ledger.extend({ holdId, toAmount: 150n, expiresAt: kit.clock.now() + 2 * MINUTE_MS })).toMatchObject({
      ok: true,
      replayed: false,
      account: { held: 80n },
    })
    expect(await kit.ledger.extend({ holdId, toAmount: 150n, expiresAt: 0 })).toMatchObject({ ok: true, replayed: true })
    expect(await kit.ledger.extend({ holdId, toAmount: 1_151n, expiresAt: 0 })).toMatchObject({ ok: false, reason: 'balance' })
    expect(await kit.ledger.capture({ holdId, total: 999n })).toMatchObject({ charged: 150n, clipped: true })
    expect(await kit.ledger.settle({ holdId, amount: 10n })).toMatchObject({ outcome: 'settled', charged: 150n })
    expect(await kit.ledger.extend({ holdId, toAmount: 200n, expiresAt: 0 })).toMatchObject({ ok: false, reason: 'closed' })
    expect(await kit.ledger.read(accountId)).toMatchObject({ balance: 850n, held: 0n, spent: 150n })
    const holds = await kit.ledger.readHolds([holdId, 'none'])
    expect([...holds.values()]).toMatchObject([{ holdId, amount: 150n, captured: 150n, state: 'captured', purpose: 'session' }])
  })

  test('a sweep settles what dead processes left, at its metered cost, and leaves the living alone', async () => {
    const accountId = await funded(1_000n)
    const other = await kit.openAnother()
    const metered = { ...request(accountId, 100n), keyId: 'key_7', modelId: 'model-7' }
    const untouched = request(accountId, 100n)
    const session = { ...request(accountId, 100n), purpose: 'session' as const }
    for (const hold of [metered, untouched, session]) expect((await other.reserve(hold)).ok).toBe(true)
    // Until then it is void with its process where holds live in memory.
    await other.meter({ holdId: untouched.holdId, amount: 0n })
    expect(await other.meter({ holdId: metered.holdId, amount: 40n })).toBe(true)
    expect(await other.meter({ holdId: metered.holdId, amount: 30n })).toBe(true)
    const living = await reserved(accountId, 100n)

    expect((await kit.ledger.sweep()).closed).toEqual([])
    const { closed } = await kit.ledger.sweep({ deadOwners: [other.ownerId] })
    expect(closed.toSorted((a, b) => Number(b.charged - a.charged))).toEqual([
      { holdId: metered.holdId, accountId, charged: 30n },
      { holdId: untouched.holdId, accountId, charged: 0n },
    ])
    expect(await kit.ledger.read(accountId)).toMatchObject({ balance: 970n, held: 200n })
    expect(await rows('usage_record', { request_id: metered.holdId })).toMatchObject([
      { key_id: 'key_7', model_id: 'model-7', cost: 30n, ended_as: 'swept' },
    ])
    expect(await other.settle({ holdId: metered.holdId, amount: 90n })).toMatchObject({ outcome: 'duplicate', charged: 30n })
    expect(await other.meter({ holdId: metered.holdId, amount: 90n })).toBe(false)

    // Every hold ends at its expiry, whoever owns it; a hold that was metered above its capture pays the difference.
    await kit.ledger.capture({ holdId: session.holdId, total: 20n })
    await kit.ledger.meter({ holdId: living.holdId, amount: 500n })
    kit.clock.time += MINUTE_MS + 1
    const expired = await kit.ledger.sweep({ staleAfterMs: 60 * MINUTE_MS })
    expect(expired.closed).toContainEqual({ holdId: session.holdId, accountId, charged: 20n })
    expect(expired.closed).toContainEqual({ holdId: living.holdId, accountId, charged: 100n })
    const holds = await kit.ledger.readHolds([session.holdId, living.holdId])
    expect([...holds.values()].map((hold) => hold.state)).toEqual(['expired', 'expired'])
    expect(await kit.ledger.read(accountId)).toMatchObject({ balance: 850n, held: 0n })
  })

  test('a process without a heartbeat counts as dead, and one that closed leaves nothing to wait for', async () => {
    const accountId = await funded(1_000n)
    const silent = await kit.openAnother()
    const left = await kit.openAnother()
    const late = { expiresAt: kit.clock.now() + 60 * MINUTE_MS }
    const ofSilent = { ...request(accountId, 10n), ...late }
    const ofLeft = { ...request(accountId, 10n), ...late }
    await silent.reserve(ofSilent)
    await left.reserve(ofLeft)
    await silent.meter({ holdId: ofSilent.holdId, amount: 0n })
    await left.meter({ holdId: ofLeft.holdId, amount: 0n })
    await left.close()
    expect((await kit.ledger.sweep()).closed).toEqual([{ holdId: ofLeft.holdId, accountId, charged: 0n }])
    kit.clock.time += 20_001
    expect((await kit.ledger.sweep()).closed).toEqual([{ holdId: ofSilent.holdId, accountId, charged: 0n }])
    await expect(left.reserve(request(accountId, 1n))).rejects.toMatchObject({ code: 'shutting_down' })
  })

  test('what was seen lately is known without waiting, and forgotten when it may be wrong', async () => {
    const accountId = await funded(100n)
    await reserved(accountId, 40n)
    expect(kit.ledger.lastKnown(accountId)).toMatchObject({ available: 60n })
    kit.clock.time += 2_001
    expect(kit.ledger.lastKnown(accountId)).toBeNull()
    expect(kit.ledger.lastKnown('nobody')).toBeNull()
  })

  test('an operation that the database rejects fails alone, not its batch', async () => {
    const accountId = await funded(1_000n)
    const holds = await Promise.all(Array.from({ length: 50 }, () => reserved(accountId, 10n)))
    await rejectModel(kit, 'poison')
    const results = await Promise.allSettled(
      holds.map(({ holdId }, index) =>
        kit.ledger.settle({ holdId, amount: 1n, usage: usage({ modelId: index === 17 ? 'poison' : 'model-1' }) }),
      ),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(49)
    expect(results[17]).toMatchObject({ status: 'rejected', reason: { code: 'server_error' } })
    expect(await kit.ledger.read(accountId)).toMatchObject({ balance: 951n, held: 10n })
    expect(await kit.ledger.settle({ holdId: holds[17]?.holdId ?? '', amount: 1n })).toMatchObject({ outcome: 'settled' })
  })

  test('its tables are the same in the entities and in the database', async () => {
    await using fresh = await testDatabase(dialect, ledgerEntities, true)
    expect(await schemaDrift(fresh)).toBe('')
  })

  test('a broken promise shows up in the invariant report', async () => {
    await using broken = await testLedger(dialect)
    await broken.ledger.openAccount('acc', { monthlyCap: null })
    await broken.ledger.topUp({ accountId: 'acc', amount: 5n, idempotencyKey: 'k', kind: 'top_up' })
    const tables = broken.database.kysely.withTables<Record<string, Record<string, unknown>>>()
    expect(await broken.ledger.checkInvariants()).toEqual({ ok: true, accounts: 1, entries: 1, openHolds: 0, violations: [] })
    await tables.updateTable('ledger_account').set({ balance: 6n, held: 1n }).execute()
    const { ok, violations } = await broken.ledger.checkInvariants()
    expect(ok).toBe(false)
    expect(violations.map((violation) => violation.invariant)).toEqual([
      'the entries of an account sum to its balance',
      'held is what the open holds still cover, and what is leased',
    ])
    await expect(tables.updateTable('ledger_account').set({ balance: 0n }).execute()).rejects.toThrow(/covers_holds/)
    await tables.updateTable('ledger_account').set({ balance: 5n, held: 0n }).execute()
  })

  test('keeps every invariant through all of the above', async () => {
    const report = await kit.ledger.checkInvariants()
    expect(report.violations).toEqual([])
    expect(report.entries).toBeGreaterThan(50)
  })

  async function reserved(accountId: string, amount: bigint, purpose: 'chat' | 'session' = 'chat') {
    const hold = { ...request(accountId, amount), purpose }
    expect(await kit.ledger.reserve(hold)).toMatchObject({ ok: true, replayed: false })
    return hold
  }
})

/** A database that refuses usage records of one model. */
async function rejectModel(kit: TestLedger, modelId: string): Promise<void> {
  const run = (sql: string) => kit.database.orm.em.getConnection().execute(sql)
  if (kit.database.dialect === 'sqlite') {
    await run(`create trigger reject before insert on usage_record when new.model_id = '${modelId}'
      begin select raise(abort, 'rejected'); end`)
    return
  }
  await run(`create function reject() returns trigger language plpgsql as $$ begin
    if new.model_id = '${modelId}' then raise exception 'rejected' using errcode = 'check_violation'; end if; return new; end $$`)
  await run('create trigger reject before insert on usage_record for each row execute function reject()')
}
