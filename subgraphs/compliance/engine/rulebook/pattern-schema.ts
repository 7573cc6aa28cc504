/** The file format of patterns: regular expressions, tokens and names, each alone or in a list. */
import { z } from 'zod'
import { regexProblem } from './safe-regex.js'

export const regex = z.string().superRefine((pattern, context) => {
  const problem = regexProblem(pattern)
  if (problem !== null) context.addIssue({ code: 'custom', message: `/${pattern}/ ${problem}` })
})
/** The pieces of a token pattern that are regular expressions must be safe like all others. */
export const tokenPattern = z.string().superRefine((pattern, context) => {
  for (const piece of pattern.trim().split(/\s+/)) {
    const problem = /^\^?\/.+\/$/.test(piece) ? regexProblem(piece.replace(/^\^?\//, '').slice(0, -1)) : null
    if (problem !== null) context.addIssue({ code: 'custom', message: `${piece} ${problem}` })
  }
})
export const many = <T extends z.ZodType>(item: T) =>
  z.union([item, z.array(item).min(1)]).transform((one) => (Array.isArray(one) ? one : [one]))
/** A dot in braces would never match: alternatives are names of one segment. */
const namePattern = z
  .string()
  .min(1)
  .refine(
    (text) => !/\{[^{}]*\.[^{}]*\}/.test(text),
    'has a dot inside of {}: alternatives are single segments, so write several patterns',
  )
export const names = many(namePattern)
