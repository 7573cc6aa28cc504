/** Budgets: what may be spent of an account in a period, as exact as the account's own cap. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialects, MINUTE_MS, type TestLedger, testLedger, usage } from './kit/ledger-kit.js'

describe.each(dialects)('a budget on %s', (dialect) => {
  let kit: TestLedger
  let count = 0
  beforeAll(async () => {
    kit = await testLedger(dialect)
  })
  afterAll(() => kit[Symbol.asyncDispose]())

  const unique = (prefix: string) => `${prefix}_${count++}`

  async function funded(amount: bigint, monthlyCap: bigint | null = null): Promise<string> {
    const accountId = unique('acc')
    await kit.ledger.openAccount(accountId, { monthlyCap })
    await kit.ledger.topUp({ accountId, amount, idempotencyKey: 'first', kind: 'top_up' })
    return accountId
  }

  const request = (accountId: string, amount: bigint) => ({
    holdId: unique('hold'),
    accountId,
    amount,
    purpose: 'chat' as const,
    expiresAt: kit.clock.now() + MINUTE_MS,
  })

  /** A budget of the account, and holds out of it. */
  async function budgeted(accountId: string, monthlyCap: bigint | null) {
    const budgetId = unique('budget')
    await kit.ledger.setBudget({ budgetId, accountId, cap: monthlyCap })
    const hold = (amount: bigint, purpose: 'chat' | 'session' = 'chat') => ({
      ...request(accountId, amount),
      purpose,
      budgetIds: [budgetId],
    })
    const read = async (ledger = kit.ledger) => (await ledger.readBudgets([budgetId])).get(budgetId)
    const cap = (cap: bigint | null) => kit.ledger.setBudget({ budgetId, accountId, cap })
    return { budgetId, hold, read, cap }
  }

  const tables = () => kit.database.kysely.withTables<Record<string, Record<string, unknown>>>()
  const entriesOf = async (budgetId: string) => {
    const rows = await tables().selectFrom('ledger_entry').select('amount').where('budget_id', '=', budgetId).execute()
    return rows.map(({ amount }) => amount as bigint)
  }

  test('200 parallel reserves on a key cap for 50 admit exactly 50, from two processes, beside a key without a cap', async () => {
    const accountId = await funded(10_000n)
    const ledgers = await kit.openAll()
    const budget = await budgeted(accountId, 500n)
    const capped = Array.from({ length: 200 }, async (_, index) => ledgers[index % 2]!.reserve(budget.hold(10n)))
    const free = Array.from({ length: 100 }, async (_, index) => ledgers[index % 2]!.reserve(request(accountId, 10n)))
    const results = await Promise.all(capped)
    expect(results.filter((result) => result.ok)).toHaveLength(50)
    expect(results.filter((result) => !result.ok && result.reason === 'budget')).toHaveLength(150)
    expect(results.find((result) => !result.ok)).toMatchObject({ budget: { cap: 500n, held: 500n, available: 0n } })
    expect((await Promise.all(free)).every((result) => result.ok)).toBe(true)
    expect(await budget.read(ledgers[1])).toMatchObject({ held: 500n, spent: 0n, available: 0n })
    expect(await kit.ledger.read(accountId)).toMatchObject({ held: 1_500n, available: 8_500n })
  })

  test('two budgets of one account and their sums in one batch are told apart', async () => {
    const accountId = await funded(1_000n, 300n)
    const [small, large] = [await budgeted(accountId, 20n), await budgeted(accountId, 1_000n)]
    const asked = [small.hold(15n), large.hold(200n), small.hold(15n), request(accountId, 50n), large.hold(100n), small.hold(5n)]
    const results = await Promise.all(asked.map(async (hold) => kit.ledger.reserve(hold)))
    expect(results.map((result) => result.ok || result.reason)).toEqual([true, true, 'budget', true, 'monthly_cap', true])
    const settled = [asked[0]!, asked[1]!, asked[5]!].map(({ holdId }) => kit.ledger.settle({ holdId, amount: 5n }))
    await Promise.all(settled)
    expect(await small.read()).toMatchObject({ held: 0n, spent: 10n, available: 10n })
    expect(await large.read()).toMatchObject({ held: 0n, spent: 5n, available: 995n })
    expect(await kit.ledger.read(accountId)).toMatchObject({ held: 50n, spent: 15n })
  })

  test('a budget follows its holds through extension, capture, settlement, release and sweep', async () => {
    const accountId = await funded(1_000n)
    const budget = await budgeted(accountId, 100n)
    const session = budget.hold(40n, 'session')
    expect(await kit.ledger.reserve(session)).toMatchObject({ ok: true })
    const later = { holdId: session.holdId, expiresAt: kit.clock.now() + MINUTE_MS }
    expect(await kit.ledger.extend({ ...later, toAmount: 101n })).toMatchObject({
      ok: false,
      reason: 'budget',
      budget: { available: 60n, held: 40n },
    })
    expect(await kit.ledger.extend({ ...later, toAmount: 70n })).toMatchObject({ ok: true })
    await kit.ledger.capture({ holdId: session.holdId, total: 30n })
    expect(await budget.read()).toMatchObject({ held: 40n, spent: 30n, available: 30n })
    const [settled, released, swept] = [budget.hold(10n), budget.hold(10n), budget.hold(10n)]
    for (const hold of [settled, released, swept]) expect(await kit.ledger.reserve(hold)).toMatchObject({ ok: true })
    expect(await kit.ledger.reserve(budget.hold(1n))).toMatchObject({ ok: false, reason: 'budget' })
    expect(await kit.ledger.reserve(settled)).toMatchObject({ ok: true, replayed: true })
    await kit.ledger.settle({ holdId: settled.holdId, amount: 4n, usage: usage() })
    await kit.ledger.settle({ holdId: settled.holdId, amount: 9n, usage: usage() })
    await kit.ledger.release({ holdId: released.holdId })
    await kit.ledger.meter({ holdId: swept.holdId, amount: 3n })
    kit.clock.time += MINUTE_MS + 1
    await kit.ledger.sweep()
    // The session captured 30 and metered nothing more; its hold expired too.
    expect(await budget.read()).toMatchObject({ held: 0n, spent: 37n, available: 63n })
    const charges = await entriesOf(budget.budgetId)
    expect(charges.reduce((sum, amount) => sum + amount, 0n)).toBe(-37n)
  })

  test("a budget's cap can be lowered, taken away and given back, and a new month starts with nothing spent", async () => {
    const accountId = await funded(1_000n)
    const budget = await budgeted(accountId, 100n)
    const first = budget.hold(60n)
    await kit.ledger.reserve(first)
    await budget.cap(50n)
    expect(await budget.read()).toMatchObject({ held: 60n, available: 0n })
    await kit.ledger.settle({ holdId: first.holdId, amount: 60n })
    await budget.cap(null)
    const free = budget.hold(500n)
    expect(await kit.ledger.reserve(free)).toMatchObject({ ok: true })
    await kit.ledger.release({ holdId: free.holdId })
    await budget.cap(70n)
    expect(await kit.ledger.reserve(budget.hold(11n))).toMatchObject({ ok: false, reason: 'budget' })
    const before = kit.clock.now()
    kit.clock.nextMonth()
    expect(await budget.read()).toMatchObject({ spent: 0n, available: 70n })
    expect(await kit.ledger.reserve(budget.hold(70n))).toMatchObject({ ok: true })
    kit.clock.time = before
    expect(await kit.ledger.reserve(budget.hold(1n))).toMatchObject({ ok: false, reason: 'budget' })
  })

  test('a hold comes out of all of its budgets or of none, from two processes at once, and the tightest is told', async () => {
    const accountId = await funded(10_000n)
    const ledgers = await kit.openAll()
    const [wide, tight, other] = [
      await budgeted(accountId, 900n),
      await budgeted(accountId, 300n),
      await budgeted(accountId, 500n),
    ]
    const both = () => ({ ...request(accountId, 10n), budgetIds: [wide.budgetId, tight.budgetId] })
    const one = () => ({ ...request(accountId, 10n), budgetIds: [wide.budgetId, other.budgetId] })
    const asked = Array.from({ length: 160 }, async (_, index) => ledgers[index % 2]!.reserve(index % 4 < 2 ? both() : one()))
    const results = await Promise.all(asked)
    expect(results.filter((result) => result.ok)).toHaveLength(80)
    const refused = results.filter((result) => !result.ok)
    expect(refused.map((result) => result.budget?.available)).toEqual(Array.from({ length: 80 }, () => 0n))
    const told = new Set(refused.map((result) => result.budget?.budgetId))
    expect(told).toEqual(new Set([tight.budgetId, other.budgetId]))
    expect(await wide.read(ledgers[1])).toMatchObject({ held: 800n, available: 100n })
    expect(await tight.read()).toMatchObject({ held: 300n, available: 0n })
    expect(await other.read()).toMatchObject({ held: 500n, available: 0n })
  })

  test('what is open at the turn of a period is held of the next, and charged in the one in which it is charged', async () => {
    const accountId = await funded(1_000n)
    const budgetId = unique('budget')
    await kit.ledger.setBudget({ budgetId, accountId, cap: 100n, every: 'hour', ownerId: accountId })
    const hold = (amount: bigint) => ({ ...request(accountId, amount), budgetIds: [budgetId] })
    const read = async () => (await kit.ledger.readBudgets([budgetId])).get(budgetId)
    const [early, late] = [hold(50n), { ...hold(40n), purpose: 'session' as const, expiresAt: kit.clock.now() + 90 * MINUTE_MS }]
    for (const one of [early, late]) expect(await kit.ledger.reserve(one)).toMatchObject({ ok: true })
    await kit.ledger.settle({ holdId: early.holdId, amount: 50n })
    expect(await kit.ledger.reserve(hold(11n))).toMatchObject({ ok: false, reason: 'budget', budget: { spent: 50n, held: 40n } })
    kit.clock.time += 60 * MINUTE_MS
    expect(await read()).toMatchObject({ spent: 0n, held: 40n, available: 60n })
    await kit.ledger.settle({ holdId: late.holdId, amount: 30n })
    expect(await read()).toMatchObject({ spent: 30n, held: 0n, available: 70n })
    // Holds of others have outlived themselves in this hour.
    await kit.ledger.sweep()
    expect((await kit.ledger.checkInvariants()).violations).toEqual([])
  })

  test("a budget is one account's, and nothing comes out of one that is not there", async () => {
    const [accountId, other] = [await funded(100n), await funded(100n)]
    const { budgetId } = await budgeted(accountId, 50n)
    await expect(kit.ledger.setBudget({ budgetId, accountId: other, cap: 1n })).rejects.toMatchObject({
      code: 'idempotency_conflict',
    })
    await expect(kit.ledger.setBudget({ budgetId: 'new', accountId: 'nobody', cap: 1n })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(kit.ledger.reserve({ ...request(other, 1n), budgetIds: [budgetId] })).rejects.toThrow('unknown_budget')
    await expect(kit.ledger.reserve({ ...request(accountId, 1n), budgetIds: ['none'] })).rejects.toThrow('unknown_budget')
    expect(await kit.ledger.readBudgets([])).toEqual(new Map())
    expect(await kit.ledger.read(other)).toMatchObject({ held: 0n })
  })

  test('shows up in the invariant report when its figures are wrong, and everything above kept them right', async () => {
    expect((await kit.ledger.checkInvariants()).violations).toEqual([])
    await using broken = await testLedger(dialect)
    await broken.ledger.openAccount('acc', { monthlyCap: null })
    await broken.ledger.topUp({ accountId: 'acc', amount: 5n, idempotencyKey: 'k', kind: 'top_up' })
    const brokenTables = broken.database.kysely.withTables<Record<string, Record<string, unknown>>>()
    await broken.ledger.setBudget({ budgetId: 'b', accountId: 'acc', cap: 5n })
    const hold = {
      holdId: 'h',
      accountId: 'acc',
      purpose: 'chat' as const,
      expiresAt: broken.clock.now() + MINUTE_MS,
      budgetIds: ['b'],
    }
    await broken.ledger.reserve({ ...hold, amount: 3n })
    await broken.ledger.settle({ holdId: 'h', amount: 2n, usage: usage() })
    expect((await broken.ledger.checkInvariants()).violations).toEqual([])
    await brokenTables.updateTable('ledger_budget').set({ spent: 1n, held: 1n }).execute()
    expect((await broken.ledger.checkInvariants()).violations).toEqual([
      { invariant: 'held of a budget is what its open holds still cover', subject: 'b', detail: 'held 1, open 0' },
      {
        invariant: 'a budget has spent at least what its charges of this period say',
        subject: 'b',
        detail: 'spent 1, charges 2',
      },
    ])
    await broken.ledger.setBudget({ budgetId: 'day', accountId: 'acc', cap: 5n, every: 'day', ownerId: 'acc' })
    await brokenTables.updateTable('ledger_budget').set({ spent: 2n, held: 0n }).execute()
    await broken.ledger.reserve({ ...hold, holdId: 'two', purpose: 'session', amount: 1n, budgetIds: ['b', 'day'] })
    await broken.ledger.capture({ holdId: 'two', total: 1n })
    expect((await broken.ledger.checkInvariants()).violations).toEqual([])
    await brokenTables.updateTable('ledger_budget').set({ spent: 0n }).where('id', '=', 'day').execute()
    expect((await broken.ledger.checkInvariants()).violations).toMatchObject([{ subject: 'day', detail: 'spent 0, charges 1' }])
    await brokenTables.deleteFrom('ledger_budget').where('id', '=', 'day').execute()
    // Both the hold and its charge.
    expect((await broken.ledger.checkInvariants()).violations).toMatchObject([
      { subject: 'two', detail: 'of b day' },
      { subject: 'two', detail: 'of b day' },
    ])
    await brokenTables.deleteFrom('ledger_budget').execute()
    expect((await broken.ledger.checkInvariants()).violations).toMatchObject([
      { subject: 'two', detail: 'of b day' },
      { subject: 'h', detail: 'of b' },
      { subject: 'two', detail: 'of b day' },
    ])
  })
})
