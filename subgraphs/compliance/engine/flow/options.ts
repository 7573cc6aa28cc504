/** Options by what their names say, in whatever form a language gives them: rules that are about no library. */
import { matchesText } from '../match/constraints.js'
import { type Subject, writtenName } from '../match/subject.js'
import type { Assign, Collection, Ir } from '../syntax/ir.js'
import type { CallSite } from './calls/call-site.js'
import { reportIf } from './report-if.js'
import type { Flow, Frame } from './state.js'
import { unknown } from './values/value.js'

interface Range {
  readonly start: number
  readonly end: number
}

/** An entry of a literal: `{ verify: false }`, `Options{Verify: false}`. */
export function checkEntryOption(flow: Flow, frame: Frame, literal: Collection, name: string, subject: Subject): void {
  if (literal.kind === 'map') check(flow, frame, name, subject, literal, subject.ir ?? literal)
}

/** `client.verify = false`, `options["verify"] = false`; what an object sets of itself is how it begins. */
export function checkAssignedOption(flow: Flow, frame: Frame, { target, value, operator }: Assign, subject: Subject): void {
  if (operator !== '=' || value === null || (target.op !== 'member' && target.op !== 'index')) return
  if (/^(?:\$?this|_this|self|.*\.prototype)$/.test(flow.text.slice(target.object.start, target.object.end))) return
  const name = writtenName(target)?.segment
  if (name !== undefined) check(flow, frame, name, subject, { start: target.start, end: value.end }, value)
}

/** Named arguments, `.withVerify(false)` and `.set("verify", false)`. */
export function checkCallOptions(flow: Flow, { frame, ir, method, args, receiver }: CallSite): void {
  if (flow.book.options.isEmpty) return
  for (const { name, subject } of args) if (name !== undefined) check(flow, frame, name, subject, ir, subject.ir ?? ir)
  const [first, second] = args
  if (first === undefined || first.name !== undefined) return
  if (args.length === 1 && method !== '') check(flow, frame, method, first.subject, ir, first.subject.ir ?? ir)
  if (args.length !== 2 || second === undefined || receiver === null) return
  const { constant } = first.subject.value
  if (typeof constant === 'string' && constant.length < longestName && !isSentence.test(constant))
    check(flow, frame, constant, second.subject, ir, ir)
}

const longestName = 60

/** `output.write("Checking the https mirror", false)` writes. */
const isSentence = /^\S+(?: +\S+){3}/

function check(flow: Flow, frame: Frame, name: string, given: Subject, around: Range, place: Ir): void {
  const rules = flow.book.options.named(name)
  if (rules.length === 0) return
  const subject = unwrapped(given)
  for (const { rule, matcher } of rules) {
    const { beside } = matcher.option ?? {}
    if (beside !== undefined && !matchesText(beside, flow.text.slice(around.start, around.end))) continue
    reportIf(flow, frame, rule, matcher, place, matcher.option?.value, subject)
  }
}

/** `pulumi.Bool(false)`, `Some(true)`: the constant inside. */
function unwrapped(subject: Subject): Subject {
  const { ir } = subject
  if (ir?.op !== 'call' || ir.args.length !== 1 || subject.value.constant !== undefined) return subject
  const inner = ir.args[0]?.value
  return inner?.op === 'literal' ? { value: { ...unknown, constant: inner.value }, ir: inner } : subject
}
