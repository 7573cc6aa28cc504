/** `responses`: what is kept of the Responses API, for callers who ask for it. */
import { z } from 'zod'
import { count } from './values.js'

export const responsesConfig = z.strictObject({
  /** Whether a response is stored whose request does not say. */
  store_by_default: z.boolean().default(false),
  keep_days: count(30),
  /** Characters of one conversation that is stored or gone on with. */
  conversation_characters: count(2 * 1024 * 1024),
  /** Characters of one account: above it the oldest give way. */
  account_characters: count(256 * 1024 * 1024),
})
