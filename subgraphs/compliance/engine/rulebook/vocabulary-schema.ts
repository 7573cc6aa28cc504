/** The file format of vocabularies in packs: what names of functions and types mean (words.ts), what names of data say (data-names.ts), who may do what (access-words.ts). */
import { z } from 'zod'
import { type AccessKey, accessKeys, sharedParts } from './access-keys.js'
import { regex } from './pattern-schema.js'
import { type FoldKey, foldKeys, type WordKey, wordKeys } from './word-keys.js'

const list = z.array(z.string().min(1)).min(1)
const listPerKey = Object.fromEntries(wordKeys.map((key) => [key, list.optional()])) as Record<
  WordKey,
  z.ZodOptional<typeof list>
>
const listPerFold = Object.fromEntries(foldKeys.map((key) => [key, list.optional()])) as Record<
  FoldKey,
  z.ZodOptional<typeof list>
>

export const wordsSchema = z.strictObject({
  ...listPerKey,
  folds: z.strictObject(listPerFold).optional(),
  /** Functions that change the collection that is their first argument, and the method that does the same. */
  on_first: z.record(z.string(), z.string()).optional(),
})
export type WordLists = z.infer<typeof wordsSchema>

const phrases = z.array(z.string().regex(/^[a-z]+(?: [a-z]+)*$/)).min(1)

export const dataNamesSchema = z.strictObject({
  /** The label of such data. */
  label: z.string(),
  /** Last words of a name. `access token` is also `accesstoken`. */
  names: phrases,
  /** Words that make something else of it wherever they stand: `hashed_password`, `hasPassword`. */
  unless: phrases.optional(),
  /** What it must not be a part of: `errors.password` is a message. */
  not_of: phrases.optional(),
  /** Last words that add nothing: `password_value`. */
  fillers: phrases.optional(),
  /** Types in which such data stands as it is; others decide themselves what they show. */
  types: regex.optional(),
  /** First words of functions that answer with it: `readPassword`. */
  verbs: phrases.optional(),
  /** First words of functions that take it: `sendOtp(phone, otp)`. */
  takers: phrases.optional(),
  /** Functions that answer with what their first argument names: `getenv("DB_PASSWORD")`. */
  lookups: z.array(z.string()).optional(),
  /** Counts where whole objects are serialized, also of types that do not show their fields in a text. */
  serialized: z.boolean().optional(),
  file_has: z.array(regex).optional(),
  file_lacks: z.array(regex).optional(),
  /** What is read by such a name is no data of this label; only sinks that are `named` ask. */
  given: z.boolean().default(false),
})
export type DataNames = z.infer<typeof dataNamesSchema>

/** Who asks for what, and what stands in between (access-words.ts). */
export const accessSchema = z.strictObject({
  ...(Object.fromEntries(accessKeys.map((key) => [key, phrases.optional()])) as Record<AccessKey, z.ZodOptional<typeof phrases>>),
  /** Names that are the caller in this spelling alone: `User` in controllers of ASP.NET. */
  exact_callers: z.array(z.string()).min(1).optional(),
  /** What requests that run at the same time change together. */
  shared: z.array(z.enum(sharedParts)).min(1).optional(),
})
export type AccessLists = z.infer<typeof accessSchema>
