/**
 * The event outbox: events that are committed together with the change they tell of, in one order that all processes see.
 *
 * A subscriber reads the stored state, then follows from a sequence number; whoever reconnects with the last number it saw
 * misses nothing. The event bus only says "look now"; a slow poll covers a lost hint, so correctness never rests on it.
 *
 * On Postgres sequence numbers are handed out under a lock that is held until the commit. Without it a reader could see number
 * 6 before 5 is committed and never look back. Append last in a transaction, so that the lock is held briefly.
 */
import { defineEntity, p } from '@mikro-orm/core'
import { type QueryExecutorProvider, sql } from 'kysely'
import { delay, type Clock } from '../clock.js'
import { json, time } from '../database/columns.js'
import type { Database } from '../database/database.js'
import { DatabaseOutage } from '../database/outage.js'
import { inSmallSteps, STEP_ROWS } from '../database/small-steps.js'
import { type Row, tablesOf } from '../database/tables.js'
import type { EventBus } from './events.js'

export type OutboxPayload = Readonly<Record<string, string | number | boolean | null>>

export const OutboxEventEntity = defineEntity({
  name: 'OutboxEvent',
  tableName: 'outbox_event',
  indexes: [{ properties: ['topic', 'subject', 'sequence'] }, { properties: ['createdAt'] }],
  properties: {
    /** Rises with every event of any topic; has gaps. */
    sequence: p.integer().primary().autoincrement(),
    topic: p.string().length(64),
    /** Whose event it is: a rental, a scan, a model. */
    subject: p.string().length(200),
    /** Flat; enough of the state that a late follower sees the event's time. */
    payload: json<OutboxPayload>(),
    createdAt: time(),
  },
})

export type OutboxEvent = Row<typeof OutboxEventEntity>

export type NewOutboxEvent = Omit<OutboxEvent, 'sequence' | 'createdAt'>

export interface StreamRequest {
  readonly topic: string
  /** One subject, or all of the topic when left out. */
  readonly subject?: string
  /** Events after this number; 0 for all that are still stored. */
  readonly afterSequence: number
  readonly signal: AbortSignal
}

/** The events of a topic after this number, which somebody is bound to read. */
export interface Unread {
  readonly topic: string
  readonly afterSequence: number
}

export interface Outbox {
  /** Stores events in the caller's transaction, of kysely or `em.getKysely()`. Call `published` after the commit. */
  append(transaction: QueryExecutorProvider, events: readonly NewOutboxEvent[]): Promise<void>
  /** Wakes followers in every process; losing this costs only latency. */
  published(events: readonly NewOutboxEvent[]): void
  /** The number of the newest stored event, of all or of one subject; 0 when there is none: where a new follower starts. */
  latest(of?: Pick<NewOutboxEvent, 'topic' | 'subject'>): Promise<number>
  /** Stored events first, then new ones as they come, until the signal aborts. */
  stream(request: StreamRequest): AsyncIterableIterator<OutboxEvent>
  /** Some of the stored events, in their order; all of them before these were committed earlier. */
  read(request: Omit<StreamRequest, 'signal'>): Promise<OutboxEvent[]>
  /** Calls the listener when `published` was called for the topic, in any process. Hints may be lost. */
  onPublished(topic: string, listener: () => void): () => void
  /** Deletes events older than `ageMs`, but none that `unread` has yet to see; answers how many. */
  prune(ageMs: number, unread?: Unread): Promise<number>
}

export interface OutboxOptions {
  readonly database: Pick<Database, 'dialect' | 'kysely' | 'orm'>
  readonly events: EventBus
  readonly clock: Clock
  /** How often followers look without a hint. */
  readonly pollMs?: number
}

const HINT_TOPIC = 'outbox'
const PAGE = 256
const DEFAULT_POLL_MS = 2_000
/** Any number that no other advisory lock of ours uses. */
const SEQUENCE_LOCK = 7_301_944

export function createOutbox({ database, events, clock, pollMs = DEFAULT_POLL_MS }: OutboxOptions): Outbox {
  const tables = tablesOf<typeof OutboxEventEntity>(database)

  const page = (request: Omit<StreamRequest, 'signal'>, after: number): Promise<OutboxEvent[]> =>
    tables
      .selectFrom('outbox_event')
      .selectAll()
      .where('topic', '=', request.topic)
      .where('sequence', '>', after)
      .$if(request.subject !== undefined, (query) => query.where('subject', '=', request.subject ?? ''))
      .orderBy('sequence')
      .limit(PAGE)
      .execute()

  return {
    async append(transaction, added) {
      if (added.length === 0) return
      if (database.dialect === 'postgres') await sql`select pg_advisory_xact_lock(${SEQUENCE_LOCK})`.execute(transaction)
      const createdAt = clock.now()
      const insertion = tables.insertInto('outbox_event').values(added.map((event) => ({ ...event, createdAt })))
      await transaction.getExecutor().executeQuery(insertion.compile())
    },
    published(added) {
      for (const key of new Set(added.map(({ topic }) => topic))) events.publish(HINT_TOPIC, { topic: key })
    },
    async latest(of) {
      const row = await tables
        .selectFrom('outbox_event')
        .select(({ fn }) => fn.max('sequence').as('sequence'))
        .$if(of !== undefined, (query) => query.where('topic', '=', of!.topic).where('subject', '=', of!.subject))
        .executeTakeFirst()
      return row?.sequence ?? 0
    },
    stream: (request) => follow(request, { page, events, clock, pollMs }),
    read: (request) => page(request, request.afterSequence),
    onPublished: (wanted, listener) =>
      events.listen(HINT_TOPIC, ({ topic }) => {
        if (topic === wanted) listener()
      }),
    prune(ageMs, unread) {
      const before = clock.now() - ageMs
      const old = tables
        .selectFrom('outbox_event')
        .select('sequence')
        .where('createdAt', '<', before)
        .$if(unread !== undefined, (query) =>
          query.where(({ eb, or }) => or([eb('topic', '<>', unread!.topic), eb('sequence', '<=', unread!.afterSequence)])),
        )
        .limit(STEP_ROWS)
      return inSmallSteps(() => tables.deleteFrom('outbox_event').where('sequence', 'in', old).executeTakeFirstOrThrow())
    },
  }
}

interface Follower {
  readonly page: (request: Omit<StreamRequest, 'signal'>, after: number) => Promise<OutboxEvent[]>
  readonly events: EventBus
  readonly clock: Clock
  readonly pollMs: number
}

/** A follower outlives trouble of the database: the next look, at the latest after the poll's pause, finds what it missed. */
function nothingInAnOutage(error: unknown): OutboxEvent[] {
  if (error instanceof DatabaseOutage) return []
  throw error
}

/** Reads pages until there is none, then sleeps until a hint or the poll; the hint listener exists before the first read. */
function follow(request: StreamRequest, { page, events, clock, pollMs }: Follower): AsyncIterableIterator<OutboxEvent> {
  const { signal } = request
  let hinted = false
  let awake = new AbortController()
  const wake = () => {
    hinted = true
    awake.abort()
  }
  const stopListening = events.listen(HINT_TOPIC, ({ topic }) => {
    if (topic === request.topic) wake()
  })
  const end = () => {
    stopListening()
    signal.removeEventListener('abort', end)
    ended = true
    wake()
  }
  let ended = false
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()

  let after = request.afterSequence
  let waiting: OutboxEvent[] = []
  const next = async (): Promise<IteratorResult<OutboxEvent, undefined>> => {
    while (!ended) {
      const event = waiting.shift()
      if (event) {
        after = event.sequence
        return { done: false, value: event }
      }
      hinted = false
      awake = new AbortController()
      waiting = await page(request, after).catch(nothingInAnOutage)
      if (waiting.length === 0 && !hinted && !ended) await delay(clock, pollMs, awake.signal)
    }
    return { done: true, value: undefined }
  }
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next,
    async return() {
      end()
      return { done: true, value: undefined }
    },
  }
}
