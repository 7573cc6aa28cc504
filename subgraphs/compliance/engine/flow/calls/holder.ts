/** The object that a method is called on, where all that it holds is known: it has that in its fields, and not what others have. */
import type { Lambda } from '../../syntax/ir.js'
import { partOf } from '../assign.js'
import type { Flow } from '../state.js'
import { deepOrigins, mapOrigins, type Origin, unknown, type Value } from '../values/value.js'
import type { CallSite } from './call-site.js'
import { fromLine } from './classes.js'

/** `null` where the object is not known. A constructor meets what the class declares. */
export function holderOf(flow: Flow, { receiver }: CallSite, lambda: Lambda, isConstruction: boolean): Value | null {
  if (!isConstruction) return receiver?.value.isMade === true ? receiver.value : null
  const info = flow.classes.get(flow.scopes.get(lambda)?.className ?? '')
  return info === undefined ? null : { ...unknown, fields: info.defaults }
}

/** What the holder has in the field in place of what some object has there; `null` for data that is in no field of its class. */
export function heldInstead(flow: Flow, holder: Value | null, lambda: Lambda, { heldIn }: Origin): readonly Origin[] | null {
  const className = flow.scopes.get(lambda)?.className
  if (holder === null || heldIn === undefined || className == null) return null
  const [of, key = ''] = heldIn.split('\0')
  const isOwn = fromLine(flow, className, ({ ir }) => ir.name === of || undefined) === true
  return isOwn ? deepOrigins(partOf(holder, key)) : null
}

/** A result, with what the holder has in place of what some object has. */
export function withHeldOf(flow: Flow, holder: Value | null, lambda: Lambda, result: Value): Value {
  if (holder === null) return result
  return mapOrigins(result, (origins) => origins.flatMap((one) => heldInstead(flow, holder, lambda, one) ?? [one]), 3)
}
