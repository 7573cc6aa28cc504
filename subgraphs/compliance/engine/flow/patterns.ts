/** What the patterns of C# and Java bind: `string s`, `{ Name: var n } m`, `Mail(var to, _)`. */
import type { Ir } from '../syntax/ir.js'
import { partOf } from './assign.js'
import type { Flow, Frame } from './state.js'
import { isHarmlessType } from './values/harmless-types.js'
import { cleaned, deepOrigins, unknown, type Value } from './values/value.js'

/** Kinds of nodes whose last part is the name that the whole gets. */
const named = new Set(['declaration_pattern', 'recursive_pattern', 'type_pattern', 'record_pattern_component', 'var_pattern'])

export function bindPattern(flow: Flow, frame: Frame, pattern: Ir, value: Value): void {
  if (pattern.op === 'call') {
    for (const one of pattern.args) bindPiece(flow, frame, one.value, pieceOf(value))
    return
  }
  if (pattern.op !== 'opaque' || !pattern.kind.includes('pattern')) return
  if (pattern.kind === 'subpattern') {
    const [part, inner] = pattern.parts
    if (part?.op === 'name' && inner !== undefined) bindPiece(flow, frame, inner, partOf(value, part.name))
    return
  }
  const last = pattern.parts.at(-1)
  if (named.has(pattern.kind) && pattern.parts.length > 1 && last?.op === 'name') {
    const [type] = pattern.parts
    bind(flow, frame, last.name, value, type?.op === 'name' ? type.name : undefined)
  }
  // What stands in a record or a tuple is a piece of the whole.
  const isList = /positional|record_pattern_body|list_pattern/.test(pattern.kind)
  for (const part of pattern.parts)
    if (part.op === 'opaque' || part.op === 'call') bindPattern(flow, frame, part, isList ? pieceOf(value) : value)
}

const pieceOf = (value: Value): Value => ({ ...unknown, origins: deepOrigins(value) })

function bindPiece(flow: Flow, frame: Frame, ir: Ir, value: Value): void {
  if (ir.op === 'assign' && ir.target.op === 'name') bind(flow, frame, ir.target.name, value, ir.type)
  else bindPattern(flow, frame, ir, value)
}

function bind(flow: Flow, frame: Frame, name: string, value: Value, type: string | undefined): void {
  if (name === '_') return
  const given = type === undefined || type === 'var' ? value : { ...value, type }
  frame.env.variables.set(name, isHarmlessType(flow, type) ? cleaned(given, ['text']) : given)
}
