/** Operators hear of money that runs out: each thing once, whoever looks and however often. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Dialect } from '#platform/database/database.js'
import { createInProcessEvents } from '#platform/events/events.js'
import { createNoticeMarks, eventEntities } from '#platform/events/notice-marks.js'
import { NOTICE_TOPIC } from '#platform/events/notices.js'
import { createOutbox } from '#platform/events/outbox.js'
import { createLog } from '#platform/log.js'
import { ApiKeyEntity } from '../../../subgraphs/accounts/keys/api-key.js'
import { createBudgetStore } from '../../../subgraphs/accounts/budgets/budget-store.js'
import { createKeys } from '../../../subgraphs/accounts/keys/keys.js'
import { announced, creditNews } from '../../../subgraphs/accounts/ledger/announced-ledger.js'
import { createBatchedLedger } from '../../../subgraphs/accounts/ledger/batched-ledger.js'
import { ledgerEntities } from '../../../subgraphs/accounts/ledger/ledger-tables.js'
import { createCreditNotices } from '../../../subgraphs/accounts/notices/credit-notices.js'
import { testDatabase } from '../../kit/database.js'
import { ManualClock } from '../../kit/manual-clock.js'
import { openTransport, usage } from '../ledger/kit/ledger-kit.js'

const USD = 1_000_000_000n
const opened: AsyncDisposableStack[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.disposeAsync()
})

async function kitOn(dialect: Dialect) {
  const stack = new AsyncDisposableStack()
  opened.push(stack)
  const database = stack.use(await testDatabase(dialect, [ApiKeyEntity, ...ledgerEntities, ...eventEntities]))
  const clock = new ManualClock(Date.UTC(2026, 10, 21))
  const events = createInProcessEvents()
  const outbox = createOutbox({ database, events, clock })
  const plain = await createBatchedLedger({ transport: openTransport(database.url), clock })
  const ledger = announced(plain, creditNews(events, clock))
  stack.defer(() => ledger.close())
  const limits = { models: 10, graceSeconds: 86_400 }
  const keys = createKeys({ database, outbox, clock, events, ledger, limits, budgets: createBudgetStore(database) })
  const marks = createNoticeMarks({ database, outbox, clock })
  const log = createLog({ level: 'silent' })
  const watch = (bus = events) => {
    const notices = createCreditNotices({ database, events: bus, marks, clock, log, lowBalance: 2n * USD })
    notices.start()
    stack.defer(() => notices.stop())
    return notices
  }
  let requests = 0
  const told = async () =>
    (await outbox.read({ topic: NOTICE_TOPIC, afterSequence: 0 }))
      .map(({ payload }) => ({ type: payload['type'], ...(JSON.parse(String(payload['data'])) as Record<string, unknown>) }))
      .filter(({ type }) => type !== 'key.created')
  const kit = {
    clock,
    ledger,
    keys,
    watch,
    told,
    async open(accountId: string, credits: bigint, monthlyCap: bigint | null = null) {
      await ledger.openAccount(accountId, { monthlyCap })
      if (credits > 0n) await ledger.topUp({ accountId, amount: credits, idempotencyKey: 'first', kind: 'top_up' })
    },
    /** Whether there was room for it. */
    async spend(accountId: string, amount: bigint, budgetId?: string): Promise<boolean> {
      const holdId = `req_${requests++}`
      const expiresAt = clock.now() + 60_000
      const { ok } = await ledger.reserve({
        holdId,
        accountId,
        amount,
        purpose: 'chat',
        expiresAt,
        budgetIds: budgetId === undefined ? [] : [budgetId],
      })
      if (ok) await ledger.settle({ holdId, amount, usage: usage({ keyId: 'key_1' }) })
      return ok
    },
    /** Time enough for every look, and for what it tells. */
    async hears(count: number) {
      await vi.waitFor(
        async () => {
          await clock.advance(2_100)
          expect((await told()).length).toBeGreaterThanOrEqual(count)
        },
        { timeout: 20_000, interval: 20 },
      )
      return told()
    },
    /** The same, when what was done before is to be told of nothing: what comes last is told of something. */
    async hearsOnly(count: number) {
      await kit.open('acc_last', 3n * USD)
      await kit.spend('acc_last', 2n * USD)
      const all = await kit.hears(count + 1)
      expect(all.at(-1)).toMatchObject({ accountId: 'acc_last' })
      return all.slice(0, -1)
    },
  }
  return kit
}

describe.each(['sqlite', 'postgres'] as const)('on %s, operators are told', (dialect) => {
  it('of a balance that falls below the threshold, once until it was above', async () => {
    const kit = await kitOn(dialect)
    kit.watch()
    await kit.open('acc_1', 5n * USD)
    await kit.spend('acc_1', 3n * USD)
    await kit.spend('acc_1', USD)
    expect(await kit.hears(1)).toEqual([{ type: 'balance.low', accountId: 'acc_1', balance: '1.00', threshold: '2.00' }])
    await kit.spend('acc_1', USD / 2n)
    expect(await kit.hearsOnly(1)).toHaveLength(1)
    await kit.ledger.topUp({ accountId: 'acc_1', amount: 5n * USD, idempotencyKey: 'second', kind: 'top_up' })
    await kit.clock.advance(2_100)
    await kit.open('acc_2', 3n * USD)
    await kit.spend('acc_2', 2n * USD)
    await kit.hears(3)
    await kit.spend('acc_1', 4n * USD)
    expect((await kit.hears(4)).at(-1)).toMatchObject({ type: 'balance.low', accountId: 'acc_1', balance: '1.50' })
  })

  it('of nothing when an account is opened without credits', async () => {
    const kit = await kitOn(dialect)
    kit.watch()
    await kit.open('acc_1', 0n)
    await kit.open('acc_2', USD)
    expect(await kit.hearsOnly(0)).toEqual([])
  })

  it('of a monthly cap at 80 and 100 percent, once each, and anew in the next month', async () => {
    const kit = await kitOn(dialect)
    kit.watch()
    await kit.open('acc_1', 1_000n * USD, 10n * USD)
    await kit.spend('acc_1', 7n * USD)
    expect(await kit.hearsOnly(0)).toEqual([])
    await kit.spend('acc_1', USD)
    const cap = {
      type: 'cap.reached',
      accountId: 'acc_1',
      keyId: null,
      budgetId: null,
      name: '',
      models: null,
      amount: '10.00',
      period: 'month',
      since: '2026-11-01T00:00:00.000Z',
      monthlyCap: '10.00',
      month: '2026-11',
    }
    expect((await kit.hears(2)).at(-1)).toEqual({ ...cap, percent: 80, spent: '8.00' })
    // What has no room is refused, long before the last cent.
    expect(await kit.spend('acc_1', 3n * USD)).toBe(false)
    expect((await kit.hears(3)).at(-1)).toEqual({ ...cap, percent: 100, spent: '8.00' })
    expect(await kit.spend('acc_1', 3n * USD)).toBe(false)
    await kit.spend('acc_1', 2n * USD)
    await kit.clock.advance(2_100)
    kit.clock.setWallClock(20 * 86_400_000)
    await kit.spend('acc_1', 10n * USD)
    expect((await kit.hears(4)).slice(3)).toEqual([
      { ...cap, month: '2026-12', since: '2026-12-01T00:00:00.000Z', percent: 100, spent: '10.00' },
    ])
  })

  it('of a cap of a key, by the key that has it now', async () => {
    const kit = await kitOn(dialect)
    kit.watch()
    await kit.open('acc_1', 100n * USD)
    const input = { accountId: 'acc_1', name: 'k', scopes: ['chat'] as const, monthlyCap: 10n * USD }
    const { apiKey } = await kit.keys.create(input)
    await kit.clock.advance(1_000)
    const rotated = await kit.keys.rotate(apiKey.id, 'acc_1', null)
    await kit.spend('acc_1', 9n * USD, apiKey.budgetId!)
    expect(await kit.hears(1)).toEqual([
      {
        type: 'cap.reached',
        accountId: 'acc_1',
        keyId: rotated.apiKey.id,
        budgetId: apiKey.budgetId,
        name: '',
        models: null,
        percent: 80,
        spent: '9.00',
        amount: '10.00',
        period: 'month',
        since: '2026-11-01T00:00:00.000Z',
        monthlyCap: '10.00',
        month: '2026-11',
      },
    ])
    expect(await kit.spend('acc_1', 2n * USD, apiKey.budgetId!)).toBe(false)
    expect((await kit.hears(2)).at(-1)).toMatchObject({ keyId: rotated.apiKey.id, percent: 100 })
  })

  it('of a budget at the percent that it names and at 100, in each of its periods, also when it only warns', async () => {
    const kit = await kitOn(dialect)
    kit.watch()
    await kit.open('acc_1', 1_000n * USD)
    const of = { accountId: 'acc_1', ownerId: 'acc_1', cap: 10n * USD, every: 'hour', name: 'team' } as const
    await kit.ledger.setBudget({ ...of, budgetId: 'bdg_1', warnAt: 50, action: 'warn', models: '["a","b"]' })
    await kit.spend('acc_1', 4n * USD, 'bdg_1')
    expect(await kit.hearsOnly(0)).toEqual([])
    await kit.spend('acc_1', USD, 'bdg_1')
    const told = {
      type: 'cap.reached',
      accountId: 'acc_1',
      keyId: null,
      budgetId: 'bdg_1',
      name: 'team',
      models: 'a,b',
      amount: '10.00',
      period: 'hour',
      since: '2026-11-21T00:00:00.000Z',
    }
    expect((await kit.hears(2)).at(-1)).toEqual({ ...told, percent: 50, spent: '5.00' })
    expect(await kit.spend('acc_1', 7n * USD, 'bdg_1')).toBe(true)
    expect((await kit.hears(3)).at(-1)).toEqual({ ...told, percent: 100, spent: '12.00' })
    kit.clock.setWallClock(3_600_000)
    await kit.spend('acc_1', 5n * USD, 'bdg_1')
    expect((await kit.hears(4)).at(-1)).toEqual({ ...told, since: '2026-11-21T01:00:00.000Z', percent: 50, spent: '5.00' })
  })

  it('of what happened while nobody looked, and once by two who look at the same time', async () => {
    const kit = await kitOn(dialect)
    await kit.open('acc_1', 5n * USD, 4n * USD)
    await kit.spend('acc_1', 4n * USD)
    // Neither hears anything: what they see they see at their start.
    kit.watch(createInProcessEvents())
    kit.watch(createInProcessEvents())
    const all = await kit.hears(2)
    expect(all.map(({ type }) => String(type)).toSorted()).toEqual(['balance.low', 'cap.reached'])
    kit.watch()
    expect(await kit.hearsOnly(2)).toHaveLength(2)
  })
})
