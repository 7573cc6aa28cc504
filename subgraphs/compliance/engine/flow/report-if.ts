/** A pattern rule whose subject was found: its constraint and its place decide. */
import { isExcused, placeHolds } from '../match/conditions.js'
import { holds } from '../match/constraints.js'
import type { Subject } from '../match/subject.js'
import type { Rule } from '../rulebook/schema.js'
import type { Ir } from '../syntax/ir.js'
import { askAboutData, isAboutData } from './questions.js'
import { functionName } from './roles.js'
import { addFinding } from './report.js'
import type { Flow, Frame } from './state.js'

export function reportIf(
  flow: Flow,
  frame: Frame,
  rule: Rule,
  conditions: Parameters<typeof placeHolds>[1],
  ir: Ir,
  constraint: Parameters<typeof holds>[1] | undefined,
  subject: Subject,
): void {
  // A constant that a caller gives does not stand here.
  if (flow.inlined.length > 0 && !isAboutData(constraint)) return
  if (constraint !== undefined && !holds(flow, constraint, subject)) return askAboutData(frame, constraint, subject.value)
  if (placeHolds(flow, conditions, frame) && !isExcused(flow, rule, frame)) addFinding(flow, rule, ir, functionName(frame))
}
