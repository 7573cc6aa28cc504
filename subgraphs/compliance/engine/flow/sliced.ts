/** How far into a list is reached: the index of an element, and the place up to which something is cut out. */
import { placeHolds } from '../match/conditions.js'
import { holds } from '../match/constraints.js'
import type { Subject } from '../match/subject.js'
import type { Call, Ir } from '../syntax/ir.js'
import { checkArrival } from './roles.js'
import type { Flow, Frame } from './state.js'
import type { Value } from './values/value.js'

export function checkReach(
  flow: Flow,
  frame: Frame,
  sinks: Flow['book']['indexSinks'],
  ir: Ir,
  list: Subject,
  reach: Subject,
): void {
  for (const { sink, only } of sinks) {
    if (sink.receiver !== undefined && !holds(flow, sink.receiver, list)) continue
    if (placeHolds(flow, sink, frame)) checkArrival(flow, frame, sink, only, reach, ir)
  }
}

/** `buf[4..n]`. Where only the beginning is said, it was mostly counted up to there. */
export function checkRange(flow: Flow, frame: Frame, ir: Extract<Ir, { op: 'index' }>, list: Subject): void {
  const { index } = ir
  const bound =
    index.op === 'opaque' && /\.\.=?\s*\S/.test(flow.text.slice(index.start, index.end)) ? index.parts.at(-1) : undefined
  if (bound === undefined || flow.book.sliceSinks.length === 0) return
  checkReach(flow, frame, flow.book.sliceSinks, ir, list, { value: flow.evaluate(frame, bound), ir: bound })
}

/** The same of `%slice(list, from, to)`. */
export function checkSlice(flow: Flow, frame: Frame, call: Call, [object, , to]: readonly Value[]): void {
  const [list, , bound] = call.args
  if (list === undefined || bound === undefined || object === undefined || to === undefined) return
  checkReach(flow, frame, flow.book.sliceSinks, call, { value: object, ir: list.value }, { value: to, ir: bound.value })
}
