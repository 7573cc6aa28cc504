/** What functions return, where that is a sink: the body of a response. */
import { hasDecorator, placeHolds } from '../../match/conditions.js'
import { matchesText } from '../../match/constraints.js'
import type { Parameter } from '../../syntax/ir.js'
import { withHeld } from '../named-data.js'
import { checkAnswer } from '../named-sinks.js'
import { ask } from '../questions.js'
import { arrive, isBehind, isSafePrefix } from '../report.js'
import type { Place } from '../sink-hits.js'
import type { Flow, Frame } from '../state.js'
import { unknown, type Value } from '../values/value.js'

/** Sinks that are what a function returns: the body of a response. */
export function onReturn(flow: Flow, frame: Frame, returned: Value, ir: Place | null | undefined, isLast = false): void {
  const lambda = frame.closure ?? frame.lambda
  if (lambda === null || ir == null) return
  if (frame.lambda !== null && !(isLast && frame.closure !== null)) checkAnswer(flow, frame, returned, ir)
  if (flow.book.returnSinks.length === 0) return
  const isClosure = frame.closure !== null && (isLast || frame.lambda === null)
  const value = withHeld(flow, frame, returned, ir, returned.type ?? lambda.returnType)
  const info = frame.className === null ? undefined : flow.classes.get(frame.className)
  for (const { sink, only } of flow.book.returnSinks) {
    const { returns } = sink
    // What stands last in an anonymous function is no answer of the function around it.
    if (returns === undefined || (isClosure && returns.parameter === undefined)) continue
    if (
      returns.decorator !== undefined &&
      !hasDecorator(returns.decorator, (frame.lambda ?? lambda).decorators, flow.book.ignoreCase)
    )
      continue
    if (returns.function !== undefined && !matchesText(returns.function, (frame.lambda ?? lambda).name)) continue
    if (
      returns.class_decorator !== undefined &&
      !hasDecorator(returns.class_decorator, info?.ir.decorators ?? [], flow.book.ignoreCase)
    )
      continue
    const { extends: base } = returns
    if (base !== undefined && info?.ir.bases.some((one) => matchesText(base, one)) !== true) continue
    if (returns.parameter !== undefined && !lambda.parameters.some((one) => isNamedOrTyped(one, returns.parameter ?? {})))
      continue
    const type = lambda.returnType ?? ''
    if (returns.unless_type !== undefined && matchesText(returns.unless_type, type)) continue
    if (returns.unless_text !== undefined && matchesText(returns.unless_text, flow.text.slice(ir.start, ir.end))) continue
    const isPlain = returns.opaque_type !== undefined && matchesText(returns.opaque_type, type)
    const given = sink.key === undefined ? value : keyOf(value, sink.key)
    if (isSafePrefix(sink.safe_prefix, given.prefix) || !placeHolds(flow, sink, frame)) continue
    const origins = given.origins.filter(
      (origin) => (sink.built !== true || origin.built) && !(isPlain && origin.opaque) && isBehind(sink.behind, origin),
    )
    if (origins.length < given.origins.length) ask(frame, 'data', given)
    const { start, end } = ir
    arrive(flow, frame, { kind: sink.kind, only, functionName: lambda.name, frame, start, end, isAsked: false }, origins)
  }
}

const isNamedOrTyped = ({ name, type }: Parameter, wanted: { name?: string; type?: string }): boolean =>
  (wanted.name !== undefined && type === undefined && matchesText(wanted.name, name)) ||
  (wanted.type !== undefined && type !== undefined && matchesText(wanted.type, type))

/** The part of an answer that a sink is about. */
const keyOf = ({ fields }: Value, keys: readonly string[]): Value =>
  keys.map((key) => fields?.get(key)).find((one) => one !== undefined) ?? unknown
