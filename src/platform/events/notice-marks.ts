/**
 * What operators were last told of something that lasts: a balance that is low, a provider that is down. Who looks again, in this
 * process or another, tells of a change and not of the same thing twice. A mark moves in the transaction that tells, and only
 * from where it was seen: of two processes that see the same change, one tells.
 */
import { defineEntity, p } from '@mikro-orm/core'
import type { Clock } from '../clock.js'
import { time } from '../database/columns.js'
import type { Database } from '../database/database.js'
import { inSmallSteps, STEP_ROWS } from '../database/small-steps.js'
import { tablesOf } from '../database/tables.js'
import type { Notice } from './notices.js'
import { type Outbox, OutboxEventEntity } from './outbox.js'

const NoticeMarkEntity = defineEntity({
  name: 'NoticeMark',
  tableName: 'notice_mark',
  indexes: [{ properties: ['kind', 'markedAt'] }],
  properties: {
    kind: p.string().length(40).primary(),
    subject: p.string().length(200).primary(),
    state: p.string().length(200),
    markedAt: time(),
  },
})

/** What events are kept in, for the list of the database's entities. */
export const eventEntities = [OutboxEventEntity, NoticeMarkEntity]

interface Move {
  readonly kind: string
  readonly subject: string
  /** As it was read; undefined for none. */
  readonly from: string | undefined
  readonly to: string
}

export interface NoticeMarks {
  /** The states of those subjects that have one. */
  read(kind: string, subjects: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Moves a mark and tells, both or neither; false when somebody else has moved it meanwhile. */
  move(move: Move, notices: readonly Notice[]): Promise<boolean>
  /** Forgets the marks of a kind that are older. */
  forget(kind: string, ageMs: number): Promise<number>
}

export interface NoticeMarksOptions {
  readonly database: Database
  readonly outbox: Pick<Outbox, 'append' | 'published'>
  readonly clock: Clock
}

/** Databases limit the parameters of one statement. */
const SUBJECTS_A_QUERY = 500

export function createNoticeMarks({ database, outbox, clock }: NoticeMarksOptions): NoticeMarks {
  const db = tablesOf<typeof NoticeMarkEntity>(database)
  return {
    async read(kind, subjects) {
      const states = new Map<string, string>()
      for (let at = 0; at < subjects.length; at += SUBJECTS_A_QUERY) {
        const part = subjects.slice(at, at + SUBJECTS_A_QUERY)
        const rows = await db
          .selectFrom('notice_mark')
          .selectAll()
          .where('kind', '=', kind)
          .where('subject', 'in', part)
          .execute()
        for (const { subject, state } of rows) states.set(subject, state)
      }
      return states
    },
    async move({ kind, subject, from, to }, notices) {
      const isMoved = await db.transaction().execute(async (tx) => {
        const markedAt = clock.now()
        const { count } =
          from === undefined
            ? await tx
                .insertInto('notice_mark')
                .values({ kind, subject, state: to, markedAt })
                .onConflict((conflict) => conflict.columns(['kind', 'subject']).doNothing())
                .executeTakeFirstOrThrow()
                .then(({ numInsertedOrUpdatedRows: count }) => ({ count }))
            : await tx
                .updateTable('notice_mark')
                .set({ state: to, markedAt })
                .where('kind', '=', kind)
                .where('subject', '=', subject)
                .where('state', '=', from)
                .executeTakeFirstOrThrow()
                .then(({ numUpdatedRows: count }) => ({ count }))
        const isOurs = count !== undefined && count > 0n
        if (isOurs) await outbox.append(tx, notices)
        return isOurs
      })
      if (isMoved) outbox.published(notices)
      return isMoved
    },
    forget(kind, ageMs) {
      const old = db
        .selectFrom('notice_mark')
        .select('subject')
        .where('kind', '=', kind)
        .where('markedAt', '<', clock.now() - ageMs)
        .limit(STEP_ROWS)
      return inSmallSteps(() =>
        db.deleteFrom('notice_mark').where('kind', '=', kind).where('subject', 'in', old).executeTakeFirstOrThrow(),
      )
    },
  }
}
