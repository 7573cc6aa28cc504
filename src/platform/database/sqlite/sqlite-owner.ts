/**
 * One server a SQLite file. Balances are remembered and events delivered inside one process, so a second server on the same
 * file would sell what the first has sold.
 *
 * The claim is a write transaction that a small database beside the file never finishes: the operating system ends it with its
 * process, whatever ends that, and it works on every platform. The small database also remembers how the last owner stopped,
 * and its file is touched while the owner lives: a log that is missing after a stop without goodbye is noticed by that.
 */
import { existsSync, realpathSync, statSync, utimesSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../clock.js'
import { AppError } from '../../errors.js'
import { connectFailure } from '../connect-failure.js'
import { isLocked } from '../outage.js'
import { makeFolder } from './sqlite-file.js'

export interface FileOwner {
  /** What was found at the start and somebody should know; null when all is well. */
  readonly warning: string | null
  /** Says that the file was just brought up to date: what its log lacks from now on is missed. */
  touch(): void
  /** Ends the claim in order. */
  release(): void
}

const TOUCH_MS = 5_000

/**
 * Claims the file for this process.
 *
 * @throws AppError `conflict` naming the process that has it, `server_error` saying why a file cannot be had there.
 */
export function ownSqliteFile(path: string, clock: Clock): FileOwner {
  try {
    return own(path, clock)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('server_error', connectFailure({ dialect: 'sqlite', file: path }, error), { cause: error })
  }
}

function own(path: string, clock: Clock): FileOwner {
  makeFolder(dirname(path))
  // Two names of one file are one file.
  const file = existsSync(path) ? realpathSync(path) : path
  const side = `${file}.owner`
  const db = new DatabaseSync(side, { timeout: 0 })
  try {
    const warning = claim(db, file, side)
    const touching = keepTouching(side, clock)
    return {
      warning,
      touch: touching.touch,
      release() {
        touching.stop()
        try {
          db.exec('update owner set is_clean = 1; commit')
        } catch {
          // A disk in trouble: the next start will think that this one was killed, and look.
        }
        db.close()
      },
    }
  } catch (error) {
    const pid = isLocked(error) ? ownerOf(db) : null
    db.close()
    if (!isLocked(error)) throw error
    const who = pid === null ? 'Another process' : `The process ${pid}`
    throw new AppError(
      'conflict',
      `${who} uses the SQLite file ${file}. One server uses a file: stop that one, or use PostgreSQL for several.`,
    )
  }
}

/** Under another name a second server would find neither this claim nor the log, and write over what the first has written. */
function refuseOtherNames(file: string): void {
  const known = statSync(file, { throwIfNoEntry: false })
  if (!known?.isFile()) return
  if (known.nlink > 1) {
    throw new AppError(
      'conflict',
      `The SQLite file ${file} has ${known.nlink} names (hard links), and a server under another one would write over what this one ` +
        `has written. Stop whatever uses it, and delete the other names: "find / -samefile ${file}" shows them. "sluice backup" makes copies.`,
    )
  }
  if (isOpenElsewhere(file)) {
    throw new AppError(
      'conflict',
      `Another process has the SQLite file ${file} open under another name, such as a file that is mounted into a container. One ` +
        'server uses a file: stop that one, or use PostgreSQL for several.',
    )
  }
}

/** Locks are the file's, whatever it is called; the list of readers (`-shm`) lies beside the name that they came by. */
function isOpenElsewhere(file: string): boolean {
  if (existsSync(`${file}-shm`)) return false
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    db.exec('pragma locking_mode = exclusive; begin exclusive; rollback')
    return false
  } catch (error) {
    // Whatever else is wrong with it is told by those who open it.
    return isLocked(error)
  } finally {
    db.close()
  }
}

function claim(db: DatabaseSync, file: string, side: string): string | null {
  const lastAlive = existsSync(side) ? statSync(side).mtimeMs : 0
  db.exec('begin immediate')
  db.exec('create table if not exists owner (pid integer not null, is_clean integer not null)')
  const last = db.prepare('select is_clean from owner').get()
  const warning = last?.is_clean === 0 ? lostLog(file, lastAlive) : null
  // Only now: the look at who has it open may take the log into the file.
  refuseOtherNames(file)
  db.exec(`delete from owner; insert into owner values (${process.pid}, 0); commit`)
  // Kept open: readers still learn whose it is, and nobody else can begin.
  db.exec('begin immediate')
  return warning
}

/** Whoever opened the file since has taken the log into it, and that shows in the file's time. */
function lostLog(file: string, lastAlive: number): string | null {
  if (!existsSync(file) || existsSync(`${file}-wal`) || statSync(file).mtimeMs >= lastAlive) return null
  return (
    `The last server on ${file} was killed, and its log ${file}-wal is missing: charges and changes since the last checkpoint are ` +
    'lost. If the log was moved away, stop this server, put it back beside the file and start again; else compare the balances.'
  )
}

function ownerOf(db: DatabaseSync): number | null {
  try {
    return Number(db.prepare('select pid from owner').get()?.pid ?? 0) || null
  } catch {
    return null
  }
}

function keepTouching(side: string, clock: Clock): { touch(): void; stop(): void } {
  let cancel = () => {}
  const touch = () => {
    cancel()
    const now = new Date()
    try {
      utimesSync(side, now, now)
    } catch {
      // A disk in trouble is told of by those who need it.
    }
    cancel = clock.setTimeout(touch, TOUCH_MS)
  }
  return { touch, stop: () => cancel() }
}
