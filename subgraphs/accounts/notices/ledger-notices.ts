/** Tells operators when the ledger breaks a promise: once for the same violations, also after a restart. */
import { createHash } from 'node:crypto'
import type { NoticeMarks } from '#platform/events/notice-marks.js'
import { notice, NoticeType } from '#platform/events/notices.js'
import type { InvariantReport } from '../ledger/ledger.js'

const KIND = 'ledger'
const SUBJECT = 'ledger'
const BALANCED = 'balanced'

/** @returns what is told the outcome of every check. */
export const createLedgerNotices =
  (marks: NoticeMarks) =>
  async ({ violations }: Pick<InvariantReport, 'violations'>): Promise<void> => {
    const from = (await marks.read(KIND, [SUBJECT])).get(SUBJECT)
    const [first] = violations
    const to = first ? digestOf(violations) : BALANCED
    if (to === (from ?? BALANCED)) return
    const move = { kind: KIND, subject: SUBJECT, from, to }
    if (!first) return void (await marks.move(move, []))
    const { invariant: promise, subject: about, detail } = first
    const told = { violations: violations.length, promise, about, detail }
    await marks.move(move, [notice(NoticeType.LEDGER_INVARIANT_BROKEN, SUBJECT, told)])
  }

/** What is found may go on changing where a promise stays broken: which promise, and of whom, is what counts. */
const digestOf = (violations: InvariantReport['violations']): string =>
  createHash('sha256')
    .update(JSON.stringify(violations.map(({ invariant, subject }) => `${invariant}: ${subject}`).toSorted()))
    .digest('hex')
