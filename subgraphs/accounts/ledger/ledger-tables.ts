/**
 * The ledger's tables for migrations and for whoever reads them through the ORM or kysely (books.ts). What their columns are is
 * said in ledger-columns.ts; the adapters read and write them with SQL of their own, because a unit of work per charge would
 * cost more than the charge.
 *
 * Amounts are nano-USD in int64 columns, times are epoch milliseconds. There are no foreign keys: every row is written in the
 * same transaction as the account it belongs to, and the invariants are checked as a whole (invariants.ts).
 */
import { defineEntity, p, type PropertyChain } from '@mikro-orm/core'
import { money, time } from '#platform/database/columns.js'
import { BudgetPeriod } from '#platform/vocabulary/words.js'
import { ACCOUNT, BUDGET, BudgetAction, type Column, ENTRY, HOLD, LEASE, type Table, USAGE } from './ledger-columns.js'

/** Between these are the ids of GPU sessions that serve a model (`gses_...`), which are the deployment of what they answer. */
export const SESSIONS = { after: 'gses', before: 'gset' } as const

type Properties<Row> = { readonly [Field in keyof Row]: PropertyChain<Row[Field], object> }

function propertiesOf<Row>({ columns }: Table<Row>, ...keys: readonly (keyof Row)[]): Properties<Row> {
  return Object.fromEntries(
    columns.map((column) => {
      const builder = builderOf(column).fieldName(column.column)
      const nullable = column.isNullable ? builder.nullable() : builder
      return [column.field, keys.includes(column.field) ? nullable.primary() : nullable]
    }),
  ) as never
}

function builderOf({ kind }: Column) {
  switch (kind) {
    case 'name':
      return p.string()
    case 'text':
      return p.text()
    case 'count':
      return p.integer()
    case 'amount':
      return money()
    case 'time':
      return time()
  }
}

export const LedgerAccount = defineEntity({
  name: 'LedgerAccount',
  tableName: 'ledger_account',
  // An older version writes accounts without it.
  properties: { ...propertiesOf(ACCOUNT, 'accountId'), leased: money().default('0') },
  // The rules never let these fail; a bug in them must not be able to write a debt.
  checks: [{ name: 'ledger_account_covers_holds', expression: 'held >= 0 and balance >= held' }],
})

export const LedgerBudget = defineEntity({
  name: 'LedgerBudget',
  tableName: 'ledger_budget',
  // What an older version writes is the monthly cap of a key.
  properties: {
    ...propertiesOf(BUDGET, 'budgetId'),
    every: p.string().$type<BudgetPeriod>().length(10).default(BudgetPeriod.MONTH),
    action: p.string().$type<BudgetAction>().length(10).default(BudgetAction.STOP),
    warnAt: p.integer().default(80),
    name: p.string().fieldName('label').length(100).default(''),
  },
  indexes: [{ name: 'ledger_budget_account', properties: ['accountId'] }],
  checks: [{ name: 'ledger_budget_counts', expression: 'held >= 0 and spent >= 0' }],
})

export const LedgerHold = defineEntity({
  name: 'LedgerHold',
  tableName: 'ledger_hold',
  properties: propertiesOf(HOLD, 'holdId'),
  indexes: [{ name: 'ledger_hold_open', properties: ['accountId', 'expiresAt'], where: { state: 'open' } }],
  checks: [{ name: 'ledger_hold_within', expression: 'captured >= 0 and captured <= amount and metered <= amount' }],
})

const LedgerLease = defineEntity({
  name: 'LedgerLease',
  tableName: 'ledger_lease',
  properties: propertiesOf(LEASE, 'processId', 'accountId'),
  indexes: [
    { name: 'ledger_lease_account', properties: ['accountId'] },
    { name: 'ledger_lease_expiry', properties: ['expiresAt'] },
  ],
  checks: [{ name: 'ledger_lease_amount', expression: 'amount >= 0' }],
})

export const LedgerEntry = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entry',
  properties: propertiesOf(ENTRY, 'reference', 'kind', 'accountId'),
  indexes: [{ name: 'ledger_entry_by_time', properties: ['accountId', 'createdAt'] }],
})

export const UsageRecord = defineEntity({
  name: 'UsageRecord',
  tableName: 'usage_record',
  properties: propertiesOf(USAGE, 'requestId'),
  indexes: [
    { name: 'usage_record_by_time', properties: ['accountId', 'createdAt'] },
    // What a GPU session earned is asked while it runs; hosted deployments, which are most of the rows, need no such index.
    {
      name: 'usage_record_by_session',
      properties: ['deploymentId'],
      where: { deploymentId: { $gt: SESSIONS.after, $lt: SESSIONS.before } },
    },
  ],
})

/** Processes that may own open holds; one whose heartbeat is old is dead and its holds are swept. */
const LedgerProcess = defineEntity({
  name: 'LedgerProcess',
  tableName: 'ledger_process',
  // An older version says nothing of leases, and would find the books out of balance for them: while one runs, none are taken.
  properties: { id: p.string().primary(), heartbeatAt: time(), knowsLeases: p.integer().default(0) },
})

export const ledgerEntities = [LedgerAccount, LedgerBudget, LedgerHold, LedgerLease, LedgerEntry, UsageRecord, LedgerProcess]
