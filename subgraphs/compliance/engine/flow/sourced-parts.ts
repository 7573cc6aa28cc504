/** What packs know of the parts that a pattern takes out of a typed or named value: `({ query }) => ...`, `const { body } = request`. */
import type { Ir } from '../syntax/ir.js'
import { partOf } from './assign.js'
import { memberNames } from './calls/call-site.js'
import { checkNamed } from './roles.js'
import type { Flow, Frame } from './state.js'
import { withField } from './values/parts.js'
import { cleaned, joinOrigins, type Value, withOrigins } from './values/value.js'

/** The value with the sources that packs see in those of its parts that the pattern names. */
export function withSourcedParts(flow: Flow, frame: Frame, pattern: Ir, value: Value): Value {
  if ((value.type === undefined && value.path === null) || pattern.op !== 'collection' || pattern.kind !== 'map') return value
  let whole = value
  for (const { key, value: target, spread } of pattern.entries) {
    const name = key?.op === 'literal' ? key.value : key === null && target.op === 'name' ? target.name : null
    if (spread || typeof name !== 'string' || value.fields?.has(name) === true) continue
    const receiver = { value, ir: null }
    const candidates = flow.book.reads.candidates(name)
    const found = checkNamed(flow, frame, candidates, target, memberNames(flow, receiver, name, null), receiver, null)
    if (found !== null) whole = withField(whole, name, withFound(partOf(value, name), found))
  }
  return whole
}

/** The sources that packs see in a read, and the kinds that it is clean for. */
export function withFound(value: Value, found: Value | null): Value {
  if (found === null) return value
  const read = withOrigins(value, joinOrigins(value.origins, found.origins))
  return found.marks.size === 0 ? read : cleaned(read, [...found.marks])
}
