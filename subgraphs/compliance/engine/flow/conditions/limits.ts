/** What keeps a number from growing too large. */
import type { Ir } from '../../syntax/ir.js'
import type { Flow, Frame } from '../state.js'
import { boundedKinds } from '../values/harmless-types.js'
import { deepOrigins, type Value } from '../values/value.js'

/**
 * What bounds a number: something that is bounded itself, that another function of the class was given, or that one rule alone asks about;
 * for what no caller has given, also what the caller says is enough.
 */
const isLimit = (frame: Frame, limit: Value, kind: string, isOfCaller: boolean): boolean =>
  deepOrigins(limit).every(
    ({ parameter, clean: cleanFor, only, label }) =>
      only !== undefined ||
      cleanFor.has(kind) ||
      (parameter !== null &&
        (parameter.of !== frame.symbolic || (!isOfCaller && label === 'param' && parameter.part === undefined))),
  )

/** `n < table->count`: what an object of the function says of itself, about something that does not come out of that object. */
function isOfAnother(flow: Flow, frame: Frame, limit: Ir, known: Value, bounded: Ir): boolean {
  const part = limit.op === 'binary' && limit.right.op === 'literal' ? limit.left : limit
  if (part.op !== 'member') return false
  const of = deepOrigins(known).map(({ parameter }) => parameter)
  const others = new Set(deepOrigins(flow.evaluate(frame, bounded)).map(({ parameter }) => parameter?.index))
  return of.every((one) => one !== null && !others.has(one.index))
}

/** The kinds for which a number is harmless once it is below this limit. */
export function boundsFor(flow: Flow, frame: Frame, limit: Ir, bounded: Ir): string[] {
  const { constant, ...known } = flow.evaluate(frame, limit)
  if (constant === 0) return []
  if (isOfAnother(flow, frame, limit, known, bounded)) return [...boundedKinds]
  const isOfCaller = limit.op !== 'name' || deepOrigins(flow.evaluate(frame, bounded)).some(({ parameter }) => parameter !== null)
  return boundedKinds.filter((kind) => isLimit(frame, known, kind, isOfCaller))
}
