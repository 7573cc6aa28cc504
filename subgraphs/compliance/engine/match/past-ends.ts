/**
 * Loops that count up to the size of a list, itself included, and read the list at each number: `i <= a.length`, `0..a.size`.
 *
 * Only where the body looks at the number in no other condition, because that may be what keeps it inside of the list.
 */
import type { Flow } from '../flow/state.js'
import type { Call, Ir, Lambda, Loop } from '../syntax/ir.js'
import { matchesText } from './constraints.js'
import { nodesOf } from './nodes.js'

export interface PastEnd {
  /** Last words of what counts the elements: `length`, `size`. */
  readonly sizes: string
  /** Last words of calls that are given a place: `get`, `charAt`; an empty one is the list itself (`a(i)`). */
  readonly gets: readonly string[]
  /** What makes a range that holds its end: `..`, `to`. */
  readonly ranges: readonly string[]
}

interface Counter {
  readonly name: string
  /** The list whose size is the last number, as it is written. */
  readonly list: string
  readonly body: Ir
}

/** The first place that reads behind the end, of each such loop. */
export function pastEnds(flow: Flow, lambda: Lambda, wanted: PastEnd): readonly Ir[] {
  const nodes = nodesOf(lambda.body)
  return nodes.flatMap((ir) => {
    const counter = ir.op === 'loop' ? counterOf(flow, ir, wanted) : boundOf(flow, ir, wanted)
    if (counter === null) return []
    const inside = nodesOf(counter.body)
    const use = inside.find((one) => isUse(flow, one, counter, wanted))
    if (use === undefined || inside.some((one) => keepsInside(flow, one, counter, wanted))) return []
    return [use]
  })
}

function counterOf(flow: Flow, loop: Loop, wanted: PastEnd): Counter | null {
  const { test, target, iterable, body } = loop
  if (target?.op === 'name' && iterable !== null) return rangeOf(flow, target.name, iterable, body, wanted)
  if (test?.op !== 'binary' || test.operator !== '<=' || test.left.op !== 'name' || loop.update === null) return null
  const list = sizedBy(flow, test.right, wanted)
  return list === null ? null : { name: test.left.name, list, body }
}

/** A loop that is written as a call over a range: its number is bound in front of the body. */
function boundOf(flow: Flow, ir: Ir, wanted: PastEnd): Counter | null {
  if (ir.op !== 'block' || ir.body.length < 2) return null
  const first = ir.body[0]
  if (first?.op !== 'assign' || first.target.op !== 'name' || !isElement(first.value)) return null
  const [range] = first.value.args
  return range === undefined ? null : rangeOf(flow, first.target.name, range.value, ir, wanted)
}

/** `0..a.size`, `0 to a.length` */
function rangeOf(flow: Flow, name: string, range: Ir, body: Ir, wanted: PastEnd): Counter | null {
  const { ranges } = wanted
  const last =
    range.op === 'binary' && ranges.includes(range.operator)
      ? range.right
      : range.op === 'call' && range.callee.op === 'member' && ranges.includes(range.callee.property)
        ? range.args[0]?.value
        : undefined
  const list = last === undefined ? null : sizedBy(flow, last, wanted)
  return list === null ? null : { name, list, body }
}

/** `a.length`, `a.size()` */
function sizedBy(flow: Flow, ir: Ir, { sizes }: PastEnd): string | null {
  const member = ir.op === 'call' && ir.args.length === 0 ? ir.callee : ir
  if (member.op !== 'member' || !matchesText(sizes, member.property)) return null
  return writtenAt(flow, member.object)
}

const writtenAt = ({ text }: Flow, { start, end }: Ir): string => text.slice(start, end).replaceAll(/\s/g, '')
const isName = (ir: Ir | undefined, name: string): boolean => ir?.op === 'name' && ir.name === name

/** `a[i]`, `a.get(i)`, `a(i)` */
function isUse(flow: Flow, ir: Ir, { name, list }: Counter, { gets }: PastEnd): boolean {
  if (ir.op === 'index') return isName(ir.index, name) && writtenAt(flow, ir.object) === list
  if (ir.op !== 'call' || ir.args.length !== 1 || !isName(ir.args[0]?.value, name)) return false
  const { callee } = ir
  if (gets.includes('') && writtenAt(flow, callee) === list) return true
  return callee.op === 'member' && gets.includes(callee.property) && writtenAt(flow, callee.object) === list
}

/** Another look at the number, a jump, or a list that may change on the way. */
function keepsInside(flow: Flow, ir: Ir, { name, list }: Counter, { gets }: PastEnd): boolean {
  if (ir.op === 'binary' && /^(?:[<>]=?|[!=]==?)$/.test(ir.operator))
    return [ir.left, ir.right].some((side) => isName(side, name))
  if (ir.op === 'try' || (ir.op === 'jump' && ir.kind === 'break')) return true
  if (ir.op === 'assign') return isName(ir.target, name) ? !isElement(ir.value) : writtenAt(flow, ir.target) === list
  if (ir.op !== 'call' || ir.callee.op !== 'member' || ir.args.length === 0) return false
  return writtenAt(flow, ir.callee.object) === list && !gets.includes(ir.callee.property)
}

const isElement = (ir: Ir | null): ir is Call => ir?.op === 'call' && ir.callee.op === 'name' && ir.callee.name === '%element'
