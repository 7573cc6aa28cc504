/**
 * The two connections of this thread to a SQLite file: who may write now, what is tried again while another process holds the
 * lock, and when a connection is replaced.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../errors.js'
import type { DatabaseLimits } from '../database-limits.js'
import { asOutage, DatabaseOutage, isConnectionSpent, isLocked } from '../outage.js'
import type { PoolFigures } from '../../metrics/ledger-metrics.js'
import type { OutageWatch } from '../outage-watch.js'
import { openSqliteFile } from './sqlite-file.js'
import { createTurns } from './sqlite-turns.js'
import { exactConnection, type SqliteConnection, type StatementResult } from './sqlite-statements.js'

export interface SqlitePair {
  read(sql: string, parameters: readonly unknown[]): Promise<StatementResult>
  /** A statement of its own: it waits for its turn and for the lock. */
  write(sql: string, parameters: readonly unknown[]): Promise<StatementResult>
  begin(sql: string): Promise<BegunTransaction>
  figures(): PoolFigures
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
  const connections = createConnections(file, watch)
  const turns = createTurns()
  const deadlineOf = () => performance.now() + limits.lockMs

  const attempt = async (role: Role, deadline: number, sql: string, parameters: readonly unknown[]) => {
    try {
      const result = await persistently(deadline, () => connections.run(connections.of(role), sql, parameters))
      connections.succeeded(role)
      return result
    } catch (error) {
      if (isConnectionSpent(error)) connections.replace(role)
      throw connections.failed(role, error)
    }
  }
  const takeTurn = (deadline: number) =>
    turns.take(deadline).catch((error: unknown) => {
      throw connections.failed('writer', error)
    })

  return {
    read: (sql, parameters) => attempt('reader', deadlineOf(), sql, parameters),
    async write(sql, parameters) {
      const deadline = deadlineOf()
      const endTurn = await takeTurn(deadline)
      try {
        return await attempt('writer', deadline, sql, parameters)
      } finally {
        endTurn()
      }
    },
    async begin(sql) {
      const deadline = deadlineOf()
      const endTurn = await takeTurn(deadline)
      try {
        await attempt('writer', deadline, sql, [])
      } catch (error) {
        connections.replace('writer')
        endTurn()
        throw error
      }
      return transaction(connections, endTurn)
    },
    figures() {
      const used = turns.isTaken() ? 1 : 0
      return { used, idle: Math.max(0, connections.count() - used), waiting: turns.waiting() }
    },
    close: () => connections.close(),
  }
}

interface Connections {
  /** Opened when it is first asked for, and after it was replaced. @throws AppError `shutting_down` after `close` */
  of(role: Role): SqliteConnection
  run(on: SqliteConnection, sql: string, parameters: readonly unknown[]): StatementResult
  replace(role: Role): void
  succeeded(role: Role): void
  /** What to throw for a fault of this connection. */
  failed(role: Role, error: unknown): unknown
  /** Those that are open. */
  count(): number
  close(): void
}

function createConnections(file: string, watch: OutageWatch): Connections {
  const open: Record<Role, SqliteConnection | null> = { reader: null, writer: null }
  let lastFailed: Role | null = null
  let isClosed = false

  const replace = (role: Role) => {
    const spent = open[role]
    open[role] = null
    try {
      spent?.close()
    } catch {
      // What cannot even be closed is gone for us all the same.
    }
  }
  return {
    of(role) {
      if (isClosed) throw new AppError('shutting_down', 'The server is stopping.')
      // Waiting is done by `persistently`, without blocking the thread.
      return (open[role] ??= exactConnection(openSqliteFile(file, 0)))
    },
    run(on, sql, parameters) {
      const result = on.run(sql, parameters)
      if (/^\s*(create|alter|drop)\b/i.test(sql)) for (const each of Object.values(open)) each?.forgetStatements()
      return result
    },
    replace,
    succeeded(role) {
      // That reading works says nothing about writing.
      if (role === 'writer' || lastFailed !== 'writer') watch.succeeded()
    },
    failed(role, error) {
      const known = asOutage(error)
      if (!(known instanceof DatabaseOutage)) return error
      lastFailed = role
      watch.failed(known)
      return known
    },
    count: () => Object.values(open).filter((connection) => connection !== null).length,
    close() {
      isClosed = true
      replace('reader')
      replace('writer')
    },
  }
}

function transaction(connections: Connections, endTurn: () => void): BegunTransaction {
  const on = connections.of('writer')
  let isSpent = false
  return {
    run(sql, parameters) {
      if (!on.isInTransaction) throw new Error('SQLite has ended the transaction: nothing more belongs to it.')
      try {
        const result = connections.run(on, sql, parameters)
        connections.succeeded('writer')
        return result
      } catch (error) {
        isSpent ||= isConnectionSpent(error)
        throw connections.failed('writer', error)
      }
    },
    get isOpen() {
      return on.isInTransaction
    },
    end(isSound) {
      if (isSpent || !isSound) connections.replace('writer')
      endTurn()
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
