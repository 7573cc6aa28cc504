/** What a constraint is asked about, and how an expression is written as a name. */
import type { Value } from '../flow/values/value.js'
import { nameOf, type QualifiedName } from '../rulebook/qualified-name.js'
import { type Ir, isReference } from '../syntax/ir.js'

/** A value with the expression it came from; `null` when the rule asks about something that is not there. */
export interface Subject {
  readonly value: Value
  readonly ir: Ir | null
}

/** The name as it is written: `a.b['c']` -> a.b.c; calls stand for their callee. */
export function writtenName(ir: Ir): QualifiedName | null {
  if (ir.op === 'name') return nameOf(ir.name)
  if (ir.op === 'member') return nameOf(ir.property, writtenName(ir.object))
  if (ir.op === 'call') return writtenName(ir.callee)
  if (ir.op === 'index') {
    const key = ir.index.op === 'literal' && ir.index.value !== null ? String(ir.index.value) : '[]'
    return nameOf(key, writtenName(ir.object))
  }
  if (ir.op === 'unary' && isReference(ir.operator)) return writtenName(ir.operand)
  if (ir.op === 'cast') return writtenName(ir.value)
  // Swift's `.init(x)`: what it belongs to is not written.
  if (ir.op === 'unary' && ir.operator === '.' && ir.operand.op === 'name') return nameOf(ir.operand.name, nameOf(''))
  return null
}
