/** Statements of a database in the arguments of a call: as a text, or with values in it. */
import type { Ir } from '../syntax/ir.js'

/** The text of a statement; `?` stands for what is filled in. */
export function statementIn(ir: Ir): string | null {
  if (ir.op === 'literal') return typeof ir.value === 'string' ? ir.value : null
  if (ir.op !== 'concat') return null
  return ir.parts.map((part) => (part.op === 'literal' ? String(part.value) : '?')).join('')
}

/** The first of them that reads so. */
export function sentencesIn(values: readonly Ir[], pattern: RegExp): RegExpExecArray | null {
  for (const value of values) {
    const found = pattern.exec((statementIn(value) ?? '').slice(0, 1000))
    if (found !== null) return found
  }
  return null
}
