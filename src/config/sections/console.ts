/** `console`: how browsers sign in. */
import { z } from 'zod'
import { count } from './values.js'

export const consoleConfig = z.strictObject({
  /** How long a browser stays signed in. */
  session_seconds: z.number().positive().max(31_536_000).default(43_200),
  /** How long a code can be exchanged for a session. */
  code_seconds: z.number().positive().max(86_400).default(300),
  /** From one address, right or wrong. */
  sign_ins_per_minute: count(30),
})
