/** What a value may be compared with so that it is harmless afterwards: lists of constants, and strict patterns. */
import { matchesText, writtenName } from '../match/constraints.js'
import type { Ir } from '../syntax/ir.js'
import type { Flow, Frame } from './state.js'
import { deepOrigins, type Value } from './value.js'

const allowlistNames = '(?i)allow|white|valid|permitted|safe|known|supported|accepted|choices|^[A-Z][A-Z0-9_]{2,}$'

/** Views of a map or a list that hold nothing else. */
const keyViews = new Set(
  'keys values keyset entries object_keys array_keys array_values iter as_slice frozenset tuple'.split(' '),
)

export function isAllowlist(flow: Flow, frame: Frame, ir: Ir): boolean {
  if (ir.op === 'call' && keyViews.has((writtenName(ir.callee)?.segment ?? '').toLowerCase())) {
    const whole = ir.args[0]?.value ?? (ir.callee.op === 'member' ? ir.callee.object : undefined)
    if (whole !== undefined) return isAllowlist(flow, frame, whole)
  }
  const value = flow.evaluate(frame, ir)
  if (deepOrigins(value).length > 0) return false
  if (ir.op === 'collection') return ir.entries.length > 0
  if (
    value.fields !== undefined &&
    value.fields.size > 0 &&
    [...value.fields.values()].every((field) => field.constant !== undefined)
  )
    return true
  const name = writtenName(ir)
  return name !== null && typeof value.constant !== 'string' && matchesText(allowlistNames, name.segment)
}

/** A pattern that is anchored on both sides and allows no character that means something to any sink. */
export function isStrictPattern(pattern: Value, isWholeMatch: boolean): boolean {
  const text = pattern.pattern ?? (typeof pattern.constant === 'string' ? pattern.constant : null)
  if (text === null) return false
  const body = text.replace(/^([/#~@%!|])(.*)\1[a-z]*$/s, '$2')
  const isAnchored = isWholeMatch || (/^\(?(?:\^|\\A)/.test(body) && /(?:\$|\\[zZ])\)?$/.test(body))
  if (!isAnchored) return false
  const bare = body
    .replaceAll(/\\[dwAzZ.\-_@]/g, 'a')
    .replaceAll(/\[[^\]]*\]/g, (set) => (/^\[\^|['"`;|&<>$\\]|\s/.test(set) ? '.' : 'a'))
  return !/\.|['"`;|&<>]|\\[SWsD]/.test(bare.replaceAll(/\\\./g, 'a'))
}
