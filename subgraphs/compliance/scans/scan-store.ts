/** The scans of all accounts in the database. Lists and progress never read the violations, which can be megabytes. */
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '#platform/database/database.js'
import { inSmallSteps, STEP_ROWS } from '#platform/database/small-steps.js'
import { tablesOf, type TablesOf } from '#platform/database/tables.js'
import { countOf, onPage, text, type ListOrder } from '#platform/paging/keyset.js'
import { pageOf, type Page, type PageRequest } from '#platform/paging/page.js'
import type { NewOutboxEvent, Outbox } from '#platform/events/outbox.js'
import type { Clause } from '../engine/index.js'
import {
  rowOf,
  ScanEntity,
  scanOf,
  type Scan,
  type ScannedFile,
  type ScanOutline,
  type ScanStatus,
  type ScanViolation,
} from './scan.js'

type Tables = TablesOf<typeof ScanEntity>

/** The outbox topic of scans; the subject is the scan's id. */
export const SCAN_TOPIC = 'scan'

const ORDER: ListOrder = { columns: [text('id')], isDescending: true }

export interface ScanStore {
  insert(scan: Scan): Promise<void>
  /** Writes how a running scan stands; one that has ended stays as it is. */
  progress(id: string, filesDone: number): Promise<void>
  /** Stores the end of a scan that was inserted before. */
  finish(scan: Scan): Promise<void>
  /** Without its files. */
  find(id: string): Promise<Scan | null>
  findMany(ids: readonly string[]): Promise<Scan[]>
  /** By scan id; a scan that has not ended has none. */
  filesOf(ids: readonly string[]): Promise<Map<string, readonly ScannedFile[]>>
  /** Newest first, without their files. */
  list(accountId: string, page: PageRequest): Promise<Page<Scan>>
  count(accountId: string): Promise<number>
  /** Ends scans that still run though they were started before `before`: their process is gone. */
  failAbandoned(before: number, now: number): Promise<void>
  prune(before: number): Promise<number>
}

/** All but the files. */
const OUTLINE = Object.keys(ScanEntity.properties).filter((column) => column !== 'files') as (keyof ScanOutline)[]

export function createScanStore(database: Database, outbox: Outbox): ScanStore {
  const db = tablesOf<typeof ScanEntity>(database)

  async function commit(event: NewOutboxEvent, write: (tx: Transaction<Tables>) => Promise<unknown>): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await write(tx)
      await outbox.append(tx, [event])
    })
    outbox.published([event])
  }

  return {
    async insert(scan) {
      await db.insertInto('scan').values(rowOf(scan)).execute()
    },
    progress: (id, filesDone) =>
      commit(eventOf(id, 'running', filesDone), (tx) =>
        tx.updateTable('scan').set({ filesDone }).where('id', '=', id).where('status', '=', 'running').execute(),
      ),
    finish: (scan) =>
      commit(eventOf(scan.id, scan.status, scan.filesDone), (tx) =>
        tx.updateTable('scan').set(rowOf(scan)).where('id', '=', scan.id).execute(),
      ),
    find: async (id) => (await findMany(db, [id]))[0] ?? null,
    findMany: (ids) => findMany(db, ids),
    async filesOf(ids) {
      if (ids.length === 0) return new Map()
      const rows = await db
        .selectFrom('scan')
        .select(['id', 'files'])
        .where('id', 'in', [...ids])
        .execute()
      return new Map(rows.map(({ id, files }) => [id, (files ?? []).map(inFull)]))
    },
    async list(accountId, page) {
      const query = db.selectFrom('scan').select(OUTLINE).where('accountId', '=', accountId)
      return pageOf(await onPage(query, ORDER, page).execute(), page, ({ id }) => [id], scanOf)
    },
    count: (accountId) => countOf(db.selectFrom('scan').where('accountId', '=', accountId)),
    async failAbandoned(before, now) {
      await db
        .updateTable('scan')
        .set({ status: 'error', error: 'The server stopped before the scan had ended.', finishedAt: now })
        .where('status', '=', 'running')
        .where('createdAt', '<', before)
        .execute()
    },
    prune(before) {
      const old = db.selectFrom('scan').select('id').where('createdAt', '<', before).limit(STEP_ROWS)
      return inSmallSteps(() => db.deleteFrom('scan').where('id', 'in', old).executeTakeFirstOrThrow())
    },
  }
}

type StoredClause = Omit<Clause, 'evidence'> & Partial<Pick<Clause, 'evidence'>>
type StoredViolation = Omit<ScanViolation, 'flow'> & Partial<Pick<ScanViolation, 'flow'>>

/** Scans that were stored before clauses said whether they are evidence, and violations which way their data took. */
const inFull = (file: ScannedFile): ScannedFile => ({
  ...file,
  violations: file.violations.map(({ flow = [], ...violation }: StoredViolation) => ({
    ...violation,
    flow,
    standards: violation.standards.map(({ evidence = false, ...clause }: StoredClause) => ({ ...clause, evidence })),
  })),
})

async function findMany(db: Kysely<Tables>, ids: readonly string[]): Promise<Scan[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('scan')
    .select(OUTLINE)
    .where('id', 'in', [...ids])
    .execute()
  return rows.map(scanOf)
}

const eventOf = (id: string, status: ScanStatus, done: number): NewOutboxEvent => ({
  topic: SCAN_TOPIC,
  subject: id,
  payload: { status, done },
})
