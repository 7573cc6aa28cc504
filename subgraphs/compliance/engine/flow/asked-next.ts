/** Differences whose sign the program asks for before anything else: what is negative there goes no further. */
import { compileRegex } from '../rulebook/safe-regex.js'
import type { Place } from './sink-hits.js'
import type { Flow, Frame } from './state.js'

const mostBefore = 120
const mostBehind = 1500

/** `int left = size - 8; if (left < 0) return;`: `declared` says how a variable that has a sign begins its declaration. */
export function isSignAsked({ text }: Flow, { lambda }: Frame, declared: string, { start, end }: Place): boolean {
  const before = text.slice(Math.max(0, start - mostBefore), start)
  // `(long)(now - then) < 0`
  const made = /\(([\w ]{1,40})\)\s{0,4}\($/.exec(before)?.[1]
  if (made !== undefined && compileRegex(declared).test(made))
    return /^\)\s*(?:[<>]=?\s*0|<\s*1)\b/.test(text.slice(end, end + 40))
  const name = /(?:^|[^\w.>])(\w+)\s*=\s*$/.exec(before)?.[1]
  const rest = text.slice(end, end + mostBehind)
  if (name === undefined || lambda === null || !/^\s*;/.test(rest)) return false
  const mention = new RegExp(`\\b${name}\\b`)
  const body = text.slice(lambda.start, end)
  const first = mention.exec(body)?.index ?? 0
  const head = body.slice(0, first)
  const declaration = head.slice(Math.max(...[';', '{', '}', '('].map((mark) => head.lastIndexOf(mark))) + 1)
  const next = mention.exec(rest)?.index ?? -1
  return (
    compileRegex(declared).test(declaration) &&
    next > 0 &&
    !/\n\}/.test(rest.slice(0, next)) &&
    /^\w+\s*(?:[<>]=?\s*0|<\s*1)\b/.test(rest.slice(next))
  )
}
