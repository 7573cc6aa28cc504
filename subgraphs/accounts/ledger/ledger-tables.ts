/**
 * The ledger's tables. Migrations come from these definitions; the adapters read and write them with SQL of their own, because
 * a unit of work per charge would cost more than the charge.
 *
 * Amounts are nano-USD in int64 columns, times are epoch milliseconds. There are no foreign keys: every row is written in the
 * same transaction as the account it belongs to, and the invariants are checked as a whole (invariants.ts).
 */
import { defineEntity, p } from '@mikro-orm/core'

/** Between these are the ids of GPU sessions that serve a model (`gses_...`), which are the deployment of what they answer. */
export const SESSIONS = { after: 'gses', before: 'gset' } as const

/** One customer's money. `spent` counts the calendar month `period` ("2026-11", UTC) and starts again in the next. */
const LedgerAccount = defineEntity({
  name: 'LedgerAccount',
  tableName: 'ledger_account',
  properties: {
    accountId: p.string().primary(),
    balance: p.bigint(),
    held: p.bigint(),
    monthlyCap: p.bigint().nullable(),
    spent: p.bigint(),
    period: p.string(),
  },
  // The rules never let these fail; a bug in them must not be able to write a debt.
  checks: [{ name: 'ledger_account_covers_holds', expression: 'held >= 0 and balance >= held' }],
})

/**
 * A part of an account's month: what the keys that share it may spend, counted like the account's own and changed only under
 * the account's lock. One without a cap goes on counting.
 */
const LedgerBudget = defineEntity({
  name: 'LedgerBudget',
  tableName: 'ledger_budget',
  properties: {
    id: p.string().primary(),
    accountId: p.string(),
    monthlyCap: p.bigint().nullable(),
    held: p.bigint(),
    spent: p.bigint(),
    period: p.string(),
  },
  checks: [{ name: 'ledger_budget_counts', expression: 'held >= 0 and spent >= 0' }],
})

/**
 * Money set aside for one request or session. Its id is the idempotency key. Every state but `open` is final. A chat request's
 * hold goes when its usage record is written, which says all that the closed hold would.
 */
const LedgerHold = defineEntity({
  name: 'LedgerHold',
  tableName: 'ledger_hold',
  properties: {
    id: p.string().primary(),
    accountId: p.string(),
    amount: p.bigint(),
    captured: p.bigint(),
    metered: p.bigint(),
    state: p.string(),
    purpose: p.string(),
    ownerId: p.string(),
    /** For the usage record that a sweep writes when the process died. */
    keyId: p.string().nullable(),
    modelId: p.string().nullable(),
    /** Of a key with a cap of its own. */
    budgetId: p.string().nullable(),
    createdAt: p.bigint(),
    expiresAt: p.bigint(),
  },
  indexes: [{ name: 'ledger_hold_open', properties: ['accountId', 'expiresAt'], where: { state: 'open' } }],
  checks: [{ name: 'ledger_hold_within', expression: 'captured >= 0 and captured <= amount and metered <= amount' }],
})

/**
 * Append-only. A row is a transfer with both its sides: what an account loses by a charge (negative) is revenue, what it gains
 * is funding. `reference` is a hold's id or a top-up's idempotency key; of what is older than it has to be kept, a day.
 * The key is the once-only guarantee of last resort: the same movement cannot be written twice.
 */
const LedgerEntry = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entry',
  properties: {
    reference: p.text().primary(),
    kind: p.string().primary(),
    accountId: p.string().primary(),
    amount: p.bigint(),
    createdAt: p.bigint(),
    /** The budget that a charge came out of, so that what a budget has spent can be proved. */
    budgetId: p.string().nullable(),
  },
  indexes: [{ name: 'ledger_entry_by_time', properties: ['accountId', 'createdAt'] }],
})

/** One row per request that was charged or tried: what was delivered, from where, and what it cost. Never a prompt. */
const UsageRecord = defineEntity({
  name: 'UsageRecord',
  tableName: 'usage_record',
  properties: {
    requestId: p.string().primary(),
    accountId: p.string(),
    keyId: p.string(),
    modelId: p.string(),
    deploymentId: p.string().nullable(),
    priceVersionId: p.string().nullable(),
    inputTokens: p.integer(),
    cachedInputTokens: p.integer(),
    outputTokens: p.integer(),
    usageSource: p.string(),
    /** What was charged: never more than the hold. */
    cost: p.bigint(),
    providerCost: p.bigint().nullable(),
    endedAs: p.string(),
    /** JSON text. */
    route: p.text().nullable(),
    createdAt: p.bigint(),
    firstTokenMs: p.integer().nullable(),
    durationMs: p.integer(),
  },
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
  properties: { id: p.string().primary(), heartbeatAt: p.bigint() },
})

export const ledgerEntities = [LedgerAccount, LedgerBudget, LedgerHold, LedgerEntry, UsageRecord, LedgerProcess]
