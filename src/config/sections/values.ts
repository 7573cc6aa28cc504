/** Kinds of values that settings have. */
import { z } from 'zod'
import { parseUsd } from '#platform/money.js'

/** A time limit: more than a day is a mistake. */
export const seconds = (value: number) => z.number().positive().max(86_400).default(value)

export const count = (value: number) => z.int().positive().default(value)

/** An amount as text or as a number; whole nano-USD once it is read. */
export const usd = z.union([z.string(), z.number()]).transform((value, context) => {
  try {
    return parseUsd(String(value))
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
    return z.NEVER
  }
})
