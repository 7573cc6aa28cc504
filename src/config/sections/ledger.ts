/** `ledger`: what may wait to be written, and what is kept. */
import { z } from 'zod'
import { count, seconds } from './values.js'

export const ledgerConfig = z.strictObject({
  /** How long a batch of movements is repeated while the database is in trouble, before callers hear of it. */
  retry_seconds: seconds(5),
  waiting_operations: count(20_000),
  unsettled_outcomes: count(10_000),
  close_seconds: seconds(3),
  /** Between two looks for holds that dead processes left open. */
  sweep_seconds: seconds(10),
  /** Between two proofs of every balance. */
  check_seconds: seconds(86_400),
  /** On PostgreSQL: whether a server holds chats in a part of an account that it leases, instead of in a row for each. Off unless an operator wants it. */
  leases: z.boolean().default(false),
  /** For other servers to give back what they lease of an account that runs dry, before a caller gets a 402. */
  reclaim_seconds: seconds(0.3),
  /** Days that entries and usage records are kept whole before they become daily sums; null for ever. */
  keep_days: z.int().positive().nullable().default(null),
})
