/** How long anything may wait for the database. One record for every connection of a process. */

export interface DatabaseLimits {
  /** For a connection: a free one of the pool, or a new one. */
  readonly connectMs: number
  /** For the answer to one statement. */
  readonly statementMs: number
  /** For a lock that another transaction, or on SQLite another process, holds. */
  readonly lockMs: number
  /** Until the server ends a transaction in which nothing happens. */
  readonly idleTransactionMs: number
}

export const defaultDatabaseLimits: DatabaseLimits = {
  connectMs: 3_000,
  statementMs: 5_000,
  lockMs: 4_000,
  idleTransactionMs: 15_000,
}
