/** How every SQLite connection of ours is opened, in the main thread and in workers. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** How long a statement of a worker thread waits for another connection's write before it fails. */
const BUSY_TIMEOUT_MS = 10_000

/**
 * Write-ahead log, full sync at every commit, foreign keys on, every integer read as a bigint.
 *
 * @param busyTimeoutMs how long the thread stands still for another connection's lock: never in the main thread.
 */
export function openSqliteFile(file: string, busyTimeoutMs = BUSY_TIMEOUT_MS): DatabaseSync {
  makeFolder(dirname(file))
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true, readBigInts: true })
  try {
    db.exec('pragma journal_mode = wal; pragma synchronous = full')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Node's recursive form never comes back where the system takes no folders, as below /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(folder)) throw error
  }
}
