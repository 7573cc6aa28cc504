/**
 * Callers' input, read by its schema. What is wrong is a 400 that names the field; what the caller sent is not repeated.
 *
 * The message of a schema is what follows the name of the field, such as `is a string.`; kinds and choices need none.
 */
import { z } from 'zod'
import { invalidRequest } from '#platform/errors.js'

/** @throws AppError 400 for the first thing that is wrong, with its path: `files[2].code`. */
export function readInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { error: inWords })
  if (result.success) return result.data
  const { path = [], message = 'does not fit.' } = result.error.issues[0] ?? {}
  if (path.length === 0) throw invalidRequest(`The request ${message}`)
  const field = z.core.toDotPath(path)
  throw invalidRequest(`"${field}" ${message}`, field)
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'is a string.',
  boolean: 'is true or false.',
  int: 'is an integer.',
  number: 'is a number.',
  array: 'is an array.',
  object: 'is an object.',
}

function inWords(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required.'
  if (issue.code === 'invalid_type') return KINDS[issue.expected] ?? 'has another type.'
  if (issue.code === 'invalid_value') return `is one of ${issue.values.map(String).join(', ')}.`
  return 'does not fit.'
}

/** Longer than any name there is: of a model, a provider, a standard. */
const LONGEST_PARAMETER = 256

/**
 * The parameters that the schema names; others are ignored, and an empty one counts as absent.
 *
 * @param url with its path and query, as it was asked for
 * @throws AppError 400, also for a parameter that is given twice
 */
export function readQuery<Schema extends z.ZodObject>(schema: Schema, url: string): z.output<Schema> {
  const given = new URL(url, 'http://localhost').searchParams
  const values = Object.keys(schema.shape).map((name) => [name, oneValue(given.getAll(name), name)])
  return readInput(schema, Object.fromEntries(values))
}

function oneValue(values: readonly string[], name: string): string | undefined {
  if (values.length > 1) throw invalidRequest(`Give "${name}" once.`, name)
  const value = values[0]
  if (value !== undefined && value.length > LONGEST_PARAMETER) throw invalidRequest(`"${name}" is too long.`, name)
  return value === '' ? undefined : value
}

interface IntegerRange {
  readonly min: number
  readonly max: number
  readonly description: string
  /** What the domain takes when it is left out. */
  readonly default?: number
}

/** An integer of a query, which is text. */
export function integerText({ min, max, ...said }: IntegerRange) {
  const words = `is an integer from ${min} to ${max}.`
  const read = (text: unknown) => (typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text)
  return z.preprocess(read, z.int(words).min(min, words).max(max, words).meta(said))
}

const DECIMAL = /^\d{1,9}(\.\d{1,9})?$/
const DECIMAL_WORDS = 'is a decimal amount such as "0.15", not negative and with at most 9 decimals.'

/** An amount of US dollars, not negative. */
export const decimalText = z.string(DECIMAL_WORDS).regex(DECIMAL, DECIMAL_WORDS)

/** The same in JSON, where callers also write a number. */
export const decimalValue = z
  .union([decimalText, z.number().refine((value) => DECIMAL.test(String(value)), DECIMAL_WORDS)], DECIMAL_WORDS)
  .transform(String)

/** An array that is read up to its first wrong item: it may hold hundreds of thousands, and zod alone would tell of each. */
export const listOf = <Item extends z.ZodType>(item: Item, words?: string) =>
  z.preprocess(
    (values, context) => {
      if (!Array.isArray(values)) return values
      for (const [at, value] of values.entries()) {
        const issue = item.safeParse(value, { error: inWords }).error?.issues[0]
        if (!issue) continue
        context.issues.push({ ...issue, input: value, path: [at, ...issue.path] })
        return z.NEVER
      }
      return values
    },
    z.array(item, words),
  )
