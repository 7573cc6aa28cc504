/** The reading side of the ledger: entries, open holds and usage for people. Plain SQL through kysely, never the hot path. */
import { sql } from 'kysely'
import type { Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import { formatUsd, type NanoUsd } from '#platform/money.js'
import { onPage, text, wholeNumber, type ListOrder } from '#platform/paging/keyset.js'
import { pageOf, type Page, type PageRequest } from '#platform/paging/page.js'
import { FOLDED_CHARGE, FOLDED_CREDIT } from '../ledger/ledger-fold.js'
import { SESSIONS } from '../ledger/ledger-tables.js'
import type { Ledger } from '../ledger/ledger.js'
import { CreditHold, LedgerEntry, type LedgerEntryKind } from './ledger-type.js'
import { createUsageBooks, usageRows, type Aggregate, type UsageBooks, type UsageRow } from './usage-books.js'

export interface StoredRoute {
  readonly accountId: string
  readonly modelId: string
  readonly deploymentId: string | null
  readonly priceVersionId: string | null
  readonly route: string | null
}

export interface Books extends UsageBooks {
  /** Adds credits once per key and answers the entry, old or new. */
  topUp(accountId: string, amount: NanoUsd, idempotencyKey: string): Promise<LedgerEntry>
  entries(accountId: string, page: PageRequest): Promise<Page<LedgerEntry>>
  openHolds(accountId: string, page: PageRequest): Promise<Page<CreditHold>>
  /** The stored explanation of each route, with what its record says itself, in the order of the ids. */
  routesByIds(ids: readonly string[]): Promise<(StoredRoute | null)[]>
  /** What a GPU session's answers were charged. */
  revenueOf(sessionId: string): Promise<NanoUsd>
}

interface EntryRow {
  account_id: string
  reference: string
  kind: string
  amount: bigint
  created_at: bigint
}

interface HoldRow {
  id: string
  account_id: string
  amount: bigint
  captured: bigint
  state: string
  purpose: string
  expires_at: bigint
}

type Tables = {
  ledger_entry: EntryRow
  ledger_hold: HoldRow
  usage_record: UsageRow
}

export interface BooksOptions {
  readonly database: Database
  readonly ledger: Ledger
  readonly clock: Clock
}

const TOP_UP = 'top_up'

const ENTRY_ORDER: ListOrder = { columns: [wholeNumber('created_at'), text('reference'), text('kind')], isDescending: true }
const HOLD_ORDER: ListOrder = { columns: [wholeNumber('expires_at'), text('id')], isDescending: false }

export function createBooks({ database, ledger, clock }: BooksOptions): Books {
  const tables = database.kysely.withTables<Tables>()

  return {
    ...createUsageBooks(database.kysely, clock),

    async topUp(accountId, amount, idempotencyKey) {
      const { reference } = await ledger.topUp({ accountId, amount, idempotencyKey, kind: TOP_UP })
      const row = await tables
        .selectFrom('ledger_entry')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('reference', '=', reference)
        .where('kind', '=', TOP_UP)
        .executeTakeFirstOrThrow()
      return entryOf(row)
    },

    async entries(accountId, page) {
      const entries = tables.selectFrom('ledger_entry').selectAll().where('account_id', '=', accountId)
      const rows = await onPage(entries, ENTRY_ORDER, page).execute()
      return pageOf(rows, page, (row) => [row.created_at, row.reference, row.kind], entryOf)
    },

    async openHolds(accountId, page) {
      const open = tables
        .selectFrom('ledger_hold')
        .select(['id', 'account_id', 'amount', 'captured', 'state', 'purpose', 'expires_at'])
        .where('account_id', '=', accountId)
        .where('state', '=', 'open')
      const rows = await onPage(open, HOLD_ORDER, page).execute()
      return pageOf(rows, page, (row) => [row.expires_at, row.id], holdOf)
    },

    async routesByIds(ids) {
      const rows = await usageRows(tables, ids)
      return ids.map((id) => {
        const row = rows.get(id)
        if (!row) return null
        const { account_id, model_id, deployment_id, price_version_id, route } = row
        return { accountId: account_id, modelId: model_id, deploymentId: deployment_id, priceVersionId: price_version_id, route }
      })
    },

    async revenueOf(sessionId) {
      const row = await tables
        .selectFrom('usage_record')
        .select(sql<Aggregate>`cast(coalesce(sum(cost), 0) as bigint)`.as('cost'))
        .where('deployment_id', '=', sessionId)
        // Literally, because only then the partial index is known to hold the rows.
        .where('deployment_id', '>', sql.lit(SESSIONS.after))
        .where('deployment_id', '<', sql.lit(SESSIONS.before))
        .executeTakeFirstOrThrow()
      return BigInt(row.cost)
    },
  }
}

const entryOf = (row: EntryRow): LedgerEntry =>
  Object.assign(new LedgerEntry(), {
    id: `${row.reference}:${row.kind}`,
    amount: formatUsd(row.amount),
    kind: kindOf(row),
    holdId: row.amount < 0n && row.kind !== FOLDED_CHARGE ? row.reference : null,
    createdAt: Number(row.created_at),
  })

/** The ledger's own marks, which tell parts of a charge apart, in words for people. */
function kindOf({ kind, amount }: EntryRow): LedgerEntryKind {
  if (kind === FOLDED_CHARGE) return 'daily_charges'
  if (kind === FOLDED_CREDIT) return 'daily_credits'
  if (amount < 0n) return 'charge'
  return kind === TOP_UP ? 'top_up' : 'adjustment'
}

const holdOf = (row: HoldRow): CreditHold =>
  Object.assign(new CreditHold(), {
    id: row.id,
    amount: formatUsd(row.amount),
    captured: formatUsd(row.captured),
    state: row.state,
    purpose: row.purpose as CreditHold['purpose'],
    expiresAt: Number(row.expires_at),
  })
