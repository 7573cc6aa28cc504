/** How expressions name things. */
import type { AccessWords } from '../rulebook/access-words.js'
import type { Call, Ir } from '../syntax/ir.js'

/** The last name in a callee or a chain: `a.b().c` is `c`. */
export function lastName(ir: Ir): string {
  if (ir.op === 'name') return ir.name
  if (ir.op === 'member') return ir.property
  if (ir.op === 'call') return lastName(ir.callee)
  if (ir.op === 'index')
    return ir.index.op === 'literal' && typeof ir.index.value === 'string' ? ir.index.value : lastName(ir.object)
  if (ir.op === 'cast') return lastName(ir.value)
  if (ir.op === 'unary') return lastName(ir.operand)
  return ''
}

export const methodWords = (words: AccessWords, call: Call): readonly string[] => words.of(lastName(call.callee))

/** All names of a chain, the last one first. */
export function chainNames(ir: Ir): string[] {
  const names: string[] = []
  for (let at: Ir | null = ir; at !== null;) {
    if (at.op === 'name') {
      names.push(at.name)
      at = null
    } else if (at.op === 'member') {
      names.push(at.property)
      at = at.object
    } else if (at.op === 'call') at = at.callee
    else if (at.op === 'index') at = at.object
    else if (at.op === 'cast') at = at.value
    else at = null
  }
  return names
}

/** The calls of a chain, the last one first. */
export function chainCalls(ir: Ir): Call[] {
  const calls: Call[] = []
  for (let at: Ir | null = ir; at !== null;) {
    if (at.op === 'call') {
      calls.push(at)
      at = at.callee
    } else if (at.op === 'member' || at.op === 'index') at = at.object
    else if (at.op === 'cast') at = at.value
    else at = null
  }
  return calls
}

export const rootName = (ir: Ir): string => chainNames(ir).at(-1) ?? ''

export function stringOf(ir: Ir | undefined): string | null {
  if (ir?.op === 'literal') return typeof ir.value === 'string' ? ir.value : null
  if (ir?.op !== 'binary' || ir.operator !== '/') return null
  // Scala's `"admin" / "purge"`.
  const [left, right] = [stringOf(ir.left), stringOf(ir.right)]
  return left === null && right === null ? null : `${left ?? ':'}/${right ?? ':'}`
}

const absent = new Set(['undefined', 'nil', 'None', 'null', 'NULL'])
/** `Role.ADMIN`, but not `user.ID`. */
const isConstantName = (name: string): boolean => /^[A-Z][A-Z_0-9]{2,}$/.test(name) && !/(?:^|_)(?:[UG]?U?ID|KEY)$/.test(name)

/** A value that stands in the program: comparing with it says nothing about whose a thing is. */
export const isConstant = (ir: Ir): boolean =>
  ir.op === 'literal' ||
  (ir.op === 'name' && absent.has(ir.name)) ||
  (ir.op === 'member' && isConstantName(ir.property)) ||
  (ir.op === 'unary' && (isConstant(ir.operand) || ir.operator === '.')) ||
  (ir.op === 'collection' && ir.entries.every(({ value }) => isConstant(value)))

/** Answers of HTTP that say: not you. */
export const refusalCodes: ReadonlySet<number> = new Set([401, 403])
