/** `usage`: how long it is remembered what requests asked for. */
import { z } from 'zod'

export const usageConfig = z.strictObject({
  /** Days that usage records are kept; their charges stay as `ledger.keep_days` says. Null for as long as those. */
  keep_days: z.int().positive().nullable().default(null),
  /** Days that requests are remembered which were refused before a provider was asked; 0 for not at all. */
  refused_days: z.int().min(0).max(365).default(7),
})
