/** The reading side of usage: records, and records added up. Plain SQL through kysely, never the hot path. */
import { sql, type Kysely, type SelectQueryBuilder } from 'kysely'
import { DAY_MS, HOUR_MS, type Clock } from '#platform/clock.js'
import { invalidRequest } from '#platform/errors.js'
import type { Database } from '#platform/database/database.js'
import { tablesOf, type TablesOf } from '#platform/database/tables.js'
import { onPage, text, wholeNumber, type ListOrder } from '#platform/paging/keyset.js'
import { pageOf, type CursorValue, type Page, type PageRequest } from '#platform/paging/page.js'
import type { UsageRow } from '../ledger/ledger-columns.js'
import { SESSIONS, type UsageRecord as UsageTable } from '../ledger/ledger-tables.js'
import type { UsageFilter } from './usage-filter.js'
import { UsageRecord, UsageSummary, type UsageGrouping, type UsageSort } from './usage-type.js'

export interface UsageBooks {
  usage(accountId: string, filter: UsageFilter, sort: UsageSort, page: PageRequest): Promise<Page<UsageRecord>>
  /** In the order of the ids; null for what does not exist. */
  usageByIds(ids: readonly string[]): Promise<(UsageRecord | null)[]>
  /** Of the 30 days before the end of the filter where it names no beginning. */
  usageSummary(accountId: string, group: UsageGrouping, filter: UsageFilter): Promise<UsageSummary[]>
}

type Tables = TablesOf<typeof UsageTable>

/** Only columns come back as bigint in both dialects; a sum may be a number on SQLite and text on Postgres. */
export type Aggregate = bigint | number | string

const STANDARD_DAYS = 30
const MOST_DAYS_BY_HOUR = 31

const ORDERS: Record<UsageSort, ListOrder & { readonly keyOf: (row: UsageRow) => readonly CursorValue[] }> = {
  newest: byTime(true),
  oldest: byTime(false),
  costliest: {
    columns: [wholeNumber('cost'), text('requestId')],
    isDescending: true,
    keyOf: (row) => [row.cost, row.requestId],
  },
  slowest: {
    columns: [wholeNumber('durationMs'), text('requestId')],
    isDescending: true,
    keyOf: (row) => [row.durationMs, row.requestId],
  },
}

function byTime(isDescending: boolean) {
  const columns = [wholeNumber('createdAt'), text('requestId')]
  return { columns, isDescending, keyOf: (row: UsageRow) => [row.createdAt, row.requestId] }
}

export function createUsageBooks(database: Database, clock: Clock): UsageBooks {
  const tables = tablesOf<typeof UsageTable>(database)

  return {
    async usage(accountId, filter, sort, page) {
      const order = ORDERS[sort]
      // What no index orders is read whole, so not without a bound.
      const isBounded = sort === 'newest' || sort === 'oldest'
      const window = isBounded ? filter : { ...filter, ...windowOf(filter, clock) }
      const query = filtered(tables.selectFrom('usage_record').selectAll(), accountId, window)
      return pageOf(await onPage(query, order, page).execute(), page, order.keyOf, usageOf)
    },

    async usageByIds(ids) {
      const rows = await usageRows(tables, ids)
      return ids.map((id) => {
        const row = rows.get(id)
        return row ? usageOf(row) : null
      })
    },

    async usageSummary(accountId, group, filter) {
      const window = windowOf(filter, clock)
      if (group === 'hour' && window.to - window.from > MOST_DAYS_BY_HOUR * DAY_MS) {
        throw invalidRequest(`By hour, usage is added up over ${MOST_DAYS_BY_HOUR} days at most.`, 'from')
      }
      const by = BUCKETS[group]
      const rows = await filtered(tables.selectFrom('usage_record'), accountId, { ...filter, ...window })
        .select([
          by.as('bucket'),
          sql<bigint>`count(*)`.as('requests'),
          sql<bigint>`cast(sum(input_tokens) as bigint)`.as('input'),
          sql<bigint>`cast(sum(cached_input_tokens) as bigint)`.as('cached'),
          sql<bigint>`cast(sum(output_tokens) as bigint)`.as('output'),
          sql<Aggregate>`cast(sum(cost) as bigint)`.as('cost'),
        ])
        .groupBy(by)
        .orderBy(by)
        .execute()
      const sums = rows.map((row) => ({ ...row, group: groupName(group, row.bucket) }))
      return group === 'provider' ? summed(sums) : sums.map((sum) => summary(sum.group, [sum]))
    },
  }
}

const BUCKETS = {
  hour: sql<string | null>`CAST(created_at / ${sql.lit(HOUR_MS)} AS bigint)`,
  day: sql<string | null>`CAST(created_at / ${sql.lit(DAY_MS)} AS bigint)`,
  model: sql<string | null>`model_id`,
  key: sql<string | null>`key_id`,
  provider: sql<string | null>`deployment_id`,
}

function groupName(group: UsageGrouping, bucket: string | null): string | null {
  if (group === 'hour') return new Date(Number(bucket) * HOUR_MS).toISOString()
  if (group === 'day') return new Date(Number(bucket) * DAY_MS).toISOString().slice(0, 10)
  return group === 'provider' ? providerOf(bucket) : bucket
}

interface Sum {
  readonly requests: Aggregate
  readonly input: Aggregate
  readonly cached: Aggregate
  readonly output: Aggregate
  readonly cost: Aggregate
}

/** A provider has many deployments. */
function summed(sums: readonly (Sum & { readonly group: string | null })[]): UsageSummary[] {
  const byProvider = Map.groupBy(sums, ({ group }) => group)
  const names = [...byProvider.keys()].toSorted((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1))
  return names.map((name) => summary(name, byProvider.get(name)!))
}

function summary(group: string | null, sums: readonly Sum[]): UsageSummary {
  const total = (part: keyof Sum): bigint => sums.reduce((sum, row) => sum + BigInt(row[part]), 0n)
  return Object.assign(new UsageSummary(), {
    group,
    requests: Number(total('requests')),
    inputTokens: Number(total('input')),
    cachedInputTokens: Number(total('cached')),
    outputTokens: Number(total('output')),
    cost: total('cost'),
  })
}

/** @throws AppError 400 when it ends before it begins */
function windowOf({ from, to }: UsageFilter, clock: Clock): { readonly from: number; readonly to: number } {
  const end = to ?? clock.now() + 1
  const window = { from: from ?? end - STANDARD_DAYS * DAY_MS, to: end }
  if (window.from > window.to) throw invalidRequest('"from" lies after "to".', 'from')
  return window
}

function filtered<O>(
  query: SelectQueryBuilder<Tables, 'usage_record', O>,
  accountId: string,
  { modelId, keyId, providerId, outcome, api, minCost, from, to }: UsageFilter,
): SelectQueryBuilder<Tables, 'usage_record', O> {
  let narrowed = query.where('accountId', '=', accountId)
  if (modelId !== null) narrowed = narrowed.where('modelId', '=', modelId)
  if (keyId !== null) narrowed = narrowed.where('keyId', '=', keyId)
  if (outcome !== null) narrowed = narrowed.where('endedAs', '=', outcome)
  if (api !== null) narrowed = narrowed.where('api', '=', api)
  if (minCost !== null) narrowed = narrowed.where('cost', '>=', minCost)
  if (from !== null) narrowed = narrowed.where('createdAt', '>=', from)
  if (to !== null) narrowed = narrowed.where('createdAt', '<', to)
  return providerId === null ? narrowed : narrowed.where(isAt(providerId))
}

/** Of GPU sessions only the session's id is known. */
const SESSION_PROVIDER = 'session'

/** The provider in a deployment id, which is "model@provider" or "model@provider:region". */
function providerOf(deploymentId: string | null): string | null {
  if (deploymentId === null) return null
  const [, place] = deploymentId.split('@')
  return place === undefined ? SESSION_PROVIDER : place.split(':')[0]!
}

function isAt(providerId: string) {
  if (providerId === SESSION_PROVIDER) {
    return sql<boolean>`deployment_id > ${sql.lit(SESSIONS.after)} and deployment_id < ${sql.lit(SESSIONS.before)}`
  }
  // Unlike LIKE this heeds upper and lower case on both databases, and knows no wildcards.
  return sql<boolean>`replace(deployment_id || ':', ${`@${providerId}:`}, '') <> deployment_id || ':'`
}

export async function usageRows(
  tables: Kysely<Pick<Tables, 'usage_record'>>,
  ids: readonly string[],
): Promise<Map<string, UsageRow>> {
  if (ids.length === 0) return new Map()
  const rows = await tables
    .selectFrom('usage_record')
    .selectAll()
    .where('requestId', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.requestId, row]))
}

const usageOf = (row: UsageRow): UsageRecord =>
  Object.assign(new UsageRecord(), row, {
    id: row.requestId,
    providerId: providerOf(row.deploymentId),
    priceVersion: row.priceVersionId === null ? null : { id: row.priceVersionId },
    outcome: row.endedAs,
  })
