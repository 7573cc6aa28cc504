/** Casts and their like that the grammar takes for something else. */
import type { Expr, Type } from '../program.js'
import { lookup, type Scope } from './scope.js'
import { baseType, pointerTo } from './types.js'

/** `(LPSTR)&text` reads like a bitwise and: no variable has the name in brackets. */
function castType(scope: Scope, node: number, operator: string): Type | null {
  const { cursor } = scope
  const [inside] = cursor.childrenOf(node)
  if ((operator !== '&' && operator !== '*') || inside === undefined || cursor.typeOf(node) !== 'parenthesized_expression')
    return null
  if (cursor.typeOf(inside) !== 'identifier') return null
  const name = cursor.textOf(inside)
  if (lookup(scope, name) !== null || scope.constants.has(name) || scope.fields?.has(name) === true) return null
  return baseType(cursor, scope.types, inside)
}

interface Binary {
  readonly node: number
  readonly left: number
  readonly right: number
  readonly operator: string
}

/** What reads like an operation on two values and is none. */
export function misreadBinary(scope: Scope, binary: Binary, first: Expr, second: Expr): Expr | null {
  const { cursor } = scope
  const { node, left, right, operator } = binary
  const place = cursor.placeOf(node)
  // `new T *(value)`: a product of `new T`.
  const isBareNew = first.op === 'new' && first.count === null && cursor.child(left, 'arguments') === undefined
  if (operator === '*' && isBareNew && cursor.typeOf(right) === 'parenthesized_expression')
    return { ...first, type: pointerTo(first.type), ...place }
  const type = castType(scope, left, operator)
  if (type === null) return null
  const value: Expr =
    operator === '&'
      ? { op: 'address', base: second, type: pointerTo(second.type), ...cursor.placeOf(right) }
      : { op: 'dereference', base: second, type: second.type?.of ?? null, ...cursor.placeOf(right) }
  return { op: 'cast', value, type, ...place }
}

/** What stands in there is asked for its type alone and never read. */
export const unevaluated = /^(?:typeof(?:_unqual)?|__typeof(?:__)?|decltype|__alignof(?:__)?|_?alignof)$/i
