/**
 * How the ledger sees trouble of its database: what may be repeated, what is the fault of the data, and what callers and probes
 * are told. Which error means what is decided in one place for all connections (platform/database/outage.ts).
 */
import {
  DatabaseOutage,
  isConflictVictim,
  type OutageReason,
  outageReason,
  sqliteResultCode,
  sqlState,
} from '#platform/database/outage.js'
import { AppError } from '#platform/errors.js'

/** The batch was not applied, or may not have been, because of the database's state. Repeating it is always safe. */
export class DatabaseTrouble extends Error {
  override readonly name: string = 'DatabaseTrouble'

  constructor(
    readonly reason: OutageReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }

  /** States that may pass within seconds; a full disk does not, and whoever waits is told at once. */
  get isBrief(): boolean {
    return this.reason !== 'full'
  }
}

/** The connection broke: whether the batch was committed is unknown. */
export class ConnectionLost extends DatabaseTrouble {
  override readonly name = 'ConnectionLost'

  constructor(message: string, options?: ErrorOptions) {
    super('connection', message, options)
  }
}

/** The database rolled the batch back because of what is in it. */
export class RejectedBatch extends Error {
  override readonly name = 'RejectedBatch'
}

/** What callers may see of a failed transport; the cause is for the log. */
export function toPublicError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof DatabaseTrouble) return new DatabaseOutage(error.reason, error)
  return new AppError('server_error', 'The credit ledger failed.', { cause: error, detail: String(error) })
}

/** SQLite's primary result codes that blame the data: constraint, mismatch, range and "too big". */
const SQLITE_DATA_ERRORS = new Set([18, 19, 20, 25])

/** What an error of SQLite blames; `bug` is a mistake of ours. */
export function blameOfSqlite(error: unknown): OutageReason | 'data' | 'bug' {
  // A folder that cannot be created or read.
  if (error instanceof Error && 'syscall' in error) return 'connection'
  const code = sqliteResultCode(error)
  if (code === null || SQLITE_DATA_ERRORS.has(code)) return 'data'
  return outageReason(error) ?? 'bug'
}

/** An error of the Postgres driver as the queue understands it; one without a SQLSTATE comes from the socket. */
export function classifyPostgres(error: unknown): unknown {
  if (error instanceof DatabaseTrouble || error instanceof TypeError || error instanceof RangeError) return error
  const state = sqlState(error)
  if (state !== null && /^(22|23)/.test(state)) return new RejectedBatch(String(error), { cause: error })
  const reason = isConflictVictim(error) ? 'locked' : outageReason(error)
  if (reason === 'connection' || (reason === null && state === null)) return new ConnectionLost(String(error), { cause: error })
  return reason === null ? error : new DatabaseTrouble(reason, String(error), { cause: error })
}
