/**
 * Checks that whoever is checked can leave out.
 *
 * One asks only where something was sent: `if (signature) { if (!matches(signature)) return refuse() }`, and who sends none comes through.
 * The other refuses only where nothing has failed: `if err == nil && !ok { return refuse() }`, and who makes the question fail comes through.
 */
import type { Flow } from '../flow/state.js'
import type { Conditional, Ir, Lambda } from '../syntax/ir.js'
import { callsAny } from './conditions.js'
import { matchesAnyName, matchesText } from './constraints.js'
import { nodesOf } from './nodes.js'
import { presenceAsked } from './presence.js'
import { writtenName } from './subject.js'

export interface HalfCheck {
  /** Calls that compare or verify what was sent. */
  readonly verifies: readonly string[]
  /** Text that brings something from a request. */
  readonly sent: string
  /** Text of a way that refuses. */
  readonly refuses: string
  /** Text of a condition that nothing has failed. */
  readonly unfailed: string
  /** Names that say yes or no. */
  readonly answers: string
}

export function halfChecks(flow: Flow, lambda: Lambda, wanted: HalfCheck): readonly Ir[] {
  const isVerifying = callsAny(flow, lambda, wanted.verifies)
  const nodes = nodesOf(lambda.body)
  return nodes.flatMap((ir) => {
    if (ir.op !== 'if' || !isEmpty(ir.otherwise) || !goesOn(flow, nodes, ir, wanted)) return []
    const isHalf = (isVerifying && asksWhatIsSent(flow, lambda, ir, wanted)) || asksUnlessFailed(flow, ir, wanted)
    return isHalf ? [ir.test] : []
  })
}

const isEmpty = (ir: Ir | null): boolean => ir === null || (ir.op === 'block' && ir.body.length === 0)

const textOf = ({ text }: Flow, { start, end }: Ir): string => text.slice(start, Math.min(end, start + 2_000))

/** Something is done behind it, and not to refuse. */
function goesOn(flow: Flow, nodes: readonly Ir[], whole: Conditional, { refuses }: HalfCheck): boolean {
  const rest = nodes.filter(({ start }) => start >= whole.end)
  const next = rest.find(({ op }) => op !== 'block')
  if (next === undefined || !rest.some(({ op }) => op === 'call')) return false
  return !matchesText(refuses, flow.text.slice(whole.end, Math.min(next.end, next.start + 200)))
}

/** The branch refuses where what was sent does not match, and nothing else asks whether it was sent. */
function asksWhatIsSent(flow: Flow, lambda: Lambda, { test, then }: Conditional, wanted: HalfCheck): boolean {
  let name = ''
  const isWhatIsSent = (ir: Ir): boolean => {
    if (ir.op !== 'name' && ir.op !== 'member' && ir.op !== 'index') return false
    const segment = writtenName(ir)?.segment ?? ''
    if (segment === '' || !isSent(flow, lambda, ir, segment, wanted)) return false
    name = segment
    return true
  }
  if (!isWhatIsSent(test) && presenceAsked(flow, test, isWhatIsSent) !== 'there') return false
  const inside = nodesOf(then)
  const isVerified = inside.some(
    (ir) => ir.op === 'call' && matchesAnyName(wanted.verifies, writtenName(ir.callee), flow.book.ignoreCase),
  )
  return (
    isVerified && inside.some((ir) => ir.op === 'name' && ir.name === name) && matchesText(wanted.refuses, textOf(flow, then))
  )
}

/** It comes from the request: as it stands there, or where the name was given what it holds. */
function isSent({ text }: Flow, lambda: Lambda, asked: Ir, name: string, { sent }: HalfCheck): boolean {
  if (asked.op !== 'name') return matchesText(sent, text.slice(asked.start, asked.end))
  const given = nodesOf(lambda.body).find(
    (ir) => ir.op === 'assign' && ir.value !== null && ir.target.op === 'name' && ir.target.name === name,
  )
  if (given?.op === 'assign' && given.value !== null) return matchesText(sent, text.slice(given.value.start, given.value.end))
  return lambda.parameters.some((one) => one.name === name && matchesText(sent, text.slice(Math.max(0, one.start - 60), one.end)))
}

/** `err == nil && !allowed` */
function asksUnlessFailed(flow: Flow, { test, then }: Conditional, { unfailed, answers, refuses }: HalfCheck): boolean {
  if (test.op !== 'binary' || (test.operator !== '&&' && test.operator !== 'and')) return false
  const sides = [test.left, test.right]
  const isUnfailed = sides.some((side) => matchesText(unfailed, textOf(flow, side)))
  return isUnfailed && sides.some((side) => isNo(side, answers)) && leaves(then) && matchesText(refuses, textOf(flow, then))
}

/** `!ok` */
const isNo = (ir: Ir, answers: string): boolean =>
  ir.op === 'unary' &&
  (ir.operator === '!' || ir.operator === 'not') &&
  matchesText(answers, writtenName(ir.operand.op === 'call' ? ir.operand.callee : ir.operand)?.segment ?? '')

const leaves = (then: Ir): boolean => nodesOf(then).some(({ op }) => op === 'jump')
