/**
 * A backup becomes the database of an installation. It is copied beside the database, brought up to date and proven there; what was
 * in its place is kept under another name.
 */
import { copyFileSync, existsSync, renameSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '#platform/clock.js'
import { openDatabase } from '#platform/database/database.js'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { migrate } from '#platform/database/migrations.js'
import { ownSqliteFile } from '#platform/database/sqlite/sqlite-owner.js'
import { AppError } from '#platform/errors.js'
import { proveBooks, type InvariantReport } from '../../subgraphs/accounts/index.js'
import { entities } from '../app/entities.js'
import { accountsIn, assertSound, knownMigrations, migrationsIn } from './installation-file.js'
import { BESIDE, inPlaceOf } from './staged-file.js'

export interface RestoreRequest {
  /** The backup. */
  readonly file: string
  readonly databaseUrl: string
  /** Also over a database that holds something. */
  readonly force: boolean
}

export interface RestoreResult {
  readonly database: string
  /** What was applied because the backup is of an older version. */
  readonly migrations: readonly string[]
  /** Where the database lies that was in its place; null when there was none. */
  readonly replaced: string | null
  readonly books: InvariantReport
}

/** @throws AppError that says what is in the way; the database is then as it was. */
export async function restore({ file, databaseUrl, force }: RestoreRequest): Promise<RestoreResult> {
  const location = parseDatabaseUrl(databaseUrl)
  if (location.dialect === 'postgres') {
    throw new AppError(
      'invalid_request_error',
      'This restores SQLite. Restore PostgreSQL with its own tools (pg_restore, psql) from what pg_dump wrote.',
    )
  }
  const backup = resolve(file)
  const database = resolve(location.file)
  if (!existsSync(backup) || !statSync(backup).isFile()) throw new AppError('not_found', `There is no backup ${backup}.`)
  if (backup === database) throw new AppError('conflict', `${backup} is the database itself.`)
  if (BESIDE.some((end) => existsSync(`${backup}${end}`))) {
    throw new AppError('conflict', `${backup} has a log beside it, so it is a database in use and not a backup.`)
  }
  // Nobody starts on the file meanwhile, and nobody runs on it.
  const owner = ownSqliteFile(database, systemClock)
  try {
    if (existsSync(database) && !force) assertEmpty(database)
    return await inPlaceOf(database, async (staged) => {
      copyFileSync(backup, staged)
      assertOurs(staged, backup)
      const migrations = await bringUpToDate(staged)
      const books = await proveBooks(`sqlite:${staged}`, systemClock)
      if (!books.ok)
        throw new AppError('conflict', `The ledger in ${backup} does not balance: ${books.violations[0]!.invariant}.`)
      return { database, migrations, replaced: setAside(database), books }
    })
  } finally {
    owner.release()
  }
}

function assertEmpty(database: string): void {
  const accounts = accountsIn(database)
  if (accounts === 0) return
  const what = accounts === 1 ? 'an account' : `${accounts} accounts`
  throw new AppError('conflict', `${database} holds ${what}. Give --force to restore over it; it is kept under another name.`)
}

/** The staged copy is asked, so that opening it changes nothing of the backup. */
function assertOurs(staged: string, backup: string): void {
  try {
    assertSound(staged)
  } catch (error) {
    if (error instanceof AppError) throw new AppError('conflict', error.message.replace(staged, backup), { cause: error })
    throw error
  }
  const has = migrationsIn(staged)
  if (has === null) throw new AppError('conflict', `${backup} is a SQLite database, and not one of Sluice.`)
  const known = new Set(knownMigrations())
  const unknown = has.find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw new AppError('conflict', `${backup} was made by a newer version of Sluice (${unknown}). Restore it with that version.`)
  }
}

async function bringUpToDate(file: string): Promise<readonly string[]> {
  const database = await openDatabase({ url: `sqlite:${file}`, entities })
  try {
    return await migrate(database)
  } finally {
    await database.close()
  }
}

/** The database and its log under another name; a log that stayed would be taken for one of the backup. */
function setAside(database: string): string | null {
  if (!existsSync(database)) return null
  const name = `${database}.replaced-${new Date(systemClock.now()).toISOString().replaceAll(/[:.]/g, '')}`
  try {
    const db = new DatabaseSync(database, { timeout: 0 })
    db.exec('pragma wal_checkpoint(truncate)')
    db.close()
  } catch {
    // A damaged one is moved as it is, with what belongs to it.
  }
  for (const end of [...BESIDE, '']) if (existsSync(`${database}${end}`)) renameSync(`${database}${end}`, `${name}${end}`)
  return name
}
