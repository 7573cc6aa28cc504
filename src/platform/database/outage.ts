/**
 * Tells trouble of a database from a fault of ours, in one place for both dialects: what is worth another try is a
 * `service_unavailable` (503 with Retry-After), and everything else stays an unexpected error that somebody should look at.
 */
import { RETRY_SECONDS, AppError } from '../errors.js'

/**
 * `connection`: it cannot be opened or broke · `timeout`: no answer in time · `locked`: another one holds the lock ·
 * `read_only`: it takes no writes · `full`: no room on its disk · `overloaded`: out of connections, memory or other means.
 */
export type OutageReason = 'connection' | 'timeout' | 'locked' | 'read_only' | 'full' | 'overloaded'

const SENTENCES: Readonly<Record<OutageReason, string>> = {
  connection: 'The database cannot be reached.',
  timeout: 'The database does not answer in time.',
  locked: 'The database is locked by another process.',
  read_only: 'The database takes no writes.',
  full: 'The disk of the database is full.',
  overloaded: 'The database is overloaded.',
}

/** A fault that stands for the database's state. Callers learn that it passes, operators why. */
export class DatabaseOutage extends AppError {
  constructor(
    readonly reason: OutageReason,
    cause?: unknown,
  ) {
    super('service_unavailable', 'The service is briefly unavailable. Try again in a moment.', {
      cause,
      detail: cause instanceof Error ? `${SENTENCES[reason]} ${cause.message}` : SENTENCES[reason],
      retryAfterSeconds: RETRY_SECONDS.outage,
    })
  }

  /** For operators and probes; holds nothing secret. */
  get sentence(): string {
    return SENTENCES[this.reason]
  }
}

/** The error as a `DatabaseOutage` when the database is in trouble, else the error itself. */
export function asOutage(error: unknown): unknown {
  if (error instanceof DatabaseOutage) return error
  const reason = outageReason(error)
  return reason === null ? error : new DatabaseOutage(reason, error)
}

/** Why the database could not do it; null when the statement or our code is at fault. */
export function outageReason(error: unknown): OutageReason | null {
  if (error instanceof DatabaseOutage) return error.reason
  const sqliteCode = sqliteResultCode(error)
  if (sqliteCode !== null) return SQLITE_REASONS.get(sqliteCode) ?? null
  const state = sqlState(error)
  if (state !== null) return reasonOfState(state)
  return reasonOfClient(error)
}

/** Whether a connection that answered with this must be replaced, because it would answer so for ever. */
export function isConnectionSpent(error: unknown): boolean {
  const sqliteCode = sqliteResultCode(error)
  if (sqliteCode !== null) return SQLITE_SPENT.has(sqliteCode)
  const state = sqlState(error)
  // 57014 is a statement that was cancelled, and 53 may pass: the session itself is sound.
  if (state !== null) return /^(08|25|28|3D|57P|58|XX)/.test(state)
  return reasonOfClient(error) !== null
}

/** The code that PostgreSQL gave; null for errors of the socket, whose codes (EPIPE) can have five letters too. */
export function sqlState(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code) ? code : null
}

/** Class 40: PostgreSQL chose this transaction to end a conflict of several, and rolled it back. Trying again helps. */
export const isConflictVictim = (error: unknown): boolean => sqlState(error)?.startsWith('40') ?? false

/** The primary result code that SQLite gave. */
export function sqliteResultCode(error: unknown): number | null {
  const isSqlite = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
  return isSqlite ? (error.errcode as number) & 0xff : null
}

/** SQLITE_BUSY and SQLITE_LOCKED: another connection has the lock, and trying again helps. */
export function isLocked(error: unknown): boolean {
  const code = sqliteResultCode(error)
  return code === 5 || code === 6
}

/** By primary result code. A malformed file (11, 26) is no outage: it never heals by itself and somebody must come. */
const SQLITE_REASONS: ReadonlyMap<number, OutageReason> = new Map([
  [5, 'locked'],
  [6, 'locked'],
  [7, 'overloaded'],
  [8, 'read_only'],
  [9, 'timeout'],
  [10, 'connection'],
  [13, 'full'],
  [14, 'connection'],
  [15, 'locked'],
])

const SQLITE_SPENT = new Set([7, 8, 10, 11, 14, 26])

function reasonOfState(state: string): OutageReason | null {
  if (state === '57014' || state === '25P03' || state === '25P04') return 'timeout'
  if (state === '55P03') return 'locked'
  if (state === '25006') return 'read_only'
  if (state === '53100') return 'full'
  if (state.startsWith('53')) return 'overloaded'
  // 08 connection, 28 and 3D at the door, 57P shutdown and start, 58 the server's own machine.
  return /^(08|28|3D|57P|58)/.test(state) ? 'connection' : null
}

/** What the sockets and the client library say. */
function reasonOfClient(error: unknown): OutageReason | null {
  if (!(error instanceof Error)) return null
  if (/^(Query read timeout|timeout e|Connection terminated due to connection timeout)/.test(error.message)) return 'timeout'
  if (/^(Connection terminated|Client has encountered a connection error|Client was closed)/.test(error.message)) {
    return 'connection'
  }
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' && SOCKET_CODES.has(code) ? 'connection' : null
}

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EMFILE',
  'ENFILE',
])
