/** Calls that test: membership in a list, a pattern, a type. */
import { type Subject, writtenName } from '../../match/subject.js'
import { type CallSite, testedSite } from '../calls/call-site.js'
import type { Flow, Frame } from '../state.js'
import { isNumericType } from '../values/harmless-types.js'
import { deepOrigins } from '../values/value.js'
import { isAllowlist, isOfOwnSite, isStrictPattern, refusesAllBut } from './allowlist.js'
import { narrowRange } from './narrow-floor.js'
import { clean } from './narrow-clean.js'

export function narrowMembership(flow: Flow, frame: Frame, site: CallSite, truth: boolean): void {
  const first = site.args[0]?.subject
  const set = site.receiver === null ? site.args[1]?.subject : site.receiver
  if (first?.value.constant === '..' && site.receiver?.ir != null) {
    if (!truth) clean(flow, frame, site.receiver.ir, ['path'])
    return
  }
  if (!truth) return
  const [list, member] = site.args
  if (list?.subject.ir != null && member?.subject.ir != null && isAllowlist(flow, frame, list.subject.ir))
    return clean(flow, frame, member.subject.ir, ['*'], true)
  if (first?.ir == null || set?.ir == null) return
  if (narrowRange(flow, frame, set.ir, first.ir)) return
  if (isAllowlist(flow, frame, set.ir)) clean(flow, frame, first.ir, ['*'], true)
}

/** The receiver, and what stands in `PATTERN.matcher(text).matches()`. */
function matchSubjects(flow: Flow, frame: Frame, { receiver }: CallSite): Subject[] {
  if (receiver === null) return []
  if (receiver.ir?.op !== 'call' || writtenName(receiver.ir.callee)?.segment !== 'matcher') return [receiver]
  const inner = testedSite(flow, frame, receiver.ir)
  return [...(inner.receiver === null ? [] : [inner.receiver]), ...inner.args.map((argument) => argument.subject)]
}

export function narrowPattern(flow: Flow, frame: Frame, site: CallSite, truth: boolean): void {
  const subjects = [...matchSubjects(flow, frame, site), ...site.args.map((argument) => argument.subject)]
  const { tests_whole: whole, tests_anywhere: anywhere } = flow.book.words
  const pattern = subjects.find(
    ({ value }) => (value.pattern !== undefined || typeof value.constant === 'string') && deepOrigins(value).length === 0,
  )
  if (pattern === undefined) return
  const isStrict = truth
    ? isStrictPattern(pattern.value, whole.has(site.method), flow.book.language)
    : anywhere.has(site.method) && refusesAllBut(pattern.value)
  const kinds = isStrict ? ['*'] : truth && isOfOwnSite(pattern.value) ? ['redirect'] : []
  for (const subject of subjects) if (subject !== pattern && subject.ir !== null) clean(flow, frame, subject.ir, kinds)
}

export function narrowType(flow: Flow, frame: Frame, site: CallSite): void {
  const [first, second] = site.args
  if (flow.book.words.tests_type_of.has(site.method)) {
    const type = second?.subject.ir == null ? undefined : writtenName(second.subject.ir)?.segment
    if (!isNumericType(flow, type)) return
  }
  const target = first?.subject.ir ?? site.receiver?.ir
  if (target != null) clean(flow, frame, target, ['text'])
}
