/** Calls of macros that stand for other calls. */
import type { Macro } from '../../syntax/tables/c-macros.js'
import type { Expr, Place } from '../program.js'
import { noteWrite, type Scope } from './scope.js'
import { intType, pointerTo } from './types.js'

/** The calls that a macro stands for, with the arguments in the place of its parameters. */
export function expanded(scope: Scope, macro: Macro, args: readonly Expr[], place: Place): Expr {
  const items = macro.calls.map(({ name, args: wanted }): Expr => {
    const given = wanted.map((one): Expr => {
      if ('number' in one) return { op: 'number', value: one.number, type: intType, ...place }
      const argument = one.parameter === null ? undefined : args[one.parameter]
      return argument ?? { op: 'null', type: pointerTo(null), ...place }
    })
    const [target, value] = given
    if (name !== '=' || target === undefined || value === undefined)
      return { op: 'call', name, receiver: null, args: given, callee: null, type: null, ...place }
    noteWrite(scope, target, null)
    return { op: 'assign', operator: '', target, value, type: target.type, ...place }
  })
  return { op: 'sequence', items, type: items.at(-1)?.type ?? null, ...place }
}
