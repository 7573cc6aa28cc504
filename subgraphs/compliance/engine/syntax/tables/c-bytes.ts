/** Numbers that are one byte: they are small, whatever they are read from. */
import type { Ir } from '../ir.js'
import type { Lowering } from '../lowering/shapes.js'
import { bare, helper, knownName } from './c-scope.js'

/** One byte is a small number: `#byte(p[i])`. */
export function byteValue(lowering: Lowering, node: number, value: Ir): Ir {
  const at = bare(lowering, node)
  const isByte = lowering.typeOf(at) === 'subscript_expression' && isBytes(lowering, lowering.first(at, 'argument,#0'))
  return isByte ? helper(lowering, node, '#byte', [value]) : value
}

/** Pointers to bytes and local arrays of bytes; arrays of the file are tables. */
const isBytes = (lowering: Lowering, node: number | undefined): boolean => {
  const known = knownName(lowering, node)
  return known !== undefined && known.bytes === 1 && known.kind !== 'scalar' && known.isLocal
}
