/**
 * Refused requests, to be looked at for some days. They are noted in memory and written together a moment later: a caller who is
 * refused a thousand times a second must cost the database nothing, and is told of by the first of each minute.
 */
import { DAY_MS, type Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import { inSmallSteps, STEP_ROWS } from '#platform/database/small-steps.js'
import { tablesOf } from '#platform/database/tables.js'
import type { Logger } from '#platform/log.js'
import { onPage, text, wholeNumber, type ListOrder } from '#platform/paging/keyset.js'
import { pageOf, type Page, type PageRequest } from '#platform/paging/page.js'
import { MAX_ASKED, MAX_MESSAGE, type Refusal, type RefusalEntity } from './refusal.js'

/** Null: whatever it is. */
export interface RefusalFilter {
  readonly keyId: string | null
  readonly code: string | null
}

export interface Refusals {
  /** Never waits and never throws. */
  note(refusal: Refusal): void
  /** Newest first. */
  page(accountId: string, filter: RefusalFilter, page: PageRequest): Promise<Page<Refusal>>
  /** Forgets what is too old. */
  prune(): Promise<void>
  /** Writes what is noted. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export interface RefusalsOptions {
  readonly database: Database
  readonly clock: Clock
  readonly log: Logger
  /** Days that they are kept; nothing is noted with 0. Asked each time. */
  readonly keepDays: () => number
}

const MINUTE_MS = 60_000
/** So long it may take until one is seen. */
const WRITTEN_AFTER_MS = 1_000
/** Kept of one account and minute. */
const MOST_A_MINUTE = 60
/** Of everybody, while the database takes none. */
const MOST_WAITING = 5_000

const ORDER: ListOrder = { columns: [wholeNumber('createdAt'), text('id')], isDescending: true }

export function createRefusals({ database, clock, log, keepDays }: RefusalsOptions): Refusals {
  const db = tablesOf<typeof RefusalEntity>(database)
  const hasRoom = perMinute()
  let waiting: Refusal[] = []
  let cancelTimer: (() => void) | null = null
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    const rows = waiting
    waiting = []
    if (rows.length === 0) return
    await db
      .insertInto('refused_request')
      .values(rows)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
      // They are for people to look at: what the database does not take is not worth a retry.
      .catch((error: unknown) => log.warn({ err: error, refused: rows.length }, 'refused requests were not written'))
  }
  const flush = () => {
    cancelTimer?.()
    cancelTimer = null
    writing = writing.then(write)
    return writing
  }

  return {
    note(refusal) {
      if (keepDays() === 0 || waiting.length >= MOST_WAITING || !hasRoom(refusal.accountId, refusal.createdAt)) return
      waiting.push({
        ...refusal,
        model: refusal.model === null ? null : kept(refusal.model, MAX_ASKED),
        message: kept(refusal.message, MAX_MESSAGE),
      })
      cancelTimer ??= clock.setTimeout(() => void flush(), WRITTEN_AFTER_MS)
    },
    async page(accountId, { keyId, code }, page) {
      const refused = db
        .selectFrom('refused_request')
        .selectAll()
        .where('accountId', '=', accountId)
        .$if(keyId !== null, (query) => query.where('keyId', '=', keyId!))
        .$if(code !== null, (query) => query.where('code', '=', code!))
      const rows = await onPage(refused, ORDER, page).execute()
      return pageOf(
        rows,
        page,
        ({ createdAt, id }) => [createdAt, id],
        (row) => row,
      )
    },
    async prune() {
      const before = clock.now() - keepDays() * DAY_MS
      const old = db.selectFrom('refused_request').select('id').where('createdAt', '<', before).limit(STEP_ROWS)
      await inSmallSteps(() => db.deleteFrom('refused_request').where('id', 'in', old).executeTakeFirstOrThrow())
    },
    flush,
    stop: flush,
  }
}

/** Callers write what they like; no database takes everything. */
const kept = (text: string, length: number): string => text.replaceAll('\0', '').slice(0, length).toWellFormed()

/** Whether one more of an account is kept in this minute. */
function perMinute(): (accountId: string, nowMs: number) => boolean {
  const counts = new Map<string, number>()
  let minute = 0
  return (accountId, nowMs) => {
    const now = Math.floor(nowMs / MINUTE_MS)
    if (now !== minute) counts.clear()
    minute = now
    const count = (counts.get(accountId) ?? 0) + 1
    counts.set(accountId, count)
    return count <= MOST_A_MINUTE
  }
}
