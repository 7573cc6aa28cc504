/** `usage`: how long it is remembered what requests asked for. */
import { z } from 'zod'

export const usageConfig = z.strictObject({
  /** Days that usage records are kept; their charges stay as `ledger.keep_days` says. Null for as long as those. */
  keep_days: z.int().positive().nullable().default(null),
})
