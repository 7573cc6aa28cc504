/**
 * The two connections of this thread to a SQLite file: who may write now, what is tried again while another process holds the
 * lock, and when a connection is replaced.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../errors.js'
import type { DatabaseLimits } from '../database-limits.js'
import { asOutage, DatabaseOutage, isConnectionSpent, isLocked } from '../outage.js'
import type { OutageWatch } from '../outage-watch.js'
import { openSqliteFile } from './sqlite-file.js'
import { exactConnection, type SqliteConnection, type StatementResult } from './sqlite-statements.js'

export interface SqlitePair {
  read(sql: string, parameters: readonly unknown[]): Promise<StatementResult>
  /** A statement of its own: it waits for its turn and for the lock. */
  write(sql: string, parameters: readonly unknown[]): Promise<StatementResult>
  begin(sql: string): Promise<BegunTransaction>
  close(): void
}

export interface BegunTransaction {
  run(sql: string, parameters: readonly unknown[]): StatementResult
  /** SQLite ends a transaction by itself when, for example, the disk is full. */
  readonly isOpen: boolean
  /** Lets the next one write. A connection that is not sound is closed, which rolls back, and opened anew. */
  end(isSound: boolean): void
}

export interface SqlitePairOptions {
  readonly file: string
  readonly limits: Pick<DatabaseLimits, 'lockMs'>
  readonly watch: OutageWatch
}

type Role = 'reader' | 'writer'

/** The first repetition comes after a millisecond, later ones after up to this. */
const MAX_PAUSE_MS = 25

export function createSqlitePair({ file, limits, watch }: SqlitePairOptions): SqlitePair {
  const open: Record<Role, SqliteConnection | null> = { reader: null, writer: null }
  const turns = createTurns()
  let lastFailed: Role | null = null
  let isClosed = false

  const connection = (role: Role): SqliteConnection => {
    if (isClosed) throw new AppError('shutting_down', 'The server is stopping.')
    // Waiting is done by `persistently`, without blocking the thread.
    return (open[role] ??= exactConnection(openSqliteFile(file, 0)))
  }
  const replace = (role: Role) => {
    const spent = open[role]
    open[role] = null
    try {
      spent?.close()
    } catch {
      // What cannot even be closed is gone for us all the same.
    }
  }
  const failed = (role: Role, error: unknown): unknown => {
    const known = asOutage(error)
    if (!(known instanceof DatabaseOutage)) return error
    lastFailed = role
    watch.failed(known)
    return known
  }
  const succeeded = (role: Role) => {
    // That reading works says nothing about writing.
    if (role === 'writer' || lastFailed !== 'writer') watch.succeeded()
  }
  const run = (on: SqliteConnection, sql: string, parameters: readonly unknown[]): StatementResult => {
    const result = on.run(sql, parameters)
    if (/^\s*(create|alter|drop)\b/i.test(sql)) for (const each of Object.values(open)) each?.forgetStatements()
    return result
  }
  const attempt = async (role: Role, deadline: number, sql: string, parameters: readonly unknown[]) => {
    try {
      const result = await persistently(deadline, () => run(connection(role), sql, parameters))
      succeeded(role)
      return result
    } catch (error) {
      if (isConnectionSpent(error)) replace(role)
      throw failed(role, error)
    }
  }
  const transaction = (on: SqliteConnection, endTurn: () => void): BegunTransaction => {
    let isSpent = false
    return {
      run(sql, parameters) {
        if (!on.isInTransaction) throw new Error('SQLite has ended the transaction: nothing more belongs to it.')
        try {
          const result = run(on, sql, parameters)
          succeeded('writer')
          return result
        } catch (error) {
          isSpent ||= isConnectionSpent(error)
          throw failed('writer', error)
        }
      },
      get isOpen() {
        return on.isInTransaction
      },
      end(isSound) {
        if (isSpent || !isSound) replace('writer')
        endTurn()
      },
    }
  }
  const takeTurn = (deadline: number) =>
    turns.take(deadline).catch((error: unknown) => {
      throw failed('writer', error)
    })

  return {
    read: (sql, parameters) => attempt('reader', performance.now() + limits.lockMs, sql, parameters),
    async write(sql, parameters) {
      const deadline = performance.now() + limits.lockMs
      const endTurn = await takeTurn(deadline)
      try {
        return await attempt('writer', deadline, sql, parameters)
      } finally {
        endTurn()
      }
    },
    async begin(sql) {
      const deadline = performance.now() + limits.lockMs
      const endTurn = await takeTurn(deadline)
      try {
        await attempt('writer', deadline, sql, [])
      } catch (error) {
        replace('writer')
        endTurn()
        throw error
      }
      return transaction(connection('writer'), endTurn)
    },
    close() {
      isClosed = true
      replace('reader')
      replace('writer')
    },
  }
}

/** Tries again while another connection holds the lock. */
async function persistently<Result>(deadline: number, attempt: () => Result): Promise<Result> {
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return attempt()
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadline) throw error
    }
    await pause(pauseMs)
  }
}

interface Turns {
  /** Resolves when it is the caller's turn, with the function that ends it. */
  take(deadline: number): Promise<() => void>
}

/** One at a time, in the order in which they came. */
function createTurns(): Turns {
  const waiting: (() => void)[] = []
  let isTaken = false
  const end = () => {
    const next = waiting.shift()
    if (next) next()
    else isTaken = false
  }
  const turn = () => {
    let isOver = false
    return () => {
      if (!isOver) end()
      isOver = true
    }
  }
  return {
    async take(deadline) {
      if (!isTaken) {
        isTaken = true
        return turn()
      }
      return new Promise((resolve, reject) => {
        const granted = () => {
          clearTimeout(timer)
          resolve(turn())
        }
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(granted), 1)
          reject(new DatabaseOutage('locked'))
        }, deadline - performance.now())
        waiting.push(granted)
      })
    },
  }
}
