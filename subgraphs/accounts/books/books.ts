/** The reading side of the ledger: entries, open holds and usage for people. Plain SQL through kysely, never the hot path. */
import { sql } from 'kysely'
import type { Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import { tablesOf } from '#platform/database/tables.js'
import type { NanoUsd } from '#platform/money.js'
import { mergedIntoPage, onPage, text, wholeNumber, type ListOrder } from '#platform/paging/keyset.js'
import { pageOf, type Page, type PageRequest } from '#platform/paging/page.js'
import { FOLDED_CHARGE, FOLDED_CREDIT } from '../ledger/ledger-fold.js'
import type { EntryRow } from '../ledger/ledger-columns.js'
import {
  SESSIONS,
  type LedgerEntry as EntryTable,
  type LedgerHold as HoldTable,
  type UsageRecord as UsageTable,
} from '../ledger/ledger-tables.js'
import type { HoldSnapshot, Ledger } from '../ledger/ledger.js'
import { CreditHold, LedgerEntry, type LedgerEntryKind } from './ledger-type.js'
import { createUsageBooks, usageRows, type Aggregate, type UsageBooks } from './usage-books.js'

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
  /** What was charged from a hold, oldest first. */
  entriesOf(accountId: string, holdId: string): Promise<LedgerEntry[]>
  /** The stored explanation of each route, with what its record says itself, in the order of the ids. */
  routesByIds(ids: readonly string[]): Promise<(StoredRoute | null)[]>
  /** What a GPU session's answers were charged. */
  revenueOf(sessionId: string): Promise<NanoUsd>
}

export interface BooksOptions {
  readonly database: Database
  readonly ledger: Ledger
  readonly clock: Clock
}

const TOP_UP = 'top_up'

const ENTRY_ORDER: ListOrder = { columns: [wholeNumber('createdAt'), text('reference'), text('kind')], isDescending: true }
const HOLD_ORDER: ListOrder = { columns: [wholeNumber('expiresAt'), text('holdId')], isDescending: false }

export function createBooks({ database, ledger, clock }: BooksOptions): Books {
  const tables = tablesOf<typeof EntryTable | typeof HoldTable | typeof UsageTable>(database)

  return {
    ...createUsageBooks(database, clock),

    async topUp(accountId, amount, idempotencyKey) {
      const { reference } = await ledger.topUp({ accountId, amount, idempotencyKey, kind: TOP_UP })
      const row = await tables
        .selectFrom('ledger_entry')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('reference', '=', reference)
        .where('kind', '=', TOP_UP)
        .executeTakeFirstOrThrow()
      return entryOf(row)
    },

    async entries(accountId, page) {
      const entries = tables.selectFrom('ledger_entry').selectAll().where('accountId', '=', accountId)
      const rows = await onPage(entries, ENTRY_ORDER, page).execute()
      return pageOf(rows, page, (row) => [row.createdAt, row.reference, row.kind], entryOf)
    },

    async openHolds(accountId, page) {
      const inMemory = ledger.holdsInMemory(accountId)
      const open = tables.selectFrom('ledger_hold').selectAll().where('accountId', '=', accountId).where('state', '=', 'open')
      const written = await onPage(open, HOLD_ORDER, page).execute()
      // One may have been written since it was looked at.
      const unwritten = inMemory.filter(({ holdId }) => written.every((row) => row.holdId !== holdId))
      const rows = mergedIntoPage<ShownHold>(written, unwritten, keyOfHold, HOLD_ORDER, page)
      return pageOf(rows, page, keyOfHold, holdOf)
    },

    async entriesOf(accountId, holdId) {
      const rows = await tables
        .selectFrom('ledger_entry')
        .selectAll()
        .where('accountId', '=', accountId)
        .where('reference', '=', holdId)
        .where('amount', '<', 0n)
        .orderBy('createdAt')
        .orderBy('kind')
        .execute()
      return rows.map(entryOf)
    },

    async routesByIds(ids) {
      const rows = await usageRows(tables, ids)
      return ids.map((id) => {
        const row = rows.get(id)
        if (!row) return null
        const { accountId, modelId, deploymentId, priceVersionId, route } = row
        return { accountId, modelId, deploymentId, priceVersionId, route }
      })
    },

    async revenueOf(sessionId) {
      const row = await tables
        .selectFrom('usage_record')
        .select(sql<Aggregate>`cast(coalesce(sum(cost), 0) as bigint)`.as('cost'))
        .where('deploymentId', '=', sessionId)
        // Literally, because only then the partial index is known to hold the rows.
        .where('deploymentId', '>', sql.lit(SESSIONS.after))
        .where('deploymentId', '<', sql.lit(SESSIONS.before))
        .executeTakeFirstOrThrow()
      return BigInt(row.cost)
    },
  }
}

const entryOf = (row: EntryRow): LedgerEntry =>
  Object.assign(new LedgerEntry(), {
    id: `${row.reference}:${row.kind}`,
    amount: row.amount,
    kind: kindOf(row),
    holdId: row.amount < 0n && row.kind !== FOLDED_CHARGE ? row.reference : null,
    createdAt: row.createdAt,
  })

/** The ledger's own marks, which tell parts of a charge apart, in words for people. */
function kindOf({ kind, amount }: EntryRow): LedgerEntryKind {
  if (kind === FOLDED_CHARGE) return 'daily_charges'
  if (kind === FOLDED_CREDIT) return 'daily_credits'
  if (amount < 0n) return 'charge'
  return kind === TOP_UP ? 'top_up' : 'adjustment'
}

/** What is shown of a hold, wherever it lives. */
type ShownHold = Omit<HoldSnapshot, 'budgetIds'>

const keyOfHold = ({ expiresAt, holdId }: ShownHold) => [expiresAt, holdId]

const holdOf = (row: ShownHold): CreditHold =>
  Object.assign(new CreditHold(), {
    id: row.holdId,
    amount: row.amount,
    captured: row.captured,
    state: row.state,
    purpose: row.purpose,
    expiresAt: row.expiresAt,
  })
