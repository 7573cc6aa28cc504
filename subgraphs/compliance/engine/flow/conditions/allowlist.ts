/** What a value may be compared with so that it is harmless afterwards: lists of constants, and strict patterns. */
import { matchesText } from '../../match/constraints.js'
import { writtenName } from '../../match/subject.js'
import type { Ir } from '../../syntax/ir.js'
import type { Flow, Frame } from '../state.js'
import { deepOrigins, type Value } from '../values/value.js'

/** Words of a name that say that its elements are the good ones; `unknown`, `invalid` or `disallowed` hold the others. */
const allowlistWords =
  '(?i)^(?:allow\\w*|white\\w*|valid|permitted|permissible|safe\\w*|known|supported|accepted|acceptable|choices|whitelisted)$'
const refusals = '(?i)^(?:un\\w+|in(?:valid|secure)\\w*|dis\\w+|not|non|never|black\\w*|deny|denied)$'
/** `METHODS`, `SORT_COLUMNS`: a constant of the file or of another one. */
const constantNames = '^[A-Z][A-Z0-9_]{2,}$'

/** The words of `allowedHosts`, `$valid_names`, `SAFE_URLS`. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')

function isAllowlistName(name: string): boolean {
  if (matchesText(constantNames, name)) return !wordsOf(name).some((word) => matchesText(refusals, word))
  const words = wordsOf(name)
  return words.some((word) => matchesText(allowlistWords, word)) && !words.some((word) => matchesText(refusals, word))
}

export function isAllowlist(flow: Flow, frame: Frame, ir: Ir): boolean {
  // A view of a map or a list holds nothing else.
  if (ir.op === 'call' && flow.book.words.views.has(writtenName(ir.callee)?.segment ?? '')) {
    const whole = ir.args[0]?.value ?? (ir.callee.op === 'member' ? ir.callee.object : undefined)
    if (whole !== undefined) return isAllowlist(flow, frame, whole)
  }
  const value = flow.evaluate(frame, ir)
  if (deepOrigins(value).length > 0) return false
  if (ir.op === 'collection') return ir.entries.length > 0
  if (value.fields !== undefined && value.fields.size > 0 && isConstant(value)) return true
  const name = writtenName(ir)
  return name !== null && typeof value.constant !== 'string' && isAllowlistName(name.segment)
}

const maxNesting = 3

/** A constant, a function, or a collection of them: `new Set([...])` holds a list, `new Map([...])` pairs, a Go set empty values. */
const isConstant = ({ constant, func, fields }: Value, depth = maxNesting): boolean =>
  constant !== undefined ||
  func !== undefined ||
  (depth > 0 && fields !== undefined && [...fields.values()].every((field) => isConstant(field, depth - 1)))

/** The source of a regular expression that is known, without the delimiters and flags around it. */
export function patternText({ pattern, constant }: Value): string | null {
  const text = pattern ?? (typeof constant === 'string' ? constant : null)
  return text === null ? null : text.replace(/^([/#~@%!|])(.*)\1[A-Za-z]*$/s, '$2')
}

/** Ruby: `^` and `$` match at every line, and what stands on the others may be anything. */
const linesOnly = (pattern: string): boolean => !(/^\(?\\A/.test(pattern) && /\\[zZ]\)?$/.test(pattern))

/** A pattern that is anchored on both sides and allows no character that means something to any sink. */
export function isStrictPattern(pattern: Value, isWholeMatch: boolean, language?: string): boolean {
  const body = patternText(pattern)
  if (body === null || (language === 'ruby' && linesOnly(body))) return false
  const isAnchored = isWholeMatch || (/^\(?(?:\^|\\A)/.test(body) && /(?:\$|\\[zZ])\)?$/.test(body))
  if (!isAnchored) return false
  const bare = body
    .replaceAll(/\\[dwAzZ.\-_@/]/g, 'a')
    .replaceAll(/\[[^\]]*\]/g, (set) => (/^\[\^|['"`;|&<>$\\]|\s/.test(set) ? '.' : 'a'))
  const plain = bare.replaceAll(/\\\./g, 'a')
  const isWhole = isWholeMatch || /^(?:\^|\\A)/.test(body)
  return !/\.|['"`;|&<>]|\\[SWsD]/.test(isWhole ? withoutChoices(plain, isWholeMatch) : plain)
}

/** `[^a-z0-9_]+`: a text without any of it consists of characters that mean nothing to any sink. */
export function refusesAllBut(pattern: Value): boolean {
  const set = /^\[\^((?:\\.|[^\]\\])+)\]\+?$/s.exec(patternText(pattern) ?? '')?.[1]
  return set !== undefined && !/['"`;|&<>$\\]|\s/.test(set.replaceAll(/\\[dw.\-_@/]/g, 'a'))
}

/** `\.(?:png|jpg)$`: a bar between parentheses is no character of the text; outside of them the anchors hold for one side alone. */
function withoutChoices(pattern: string, isWholeMatch: boolean): string {
  let depth = 0
  return pattern.replaceAll(/\\.|[()|]/gs, (one) => {
    if (one === '(') depth++
    if (one === ')') depth--
    return one === '|' && (depth > 0 || isWholeMatch) ? '' : one
  })
}

/** A pattern that is found anywhere in a text says nothing of what stands around it. */
export function isFoundAnywhere(pattern: Value): boolean {
  const body = patternText(pattern)
  return body !== null && !(/^(?:\(\?[a-z]{0,3}[:)]|\()?(?:\^|\\A)/.test(body) && /(?:\$|\\[zZ])\)?$/.test(body))
}

/** An address that begins with a slash and a letter, which must be there: no `//host`. */
export const isOfOwnSite = ({ pattern, constant }: Value): boolean =>
  /^\/?\^\\?\/(?:(?:\[[A-Za-z][^\]]{0,60}\]|\\w)(?![*?]|\{0)|\(\?!)/.test(
    pattern ?? (typeof constant === 'string' ? constant : ''),
  )

/** `'A' | 'B'` in a pattern. */
export function alternativesOf(test: Ir): readonly Ir[] {
  if (test.op === 'binary' && ['|', '||', 'or'].includes(test.operator))
    return [...alternativesOf(test.left), ...alternativesOf(test.right)]
  if (test.op === 'collection' && test.kind === 'list' && test.entries.length > 0) {
    const values = test.entries.map((entry) => entry.value)
    return values.every((value) => value.op === 'literal') ? values : [test]
  }
  return test.op === 'opaque' && /or_pattern|union_pattern/.test(test.kind) ? test.parts.flatMap(alternativesOf) : [test]
}

export const isLiteralPattern = (ir: Ir): boolean => alternativesOf(ir).every((one) => one.op === 'literal')
