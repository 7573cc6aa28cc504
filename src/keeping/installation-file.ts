/** What a SQLite file is: whether it is sound, whether it is one of ours, and which version wrote it. */
import { readdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { AppError } from '#platform/errors.js'

/** SQLite's own table is MikroORM's, whose name is its default. */
const MIGRATIONS = 'mikro_orm_migrations'

/** Reads every page and every index. @throws AppError `conflict` in SQLite's words. */
export function assertSound(file: string): void {
  const found = reading(file, (db) => db.prepare('pragma integrity_check(5)').all()).map((row) => String(Object.values(row)[0]))
  if (found.join() !== 'ok') throw new AppError('conflict', `${file} is damaged: ${found.join('; ')}.`)
}

/** The names of the migrations that it has, oldest first; null when it is no database of this program. */
export function migrationsIn(file: string): readonly string[] | null {
  return reading(file, (db) => {
    const isOurs = db.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(MIGRATIONS) !== undefined
    if (!isOurs) return null
    return db
      .prepare(`select name from ${MIGRATIONS} order by name`)
      .all()
      .map(({ name }) => String(name))
  })
}

/** Those of this program. */
export function knownMigrations(): readonly string[] {
  const folder = fileURLToPath(new URL('../migrations/sqlite', import.meta.url))
  const names = readdirSync(folder).flatMap((name) => /^(Migration\w+)\.[jt]s$/.exec(name)?.[1] ?? [])
  return [...new Set(names)].toSorted()
}

/** How many rows its tables hold, of accounts and of everything. */
export function accountsIn(file: string): number {
  return reading(file, (db) => {
    const exists = db.prepare("select 1 from sqlite_master where type = 'table' and name = 'account'").get() !== undefined
    return exists ? Number(db.prepare('select count(*) as n from account').get()?.['n']) : 0
  })
}

/** How long the lock of another process is waited for. */
export const BUSY_MS = 10_000

function reading<Result>(file: string, read: (db: DatabaseSync) => Result): Result {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { timeout: BUSY_MS })
    return read(db)
  } catch (error) {
    // 26: not a database. 11: a malformed one.
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
    if (code === 26) throw new AppError('conflict', `${file} is no SQLite database.`, { cause: error })
    if (code === 11) throw new AppError('conflict', `${file} is damaged.`, { cause: error })
    throw error
  } finally {
    db?.close()
  }
}
