/** Functions without a name: their bodies run at some other time, as functions of their own. */
import type { Expr, Place, Type } from '../program.js'
import { lookup, type Scope } from './scope.js'

/** A lambda, and the variables of the function around it that it may speak of. */
export interface Lambda {
  readonly node: number
  readonly seen: ReadonlyMap<string, Type | null>
}

export function lambdaExpr(scope: Scope, node: number, place: Place): Expr {
  const { cursor } = scope
  const mentions: Expr[] = []
  const seen = new Map<string, Type | null>()
  const end = cursor.after(node)
  for (let at = node + 1; at < end && mentions.length < 200; at++) {
    if (cursor.typeOf(at) !== 'identifier') continue
    const found = lookup(scope, cursor.textOf(at))
    if (found?.isLocal !== true) continue
    seen.set(cursor.textOf(at), found.type)
    mentions.push({ op: 'variable', name: found.name, isLocal: true, type: found.type, ...cursor.placeOf(at) })
  }
  scope.lambdas.set(node, { node, seen })
  return { op: 'lambda', mentions, type: null, ...place }
}
