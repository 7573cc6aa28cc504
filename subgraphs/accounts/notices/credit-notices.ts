/**
 * Tells operators of balances that are low and caps that are used up.
 *
 * The ledger commits on its own connection, so these notices cannot share its transactions. Instead the state is looked at: soon
 * after the ledger says that it moved, and of all accounts at the start and now and then, for news that was lost. What was told
 * is marked (notice-marks.ts), so a crash or a second process changes nothing.
 */
import { sql } from 'kysely'
import type { Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import { tablesOf } from '#platform/database/tables.js'
import type { EventBus } from '#platform/events/events.js'
import type { NoticeMarks } from '#platform/events/notice-marks.js'
import { notice, NoticeType } from '#platform/events/notices.js'
import type { Logger } from '#platform/log.js'
import { formatUsd, type NanoUsd } from '#platform/money.js'
import { BudgetPeriod } from '#platform/vocabulary/words.js'
import { modelsOf } from '../budgets/budget.js'
import type { ApiKeyEntity } from '../keys/api-key.js'
import { CAP_REFUSED, CREDITS_CHANGED } from '../ledger/announced-ledger.js'
import { BudgetAction, type AccountRow, type BudgetRow } from '../ledger/ledger-columns.js'
import { spanNamed } from '../ledger/budget-period.js'
import { rollBudget, rollPeriod } from '../ledger/ledger-rules.js'
import type { LedgerAccount, LedgerBudget } from '../ledger/ledger-tables.js'
import { batchTime } from '../ledger/operations/operation-queue.js'
import { balanceChange, capChange } from './credit-rules.js'

export interface CreditNoticesOptions {
  readonly database: Database
  readonly events: EventBus
  readonly marks: NoticeMarks
  readonly clock: Clock
  readonly log: Logger
  /** A balance below it is low; 0 for never. */
  readonly lowBalance: NanoUsd
}

export interface CreditNotices {
  start(): void
  stop(): Promise<void>
}

/** Changes are gathered for so long, so that a busy account is looked at now and then and not for every request. */
const GATHER_MS = 2_000
const LOOK_AT_ALL_MS = 10 * 60_000
const ACCOUNTS_A_LOOK = 200

const Kind = { BALANCE: 'balance', ACCOUNT_CAP: 'account_cap', KEY_CAP: 'key_cap' } as const

export function createCreditNotices(options: CreditNoticesOptions): CreditNotices {
  const { events, clock, log } = options
  const look = lookAt(options)
  const candidates = candidatesFor(options)
  const waiting = new Set<string>()
  const refused = new Map<string, string>()
  const stopListening: (() => void)[] = []
  let cancelGathering = () => undefined as void
  let cancelRepeating = () => undefined as void
  let running: Promise<void> = Promise.resolve()
  let isStopped = false

  /** One after the other: two looks at one account would tell the same thing. */
  function run(work: () => Promise<void>): void {
    running = running.then(work).catch((error: unknown) => log.warn({ err: error }, 'balances and caps were not looked at'))
  }

  async function lookAtWaiting(): Promise<void> {
    const accountIds = [...waiting]
    const caps = new Map(refused)
    waiting.clear()
    refused.clear()
    try {
      for (let at = 0; at < accountIds.length; at += ACCOUNTS_A_LOOK) await look(accountIds.slice(at, at + ACCOUNTS_A_LOOK), caps)
    } catch (error) {
      // Nobody else knows what was refused.
      for (const [capOf, period] of caps) if (!refused.has(capOf)) refused.set(capOf, period)
      for (const accountId of accountIds) heard(accountId)
      throw error
    }
  }

  async function lookAtAll(): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined && !isStopped;) {
      const accountIds: string[] = await candidates(after)
      if (accountIds.length > 0) await look(accountIds, new Map())
      after = accountIds.at(-1)
    }
  }

  function heard(accountId: string): void {
    if (isStopped) return
    if (waiting.size === 0) cancelGathering = clock.setTimeout(() => run(lookAtWaiting), GATHER_MS)
    waiting.add(accountId)
  }

  function repeat(): void {
    run(lookAtAll)
    cancelRepeating = clock.setTimeout(repeat, LOOK_AT_ALL_MS)
  }

  return {
    start() {
      stopListening.push(
        events.listen(CAP_REFUSED, ({ accountId, capOf, period }) => {
          refused.set(String(capOf), String(period))
          heard(String(accountId))
        }),
        events.listen(CREDITS_CHANGED, ({ accountId }) => heard(String(accountId))),
      )
      repeat()
    },
    async stop() {
      isStopped = true
      for (const stop of stopListening.splice(0)) stop()
      cancelGathering()
      cancelRepeating()
      await running
    },
  }
}

type Tables = typeof LedgerAccount | typeof LedgerBudget | typeof ApiKeyEntity

/** The next accounts by id that may have something to tell; more than there are, as the rules decide. */
function candidatesFor({ database, lowBalance }: CreditNoticesOptions): (after: string) => Promise<string[]> {
  const db = tablesOf<Tables>(database)
  const isCandidate = sql<boolean>`(balance < ${sql.raw(String(lowBalance))} or spent >= monthly_cap / 5 * 4
    or exists (select 1 from ledger_budget b
      where b.account_id = ledger_account.account_id and b.spent >= b.monthly_cap / 100 * b.warn_at)
    or exists (select 1 from notice_mark m where m.kind = ${Kind.BALANCE} and m.subject = ledger_account.account_id and m.state = 'low'))`
  return async (after) => {
    const rows = await db
      .selectFrom('ledger_account')
      .select('accountId')
      .where('accountId', '>', after)
      .where(isCandidate)
      .orderBy('accountId')
      .limit(ACCOUNTS_A_LOOK)
      .execute()
    return rows.map(({ accountId }) => accountId)
  }
}

/** Looks at these accounts and their keys. `refused`: accounts and budgets whose cap had no room for something, with its period. */
function lookAt({ database, marks, clock, lowBalance }: CreditNoticesOptions) {
  const db = tablesOf<Tables>(database)

  async function tellBalance(account: AccountRow, mark: string | undefined): Promise<void> {
    const { accountId, balance } = account
    const change = balanceChange(account, lowBalance, mark)
    if (!change) return
    const data = { accountId, balance: formatUsd(balance), threshold: formatUsd(lowBalance) }
    const told = change.told ? [notice(NoticeType.BALANCE_LOW, accountId, data)] : []
    await marks.move({ kind: Kind.BALANCE, subject: accountId, from: mark, to: change.to }, told)
  }

  async function tellCap(
    { cap, budgetId, ...capped }: BudgetRow,
    { kind, refused, mark }: { kind: string; refused: ReadonlyMap<string, string>; mark: string | undefined },
  ): Promise<void> {
    const { accountId, ownerId, name, every, period, spent } = capped
    const change = capChange({ cap, ...capped }, refused.get(budgetId) === period, mark)
    if (!change) return
    const keyId = ownerId === accountId ? null : await newestKeyOf(accountId, ownerId ?? budgetId)
    const amount = formatUsd(cap ?? 0n)
    const counted = { percent: change.told, spent: formatUsd(spent), amount, period: every, since: sinceOf(capped) }
    const about = { accountId, keyId, budgetId: budgetId === accountId ? null : budgetId, name, models: namesOf(capped.models) }
    const monthly = isMonthlyCap({ budgetId, ownerId }) && { monthlyCap: amount, month: period }
    const told = notice(NoticeType.CAP_REACHED, keyId ?? accountId, { ...about, ...counted, ...monthly })
    await marks.move({ kind, subject: budgetId, from: mark, to: change.to }, [told])
  }

  /** Of the keys that share a cap by rotation. */
  async function newestKeyOf(accountId: string, budgetId: string): Promise<string | null> {
    const keys = db.selectFrom('api_key').select('id').where('accountId', '=', accountId).where('budgetId', '=', budgetId)
    return (await keys.orderBy('createdAt', 'desc').executeTakeFirst())?.id ?? null
  }

  return async (accountIds: readonly string[], refused: ReadonlyMap<string, string>): Promise<void> => {
    const { period } = batchTime(clock.now())
    const accounts = await db
      .selectFrom('ledger_account')
      .selectAll()
      .where('accountId', 'in', [...accountIds])
      .execute()
    const budgets = await db
      .selectFrom('ledger_budget')
      .selectAll()
      .where('accountId', 'in', [...accountIds])
      .where('cap', 'is not', null)
      .execute()
    const low = await marks.read(Kind.BALANCE, accountIds)
    const caps = await marks.read(Kind.ACCOUNT_CAP, accountIds)
    const keyCaps = await marks.read(
      Kind.KEY_CAP,
      budgets.map(({ budgetId }) => budgetId),
    )
    for (const row of accounts) {
      const account = rollPeriod(row, period)
      const { accountId: subject } = row
      await tellBalance(account, low.get(subject))
      await tellCap(monthOf(account), { kind: Kind.ACCOUNT_CAP, refused, mark: caps.get(subject) })
    }
    for (const row of budgets) {
      const place = { kind: Kind.KEY_CAP, refused, mark: keyCaps.get(row.budgetId) }
      await tellCap(rollBudget(row, clock.now()), place)
    }
  }
}

/** The monthly cap of an account, as the budget that it is. */
const monthOf = ({ accountId, monthlyCap: cap, held, spent, period }: AccountRow): BudgetRow => ({
  budgetId: accountId,
  accountId,
  ownerId: accountId,
  cap,
  held,
  spent,
  period,
  every: BudgetPeriod.MONTH,
  action: BudgetAction.STOP,
  warnAt: 80,
  name: '',
  models: null,
})

const isMonthlyCap = ({ budgetId, ownerId }: Pick<BudgetRow, 'budgetId' | 'ownerId'>): boolean =>
  ownerId === null || ownerId === budgetId

/** An ISO time. */
const sinceOf = ({ every, period }: Pick<BudgetRow, 'every' | 'period'>): string =>
  new Date(spanNamed(every, period).from).toISOString()

const namesOf = (models: string | null): string | null => modelsOf(models)?.join(',') ?? null
