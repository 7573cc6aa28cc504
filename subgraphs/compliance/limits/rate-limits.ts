/**
 * How many scan requests an account may make: per minute and per day, by its tier. A batch is one request.
 *
 * Windows begin with an account's first request in them. On Postgres all processes count together; an embedded database has
 * one process, which counts in memory.
 */
import { CompiledQuery } from 'kysely'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible'
import type { Database } from '#platform/database/database.js'
import { AppError } from '#platform/errors.js'
import type { ScanTier } from '#platform/vocabulary/words.js'

export interface TierLimits {
  readonly perMinute: number
  readonly perDay: number
}

/** The contract's table; enterprise is the operator's to set. */
export const contractTiers: Readonly<Record<'free' | 'pro', TierLimits>> = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
}

export interface RateLimits {
  /**
   * Counts one request, or as many as are said.
   *
   * @throws AppError 429 with the whole seconds until the next request is allowed.
   */
  consume(accountId: string, tier: ScanTier, requests?: number): Promise<void>
  /** Removes windows that are over. */
  prune(now: number): Promise<void>
}

const WHAT = { scan: 'scan requests', answers: 'blocks of code in answers' }

const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400

/** @param of what is counted, apart from all else */
export function createRateLimits(
  database: Database,
  of: 'scan' | 'answers',
  tiers: Readonly<Record<ScanTier, TierLimits>>,
): RateLimits {
  const limiterOf = (name: string, points: number, duration: number) => newLimiter(database, `${of}-${name}`, points, duration)
  const windows = new Map(
    (Object.entries(tiers) as [ScanTier, TierLimits][]).map(([tier, limits]) => [
      tier,
      [
        { name: 'minute', limit: limits.perMinute, limiter: limiterOf(`${tier}-minute`, limits.perMinute, MINUTE_SECONDS) },
        { name: 'day', limit: limits.perDay, limiter: limiterOf(`${tier}-day`, limits.perDay, DAY_SECONDS) },
      ],
    ]),
  )
  return {
    async consume(accountId, tier, requests = 1) {
      // The minute first: what it refuses is not counted for the day.
      for (const { name, limit, limiter } of windows.get(tier) ?? []) {
        const refusal = await limiter.consume(accountId, requests).then(
          () => null,
          (reason: unknown) => reason,
        )
        if (refusal === null) continue
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        throw new AppError('rate_limit', `Too many ${WHAT[of]}: the ${tier} tier has ${limit} a ${name}.`, {
          retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)),
        })
      }
    },
    async prune(now) {
      // In memory they remove themselves.
      if (database.dialect === 'sqlite') return
      const tables = database.kysely.withTables<{ scan_rate_limit: { expire: bigint | null } }>()
      await tables.deleteFrom('scan_rate_limit').where('expire', '<', BigInt(now)).execute()
    },
  }
}

function newLimiter(database: Database, keyPrefix: string, points: number, duration: number): RateLimiterAbstract {
  const options = { keyPrefix, points, duration }
  if (database.dialect === 'sqlite') return new RateLimiterMemory(options)
  return new RateLimiterPostgres({
    ...options,
    storeType: 'client',
    storeClient: limiterClient(database),
    tableName: 'scan_rate_limit',
    tableCreated: true,
    // The sweep of the scans removes what has expired.
    clearExpiredByTimeout: false,
    ...(database.schema !== null && { schemaName: database.schema }),
  })
}

interface LimiterQuery {
  readonly text: string
  readonly values?: readonly unknown[]
}

/** The limiter speaks to a `pg` client; this is one over the pool of the process, with the numbers it expects. */
const limiterClient = (database: Database) => ({
  async query({ text, values = [] }: LimiterQuery) {
    const { rows, numAffectedRows } = await database.kysely.executeQuery(CompiledQuery.raw(text, [...values]))
    return { rows: (rows as Record<string, unknown>[]).map(plainNumbers), rowCount: Number(numAffectedRows ?? rows.length) }
  },
})

const plainNumbers = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]))
