/** Casts that the grammar takes for something else. */
import type { Type } from '../program.js'
import { lookup, type Scope } from './scope.js'
import { baseType } from './types.js'

/** `(LPSTR)&text` reads like a bitwise and: no variable has the name in brackets. */
export function castType(scope: Scope, node: number, operator: string): Type | null {
  const { cursor } = scope
  const [inside] = cursor.childrenOf(node)
  if ((operator !== '&' && operator !== '*') || inside === undefined || cursor.typeOf(node) !== 'parenthesized_expression')
    return null
  if (cursor.typeOf(inside) !== 'identifier') return null
  const name = cursor.textOf(inside)
  if (lookup(scope, name) !== null || scope.constants.has(name) || scope.fields?.has(name) === true) return null
  return baseType(cursor, scope.types, inside)
}

/** What stands in there is asked for its type alone and never read. */
export const unevaluated = /^(?:typeof(?:_unqual)?|__typeof(?:__)?|decltype|__alignof(?:__)?|_?alignof)$/i
