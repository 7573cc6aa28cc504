/**
 * An amount that is taken from one place and given to another, where only its upper end is tested: `if (a.balance < n) return; a.balance -= n;
 * b.balance += n;`. One below zero passes the test and goes the other way.
 */
import type { Flow } from '../flow/state.js'
import type { Ir, Lambda } from '../syntax/ir.js'
import { matchesText } from './constraints.js'
import { nodesOf } from './nodes.js'
import { writtenName } from './subject.js'

export interface MovedAmount {
  /** Types of numbers that have a sign; a parameter without a type is such a number. */
  readonly signed: string
  /** Names of functions that look at what they are given. */
  readonly checks: string
}

type Binary = Extract<Ir, { op: 'binary' }>

/** Where the amount is taken away. */
export function movedAmounts(flow: Flow, lambda: Lambda, wanted: MovedAmount): readonly Ir[] {
  const nodes = nodesOf(lambda.body)
  return lambda.parameters.flatMap(({ name, type, decorators }) => {
    if (name === '' || decorators.length > 0 || (type !== undefined && !matchesText(wanted.signed, type))) return []
    const taken = takenAmount(flow, nodes, name)
    return taken === null || isLookedAt(flow, lambda, nodes, name, wanted) ? [] : [taken]
  })
}

const isNamed = (ir: Ir, name: string): boolean => ir.op === 'name' && ir.name === name

/** `held < n` and `n > held` with what is held as it is written. */
function comparedWith(flow: Flow, ir: Ir, name: string): string | null {
  if (ir.op !== 'binary' || !/^[<>]=?$/.test(ir.operator)) return null
  const other = isNamed(ir.left, name) ? ir.right : isNamed(ir.right, name) ? ir.left : null
  return other === null || other.op === 'literal' ? null : textOf(flow, other)
}

const textOf = ({ text }: Flow, { start, end }: Ir): string => text.slice(start, end).replaceAll(/\s+/g, '')

/** The sum or difference of something and the amount. */
function steppedBy(flow: Flow, ir: Ir, operator: '+' | '-', name: string): string | null {
  if (ir.op === 'assign' && ir.operator === operator && ir.value !== null && isNamed(ir.value, name))
    return textOf(flow, ir.target)
  return isStep(ir, operator) && isNamed(ir.right, name) && !isText(ir.left) ? textOf(flow, ir.left) : null
}

/** `"only " + n` joins a message. */
const isText = (ir: Ir): boolean =>
  (ir.op === 'literal' && typeof ir.value === 'string') || (isStep(ir, '+') && (isText(ir.left) || isText(ir.right)))

const isStep = (ir: Ir, operator: string): ir is Binary => ir.op === 'binary' && ir.operator === operator

/** Places and lengths in a buffer or a list, which are nobody's property. */
const ofBuffers =
  /(?:avail(?:able)?|pos(?:ition)?|offset|index|len(?:gth)?|size|capacity|bytes|skipped|start|end|limit|cursor)_?(?:\(\))?$/i

function takenAmount(flow: Flow, nodes: readonly Ir[], name: string): Ir | null {
  const held = new Set(nodes.flatMap((ir) => comparedWith(flow, ir, name) ?? []).filter((place) => !ofBuffers.test(place)))
  const taken = nodes.find((ir) => held.has(steppedBy(flow, ir, '-', name) ?? ''))
  const isGiven = nodes.some((ir) => {
    const to = steppedBy(flow, ir, '+', name)
    return to !== null && !held.has(to)
  })
  return taken !== undefined && isGiven ? taken : null
}

/** Its lower end is tested here or by a caller, or somebody is asked about it. */
function isLookedAt(flow: Flow, lambda: Lambda, nodes: readonly Ir[], name: string, { checks }: MovedAmount): boolean {
  const isAsked = nodes.some((ir) => {
    if (ir.op === 'binary' && /^(?:[<>]=?|[!=]==?)$/.test(ir.operator))
      return (isNamed(ir.left, name) && ir.right.op === 'literal') || (isNamed(ir.right, name) && ir.left.op === 'literal')
    if (ir.op !== 'call' || !matchesText(checks, writtenName(ir.callee)?.segment ?? '')) return false
    return nodesOf(ir).some((part) => isNamed(part, name))
  })
  return isAsked || [...flow.scopes.keys()].some((caller) => caller !== lambda && isTestingCaller(flow, caller, lambda.name))
}

function isTestingCaller(flow: Flow, caller: Lambda, name: string): boolean {
  const text = flow.text.slice(caller.start, caller.end)
  return name !== '' && new RegExp(`\\b${name.replaceAll('$', '\\$')}\\s?\\(`).test(text) && /(?:<=?|>=?)\s?[01]\b/.test(text)
}
