/**
 * A backup of a SQLite installation while its server runs: one file that holds one moment, proven before it has its name.
 *
 * It is written under another name, opened, read to its end and checked, and only then renamed: a file of the given name is whole.
 */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { systemClock } from '#platform/clock.js'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { AppError } from '#platform/errors.js'
import { proveBooks, type InvariantReport } from '../../subgraphs/accounts/index.js'
import { assertSound, BUSY_MS, knownMigrations, migrationsIn } from './installation-file.js'
import { inPlaceOf } from './staged-file.js'

export interface BackupRequest {
  readonly databaseUrl: string
  /** Where the backup goes; the folder must exist. */
  readonly file: string
  /** Takes the place of a file that is there. */
  readonly force: boolean
}

export interface BackupResult {
  readonly file: string
  readonly bytes: number
  /** What the ledger says of itself in the backup. A report that is not ok is one of the original too. */
  readonly books: InvariantReport
}

/** Large enough to be fast; the thread that copies is not the one that waits for it. */
const PAGES_A_STEP = 10_000

/** @throws AppError that says what is in the way; nothing is left behind then. */
export async function backUp({ databaseUrl, file, force }: BackupRequest): Promise<BackupResult> {
  const location = parseDatabaseUrl(databaseUrl)
  if (location.dialect === 'postgres') {
    throw new AppError(
      'invalid_request_error',
      'This writes backups of SQLite. Back PostgreSQL up with its own tools (pg_dump, continuous archiving), as any database that holds money.',
    )
  }
  const source = resolve(location.file)
  const target = resolve(file)
  if (!existsSync(source)) throw new AppError('not_found', `There is no database ${source} to back up.`)
  if (existsSync(target)) {
    if (realpathSync(target) === realpathSync(source)) throw new AppError('conflict', `${target} is the database itself.`)
    if (!force) throw new AppError('conflict', `${target} exists. Give another name, or --force to replace it.`)
  }
  return inPlaceOf(target, async (staged) => {
    await copyMoment(source, staged)
    assertSound(staged)
    const migrations = migrationsIn(staged)
    if (migrations === null) throw new AppError('conflict', `${source} is a SQLite database, and not one of Sluice.`)
    // Invariants are asked of the tables as this program knows them.
    if (migrations.join() !== knownMigrations().join()) {
      throw new AppError('conflict', `${source} was made by another version of Sluice. Back it up with that version.`)
    }
    const books = await proveBooks(`sqlite:${staged}`, systemClock)
    singleFile(staged)
    return { file: target, bytes: statSync(staged).size, books }
  })
}

/** The database as it is now: a transaction that reads keeps later writes out of the copy, and keeps nobody from writing. */
async function copyMoment(source: string, target: string): Promise<void> {
  const db = new DatabaseSync(source, { readOnly: true, timeout: BUSY_MS })
  try {
    db.exec('begin; select count(*) from sqlite_master')
    await backup(db, target, { rate: PAGES_A_STEP })
  } finally {
    db.close()
  }
}

/** A log beside a backup would be forgotten when somebody moves it. */
function singleFile(file: string): void {
  const db = new DatabaseSync(file)
  try {
    db.exec('pragma journal_mode = delete')
  } finally {
    db.close()
  }
}
