/** The reading side of the ledger: entries, open holds and usage for people. Plain SQL through kysely, never the hot path. */
import { sql, type Kysely } from 'kysely'
import type { Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import { invalidRequest } from '#platform/errors.js'
import { formatUsd, type NanoUsd } from '#platform/money.js'
import { UsageSummary } from '../accounts/account-type.js'
import { CreditHold, LedgerEntry, LedgerEntryConnection, UsageConnection, UsageRecord } from './ledger-type.js'
import { FOLDED_CHARGE } from '../ledger/ledger-fold.js'
import { SESSIONS } from '../ledger/ledger-tables.js'
import type { Ledger } from '../ledger/ledger.js'

export type UsageGrouping = 'day' | 'model' | 'key'

export interface PageRequest {
  readonly first: number
  /** The cursor of the page before, null for the first page. */
  readonly after: string | null
}

export interface StoredRoute {
  readonly accountId: string
  readonly modelId: string
  readonly deploymentId: string | null
  readonly priceVersionId: string | null
  readonly route: string | null
}

export interface Books {
  /** Adds credits once per key and answers the entry, old or new. */
  topUp(accountId: string, amount: NanoUsd, idempotencyKey: string): Promise<LedgerEntry>
  entries(accountId: string, page: PageRequest): Promise<LedgerEntryConnection>
  openHolds(accountId: string): Promise<CreditHold[]>
  usage(accountId: string, page: PageRequest): Promise<UsageConnection>
  /** In the order of the ids; null for what does not exist. */
  usageByIds(ids: readonly string[]): Promise<(UsageRecord | null)[]>
  /** The stored explanation of each route, with what its record says itself, in the order of the ids. */
  routesByIds(ids: readonly string[]): Promise<(StoredRoute | null)[]>
  /** What a GPU session's answers were charged. */
  revenueOf(sessionId: string): Promise<NanoUsd>
  /** Epoch milliseconds; null for the last 30 days until now. */
  usageSummary(accountId: string, group: UsageGrouping, since: number | null, until: number | null): Promise<UsageSummary[]>
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

interface UsageRow {
  request_id: string
  account_id: string
  key_id: string
  model_id: string
  deployment_id: string | null
  price_version_id: string | null
  input_tokens: number
  cached_input_tokens: number
  output_tokens: number
  usage_source: string
  cost: bigint
  ended_as: string
  route: string | null
  created_at: bigint
  first_token_ms: number | null
  duration_ms: number
}

interface Tables {
  ledger_entry: EntryRow
  ledger_hold: HoldRow
  usage_record: UsageRow
}

export interface BooksOptions {
  readonly database: Database
  readonly ledger: Ledger
  readonly clock: Clock
}

/** Only columns come back as bigint in both dialects; a sum may be a number on SQLite and text on Postgres. */
type Aggregate = bigint | number | string

const DAY_MS = 86_400_000
const MAX_OPEN_HOLDS = 1000
const TOP_UP = 'top_up'

export function createBooks({ database, ledger, clock }: BooksOptions): Books {
  const tables = database.kysely as unknown as Kysely<Tables>

  return {
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

    async entries(accountId, { first, after }) {
      const from = cursorOf(after)
      const rows = await tables
        .selectFrom('ledger_entry')
        .selectAll()
        .where('account_id', '=', accountId)
        .$if(from !== null, (query) => query.where(sql<boolean>`(created_at, reference) < (${from!.createdAt}, ${from!.id})`))
        .orderBy('created_at', 'desc')
        .orderBy('reference', 'desc')
        .limit(first + 1)
        .execute()
      const page = pageOf(rows, first, (row) => cursor(row.created_at, row.reference))
      return Object.assign(new LedgerEntryConnection(), { nodes: page.rows.map(entryOf), pageInfo: page.pageInfo })
    },

    async openHolds(accountId) {
      const rows = await tables
        .selectFrom('ledger_hold')
        .select(['id', 'account_id', 'amount', 'captured', 'state', 'purpose', 'expires_at'])
        .where('account_id', '=', accountId)
        .where('state', '=', 'open')
        .orderBy('expires_at')
        .limit(MAX_OPEN_HOLDS)
        .execute()
      return rows.map((row) =>
        Object.assign(new CreditHold(), {
          id: row.id,
          amount: formatUsd(row.amount),
          captured: formatUsd(row.captured),
          state: row.state,
          purpose: row.purpose,
          expiresAt: Number(row.expires_at),
        }),
      )
    },

    async usage(accountId, { first, after }) {
      const from = cursorOf(after)
      const rows = await tables
        .selectFrom('usage_record')
        .selectAll()
        .where('account_id', '=', accountId)
        .$if(from !== null, (query) => query.where(sql<boolean>`(created_at, request_id) < (${from!.createdAt}, ${from!.id})`))
        .orderBy('created_at', 'desc')
        .orderBy('request_id', 'desc')
        .limit(first + 1)
        .execute()
      const page = pageOf(rows, first, (row) => cursor(row.created_at, row.request_id))
      return Object.assign(new UsageConnection(), { nodes: page.rows.map(usageOf), pageInfo: page.pageInfo })
    },

    async usageByIds(ids) {
      const rows = await usageRows(tables, ids)
      return ids.map((id) => {
        const row = rows.get(id)
        return row ? usageOf(row) : null
      })
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

    async usageSummary(accountId, group, since, until) {
      const to = until ?? clock.now()
      const from = since ?? to - 30 * DAY_MS
      if (from > to) throw invalidRequest('"since" lies after "until".', 'since')
      const by = {
        day: sql<string>`CAST(created_at / ${sql.lit(DAY_MS)} AS bigint)`,
        model: sql<string>`model_id`,
        key: sql<string>`key_id`,
      }[group]
      const rows = await tables
        .selectFrom('usage_record')
        .select([
          by.as('bucket'),
          sql<bigint>`count(*)`.as('requests'),
          sql<bigint>`cast(sum(input_tokens) as bigint)`.as('input'),
          sql<bigint>`cast(sum(cached_input_tokens) as bigint)`.as('cached'),
          sql<bigint>`cast(sum(output_tokens) as bigint)`.as('output'),
          sql<Aggregate>`cast(sum(cost) as bigint)`.as('cost'),
        ])
        .where('account_id', '=', accountId)
        .where('created_at', '>=', BigInt(from))
        .where('created_at', '<', BigInt(to + 1))
        .groupBy(by)
        .orderBy(by)
        .execute()
      return rows.map((row) =>
        Object.assign(new UsageSummary(), {
          group: group === 'day' ? new Date(Number(row.bucket) * DAY_MS).toISOString().slice(0, 10) : row.bucket,
          requests: Number(row.requests),
          inputTokens: Number(row.input),
          cachedInputTokens: Number(row.cached),
          outputTokens: Number(row.output),
          cost: formatUsd(BigInt(row.cost)),
        }),
      )
    },
  }
}

async function usageRows(tables: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, UsageRow>> {
  if (ids.length === 0) return new Map()
  const rows = await tables
    .selectFrom('usage_record')
    .selectAll()
    .where('request_id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.request_id, row]))
}

const entryOf = (row: EntryRow): LedgerEntry =>
  Object.assign(new LedgerEntry(), {
    id: `${row.reference}:${row.kind}`,
    amount: formatUsd(row.amount),
    kind: row.kind,
    holdId: row.amount < 0n && row.kind !== FOLDED_CHARGE ? row.reference : null,
    createdAt: Number(row.created_at),
  })

const usageOf = (row: UsageRow): UsageRecord =>
  Object.assign(new UsageRecord(), {
    id: row.request_id,
    accountId: row.account_id,
    keyId: row.key_id,
    modelId: row.model_id,
    deploymentId: row.deployment_id,
    priceVersionId: row.price_version_id,
    inputTokens: row.input_tokens,
    cachedInputTokens: row.cached_input_tokens,
    outputTokens: row.output_tokens,
    usageSource: row.usage_source,
    cost: formatUsd(row.cost),
    endedAs: row.ended_as,
    createdAt: Number(row.created_at),
    firstTokenMs: row.first_token_ms,
    durationMs: row.duration_ms,
  })

interface Cursor {
  readonly createdAt: bigint
  readonly id: string
}

const cursor = (createdAt: bigint, id: string) => Buffer.from(`${createdAt}|${id}`).toString('base64url')

function cursorOf(after: string | null): Cursor | null {
  if (after === null) return null
  const [, createdAt, id] = /^(\d{1,15})\|(.{1,200})$/s.exec(Buffer.from(after, 'base64url').toString()) ?? []
  if (createdAt === undefined || id === undefined) throw invalidRequest('"after" is not a cursor of this list.', 'after')
  return { createdAt: BigInt(createdAt), id }
}

function pageOf<T>(rows: readonly T[], first: number, cursorFor: (row: T) => string) {
  const shown = rows.slice(0, first)
  const last = shown.at(-1)
  return { rows: shown, pageInfo: { hasNextPage: rows.length > first, endCursor: last === undefined ? null : cursorFor(last) } }
}
