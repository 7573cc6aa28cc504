/** Steps of a function that only its text tells in their order: `await`, which the analysis looks through, or a way out in between. */
import type { Flow } from '../flow/state.js'
import { compileRegex, maxTextLength } from '../rulebook/safe-regex.js'
import type { Lambda } from '../syntax/ir.js'

interface Place {
  readonly start: number
  readonly end: number
}

/** The last word of what is written so, where the function has it. */
export function writtenSteps(flow: Flow, { start, end }: Lambda, pattern: string): readonly Place[] {
  const text = flow.text.slice(start, Math.min(end, start + maxTextLength))
  const found = compileRegex(pattern).exec(text)
  if (found === null) return []
  const behind = start + found.index + found[0].length
  const word = /\w{0,40}\W{0,9}$/.exec(found[0])?.[0] ?? ''
  return [{ start: behind - word.length, end: behind }]
}
