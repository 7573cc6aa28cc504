/** `database`: where everything is kept, and how long its answers are waited for. */
import { z } from 'zod'
import { count, seconds } from './values.js'

export const databaseConfig = z.strictObject({
  url: z.string().default('sqlite:./data/sluice.db'),
  /** Applies pending migrations at start. A SQLite file of one server is safe to migrate; a shared Postgres waits for a person. */
  migrate: z.union([z.boolean(), z.literal('auto')]).default('auto'),
  max_connections: count(10),
  /** For a PostgreSQL connection: a free one of the pool, or a new one. */
  connect_seconds: seconds(3),
  /** For the answer to one statement. */
  statement_seconds: seconds(5),
  /** For a lock that another transaction, or on SQLite another process, holds. */
  lock_seconds: seconds(4),
  /** Until PostgreSQL ends a transaction in which nothing happens. */
  idle_transaction_seconds: seconds(15),
})
