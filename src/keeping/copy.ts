/**
 * Moves an installation to another database, of either kind, in one transaction: the target has everything, proven equal, or nothing.
 *
 * Proven means: what was written is read back, and every table's rows are the source's; balances and holds are added up anew from
 * the rows of the target, without the ledger's own queries, and compared with what its accounts say; then the ledger's invariants
 * are asked as after every start.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { systemClock } from '#platform/clock.js'
import { openDatabase, type Database } from '#platform/database/database.js'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { assertMigrated, migrate } from '#platform/database/migrations.js'
import { oneAtATime } from '#platform/database/one-at-a-time.js'
import { ownSqliteFile } from '#platform/database/sqlite/sqlite-owner.js'
import { AppError } from '#platform/errors.js'
import { proveBooks, type InvariantReport } from '../../subgraphs/accounts/index.js'
import { entities } from '../app/entities.js'
import { createRecount, type Recount } from './recount.js'
import {
  countOn,
  inOneMoment,
  isEmpty,
  readTable,
  RowsDigest,
  type Table,
  tablesOfProgram,
  writeRows,
  writerFor,
} from './table-rows.js'

export interface CopyRequest {
  readonly from: string
  /** Without tables, or with empty ones. */
  readonly to: string
}

export interface CopyResult {
  readonly tables: readonly { readonly name: string; readonly rows: number }[]
  /** Nano-USD of all accounts together. */
  readonly balance: bigint
  readonly books: InvariantReport
}

/** A server that was heard of this lately may still charge. */
const ALIVE_MS = 20_000

/** @throws AppError that says what is in the way; the target then holds no row. */
export async function copyInstallation({ from, to }: CopyRequest): Promise<CopyResult> {
  const source = parseDatabaseUrl(from)
  if (from === to) throw new AppError('invalid_request_error', 'A database cannot be copied onto itself.')
  if (source.dialect === 'sqlite' && !existsSync(resolve(source.file))) {
    throw new AppError('not_found', `There is no database ${resolve(source.file)}.`)
  }
  return alone(from, (sourceDatabase) =>
    alone(to, async (target) => {
      await assertMigrated(sourceDatabase, 'sluice migrate')
      await assertNobodyCharges(sourceDatabase)
      const before = await proveBooks(from, systemClock)
      if (!before.ok) {
        throw new AppError(
          'conflict',
          `The ledger of the source does not balance, so nothing was copied: ${before.violations[0]!.invariant}.`,
        )
      }
      await migrate(target)
      const copied = await sourceDatabase.unhurried(() => target.unhurried(() => copyRows(sourceDatabase, target)))
      const books = await proveBooks(to, systemClock)
      if (!books.ok) throw new AppError('server_error', 'The ledger of the copy does not balance. Do not use the copy.')
      return { ...copied, books }
    }),
  )
}

/** Opens a database while no server has it, and keeps others from starting on it. */
async function alone<Result>(url: string, work: (database: Database) => Promise<Result>): Promise<Result> {
  const location = parseDatabaseUrl(url)
  const owner = location.dialect === 'sqlite' ? ownSqliteFile(resolve(location.file), systemClock) : null
  try {
    const database = await openDatabase({ url, entities, maxConnections: 2 })
    try {
      return await oneAtATime(database, () => work(database))
    } finally {
      await database.close()
    }
  } finally {
    owner?.release()
  }
}

/** On SQLite the file is ours; the servers of a PostgreSQL are known by their heartbeats. */
async function assertNobodyCharges({ kysely, dialect }: Database): Promise<void> {
  if (dialect === 'sqlite') return
  const alive = await kysely
    .withTables<{ ledger_process: { heartbeat_at: bigint } }>()
    .selectFrom('ledger_process')
    .select('heartbeat_at')
    .where('heartbeat_at', '>', BigInt(systemClock.now() - ALIVE_MS))
    .execute()
  if (alive.length === 0) return
  throw new AppError(
    'conflict',
    'A server works on the source: what it charges meanwhile would be lost. Stop every server; one that was killed counts for 20 seconds.',
  )
}

const copyRows = (source: Database, target: Database): Promise<Omit<CopyResult, 'books'>> =>
  inOneMoment(source, (from) =>
    inOneMoment(target, async (to) => {
      const tables = tablesOfProgram(target)
      for (const table of tables) {
        if (await isEmpty(to, table)) continue
        throw new AppError('conflict', `The target holds something (${table.name}). Copy into an empty database.`)
      }
      const recount = createRecount()
      const counts = []
      for (const table of tables) counts.push(await copyTable(table, { source: from, to, target, recount }))
      const { faults, balance } = recount.result()
      if (faults.length > 0) throw new AppError('conflict', `The rows of the copy do not add up: ${faults[0]!}`)
      return { tables: counts, balance }
    }),
  )

type Rows = Parameters<Parameters<typeof inOneMoment>[1]>[0]

interface Ends {
  readonly source: Rows
  readonly to: Rows
  readonly target: Database
  readonly recount: Recount
}

async function copyTable(table: Table, { source, to, target, recount }: Ends): Promise<{ name: string; rows: number }> {
  const sent = new RowsDigest(table)
  const asTarget = await writerFor(target, to, table)
  for await (const page of readTable(source, table)) {
    sent.add(page)
    await writeRows(to, table, page.map(asTarget)).catch((cause: unknown) => {
      throw new AppError('conflict', `A row of ${table.name} does not fit the target: ${String(cause)}`, { cause })
    })
  }
  await countOn(target, to, table)
  const arrived = new RowsDigest(table)
  for await (const page of readTable(to, table)) {
    arrived.add(page)
    recount.add(table.name, page)
  }
  if (arrived.value !== sent.value) throw new AppError('server_error', `The rows of ${table.name} are not what was read.`)
  return { name: table.name, rows: sent.rows }
}
