/**
 * What can be wrong with the ledger's database when nothing is wrong with what it was asked to do: how a driver's error is
 * recognised, what is worth repeating, and what callers and probes are told.
 */
import { DatabaseError } from 'pg'
import { AppError } from '#platform/errors.js'

export type Trouble = 'disk_full' | 'locked' | 'read_only' | 'unreachable' | 'storage'

/** The batch was not applied, or may not have been, because of the database's state. Repeating it is always safe. */
export class DatabaseTrouble extends Error {
  override readonly name: string = 'DatabaseTrouble'

  constructor(
    readonly trouble: Trouble,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }

  /** States that may pass within seconds; a full disk does not, and whoever waits is told at once. */
  get isBrief(): boolean {
    return this.trouble === 'locked' || this.trouble === 'read_only' || this.trouble === 'unreachable'
  }
}

/** The connection broke: whether the batch was committed is unknown. */
export class ConnectionLost extends DatabaseTrouble {
  override readonly name = 'ConnectionLost'

  constructor(message: string, options?: ErrorOptions) {
    super('unreachable', message, options)
  }
}

/** The database rolled the batch back because of what is in it. */
export class RejectedBatch extends Error {
  override readonly name = 'RejectedBatch'
}

const REASONS: Readonly<Record<Trouble, string>> = {
  disk_full: "The disk of the ledger's database is full.",
  locked: "Something else holds a lock on the ledger's database.",
  read_only: "The ledger's database is read-only.",
  unreachable: "The ledger's database cannot be reached.",
  storage: "The storage of the ledger's database reports errors.",
}

/** For probes and operators: no paths, no addresses. */
export function describeTrouble(error: unknown): string {
  return error instanceof DatabaseTrouble ? REASONS[error.trouble] : 'The ledger failed to write; the log says why.'
}

const RETRY_AFTER_SECONDS = 2

/** What callers may see of a failed transport; the cause is for the log. */
export function toPublicError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const facts = { cause: error, detail: String(error) }
  if (!(error instanceof DatabaseTrouble)) return new AppError('server_error', 'The credit ledger failed.', facts)
  return new AppError('service_unavailable', 'The credit ledger cannot be reached now. Try again in a moment.', {
    ...facts,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

/** SQLite's primary result codes. Constraint, mismatch, range and "too big" blame the data. */
const SQLITE_DATA_ERRORS = new Set([18, 19, 20, 25])
const SQLITE_TROUBLE = new Map<number, Trouble>([
  [5, 'locked'],
  [6, 'locked'],
  [8, 'read_only'],
  [10, 'storage'],
  [11, 'storage'],
  [13, 'disk_full'],
  [14, 'unreachable'],
  [15, 'locked'],
  [26, 'storage'],
])

/** What an error of SQLite blames; `bug` is a mistake of ours. */
export function blameOfSqlite(error: unknown): Trouble | 'data' | 'bug' {
  if (!(error instanceof Error)) return 'bug'
  // A folder that cannot be created or read.
  if ('syscall' in error) return 'unreachable'
  if (!('errcode' in error)) return 'data'
  const code = Number(error.errcode) & 0xff
  return SQLITE_DATA_ERRORS.has(code) ? 'data' : (SQLITE_TROUBLE.get(code) ?? 'bug')
}

/** By SQLSTATE, longest prefix first. Deadlocks and cancelled statements are waits for a lock that took too long. */
const POSTGRES_TROUBLE: readonly (readonly [prefix: string, trouble: Trouble])[] = [
  ['25006', 'read_only'],
  ['53100', 'disk_full'],
  ['55P03', 'locked'],
  ['57014', 'locked'],
  ['08', 'unreachable'],
  ['25', 'unreachable'],
  ['28', 'unreachable'],
  ['3D', 'unreachable'],
  ['40', 'locked'],
  ['53', 'unreachable'],
  ['57P', 'unreachable'],
  ['58', 'storage'],
  ['XX001', 'storage'],
  ['XX002', 'storage'],
]

/** An error of the Postgres driver as the queue understands it; one without a SQLSTATE comes from the socket. */
export function classifyPostgres(error: unknown): unknown {
  if (error instanceof DatabaseTrouble) return error
  if (error instanceof TypeError || error instanceof RangeError) return error
  if (!(error instanceof DatabaseError) || error.code === undefined) return new ConnectionLost(String(error), { cause: error })
  const { code } = error
  if (/^(22|23)/.test(code)) return new RejectedBatch(String(error), { cause: error })
  const trouble = POSTGRES_TROUBLE.find(([prefix]) => code.startsWith(prefix))?.[1]
  if (trouble === 'unreachable') return new ConnectionLost(String(error), { cause: error })
  return trouble === undefined ? error : new DatabaseTrouble(trouble, String(error), { cause: error })
}
