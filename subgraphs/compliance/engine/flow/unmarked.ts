/**
 * What a sink is called on comes from the caller of the function: whether it has the mark that makes the sink harmless is known there.
 *
 * `void start(PrintWriter writer, String name)` is harmless where the page that `writer` belongs to was declared to be plain text.
 */
import type { Sink } from '../rulebook/model-schema.js'
import type { CallSite } from './calls/call-site.js'
import { isCalled } from './callers.js'
import type { Flow } from './state.js'
import type { SinkHit, Unmarked } from './sink-hits.js'
import { deepOrigins, type Value } from './values/value.js'

/** The parameter that decides whether what a call is made on lacks the mark. */
export function unmarkedBy(flow: Flow, { frame, receiver }: CallSite, sink: Sink): Unmarked | undefined {
  const mark = sink.receiver?.lacks_mark
  if (mark === undefined || receiver === null || frame.symbolic === null || !isCalled(flow, frame.symbolic)) return undefined
  return parameterOf(frame.symbolic, mark, receiver.value)
}

function parameterOf(of: Unmarked['of'], mark: string, value: Value): Unmarked | undefined {
  const given = deepOrigins(value).find(({ parameter }) => parameter?.of === of && parameter.part === undefined)?.parameter
  return given === undefined || given === null ? undefined : { mark, of, index: given.index }
}

const answered = new WeakMap<Flow, Set<Unmarked['of']>>()

/** The sinks of a function that wait for a caller which was not found after all: a call of that name meant another function. */
export const unanswered = (flow: Flow, of: Unmarked['of'], hits: readonly SinkHit[]): readonly SinkHit[] =>
  answered.get(flow)?.has(of) === true
    ? []
    : hits.flatMap((hit) => {
        const origins = hit.unmarked === undefined ? [] : hit.origins.filter(({ parameter }) => parameter === null)
        return origins.length === 0 ? [] : [{ ...hit, origins }]
      })

/** What is left to ask where a function is called: nothing, its caller's caller, or `null` where the mark is there. */
export function askedOfCaller(
  flow: Flow,
  { frame }: CallSite,
  unmarked: Unmarked | undefined,
  args: readonly Value[],
): Unmarked | undefined | null {
  const given = unmarked === undefined ? undefined : args[unmarked.index]
  if (unmarked === undefined || given === undefined) return undefined
  answered.set(flow, (answered.get(flow) ?? new Set()).add(unmarked.of))
  if (given.marks.has(unmarked.mark)) return null
  return frame.symbolic === null || !isCalled(flow, frame.symbolic)
    ? undefined
    : parameterOf(frame.symbolic, unmarked.mark, given)
}
