/** Files that are either there as a whole or not there at all. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError } from '#platform/errors.js'
import { outageReason, sqliteResultCode } from '#platform/database/outage.js'

/** What SQLite puts beside a database. */
export const BESIDE = ['-wal', '-shm', '-journal'] as const

/**
 * Lets `write` make a file in the target's folder, readable by this user only, and gives it the target's name when all went well.
 *
 * @throws AppError that says why it cannot be written there.
 */
export async function inPlaceOf<Result>(target: string, write: (staged: string) => Promise<Result>): Promise<Result> {
  const folder = dirname(target)
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new AppError('not_found', `There is no folder ${folder}.`)
  const staged = join(folder, `.${basename(target)}.${process.pid}.part`)
  try {
    closeSync(openSync(staged, 'wx', 0o600))
    const result = await write(staged)
    sync(staged)
    renameSync(staged, target)
    sync(folder)
    return result
  } catch (error) {
    throw told(error, folder)
  } finally {
    for (const end of ['', ...BESIDE]) rmSync(`${staged}${end}`, { force: true })
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function told(error: unknown, folder: string): unknown {
  const { message } = error instanceof Error ? error : new Error(String(error))
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (outageReason(error) === 'full' || code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
    return new AppError('service_unavailable', `There is no room in ${folder}. Nothing was written.`, { cause: error })
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new AppError('conflict', `${folder} is not writable by this user.`, { cause: error })
  }
  // Whatever else a disk says; a damaged database has been told of by then.
  if (sqliteResultCode(error) === 10) {
    return new AppError('service_unavailable', `${folder} cannot be written to: ${message}. Nothing was written.`, {
      cause: error,
    })
  }
  return error
}
