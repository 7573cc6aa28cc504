/** What rules say about a declaration or an assignment. */
import { matchesText } from '../match/constraints.js'
import { type Subject, writtenName } from '../match/subject.js'
import type { Assign } from '../syntax/ir.js'
import { memberNames } from './calls/call-site.js'
import { checkAssignedOption } from './options.js'
import { checkIndex } from './reads.js'
import { reportIf } from './report-if.js'
import { checkNamed } from './roles.js'
import type { Flow, Frame } from './state.js'
import type { Value } from './values/value.js'

export function checkAssignment(flow: Flow, frame: Frame, ir: Assign, value: Value): void {
  const { target } = ir
  if (target.op === 'index' && ir.operator === '=')
    checkIndex(flow, frame, target, flow.evaluate(frame, target.object), flow.evaluate(frame, target.index))
  const subject: Subject = { value, ir: ir.value }
  checkAssignedOption(flow, frame, ir, subject)
  const written = writtenName(target)
  for (const { rule, matcher } of flow.book.plain.declare) {
    const wanted = matcher.declare
    if (wanted?.name !== undefined && (written === null || !matchesText(wanted.name, written.segment))) continue
    if (wanted?.type !== undefined && (ir.type === undefined || !matchesText(wanted.type, ir.type))) continue
    if (ir.value === null && wanted?.value !== undefined) continue
    reportIf(flow, frame, rule, matcher, ir, wanted?.value, subject)
  }
  if (written === null) return
  const candidates = flow.book.sets.candidates(written.segment)
  if (candidates.entries.length === 0) return
  const isPart = target.op === 'member' || target.op === 'index'
  const receiver = isPart ? { value: flow.evaluate(frame, target.object), ir: target.object } : null
  const names = receiver === null ? [written] : memberNames(flow, receiver, written.segment, written)
  const key = target.op === 'index' ? { value: flow.evaluate(frame, target.index), ir: target.index } : null
  checkNamed(flow, frame, candidates, ir, names, receiver, subject, key)
}
