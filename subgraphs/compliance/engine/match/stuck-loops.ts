/**
 * Loops that stay where they are: `while (at < n) { ...; at += p[at + 1]; }` for ever reads the same record once a step is zero, and
 * `while (at < n) { got = read(...); if (got > 0) at += got; }` never hears that nothing comes any more.
 */
import type { Flow } from '../flow/state.js'
import type { Assign, Ir, Lambda, Loop } from '../syntax/ir.js'
import { matchesAnyName } from './constraints.js'
import { deafReads } from './deaf-reads.js'
import { endlessReads, ownFunctions } from './endless-reads.js'
import { namesIn, nodesOf } from './nodes.js'
import { writtenName } from './subject.js'

export interface StuckLoop {
  /** Calls that answer how much they have read, nothing at the end. */
  readonly reads: readonly string[]
  /** Calls that answer a number which stands in the data. */
  readonly numbers: readonly string[]
}

/** The steps that may be none. */
export const stuckLoops = (flow: Flow, lambda: Lambda, wanted: StuckLoop): readonly Ir[] =>
  nodesOf(lambda.body).flatMap((ir) => {
    if (ir.op !== 'loop' || ir.iterable !== null) return []
    const steps = stepsOf(flow, ir, wanted)
    if (steps.length > 0) return steps
    const own = ownFunctions(flow)
    const endless = endlessReads(flow, ir, wanted.reads, own)
    return endless.length > 0 ? endless : deafReads(flow, ir, wanted.reads, own)
  })

function stepsOf(flow: Flow, loop: Loop, wanted: StuckLoop): readonly Ir[] {
  if (loop.test === null) return []
  const inside = [loop.body, ...(loop.update === null ? [] : [loop.update])].flatMap((ir) => nodesOf(ir))
  const positions = new Set(nodesOf(loop.test).flatMap((ir) => (ir.op === 'name' ? [ir.name] : [])))
  const changes = inside.filter(
    (ir): ir is Assign => ir.op === 'assign' && ir.target.op === 'name' && positions.has(ir.target.name),
  )
  const [step] = changes
  if (step === undefined || changes.length > 1 || step.target.op !== 'name' || step.declares) return []
  const by = stepOf(step, step.target.name)
  if (by === null) return []
  const isStuck = isFromData(flow, inside, by, step.target.name, wanted) || isRest(flow, inside, step, by, wanted)
  return isStuck ? [step] : []
}

/** What `at += n` and `at = at + n` add. */
function stepOf({ value, operator }: Assign, name: string): Ir | null {
  if (value === null || operator === '+') return operator === '+' ? value : null
  if (operator !== '=' || value.op !== 'binary' || value.operator !== '+') return null
  return isName(value.left, name) ? value.right : isName(value.right, name) ? value.left : null
}

const written = ({ text }: Flow, { start, end }: Ir): string => text.slice(start, end).replaceAll(/\s/g, '')
const isComparison = (ir: Ir): boolean => ir.op === 'binary' && /^(?:[<>]=?|[!=]==?)$/.test(ir.operator)
const isName = (ir: Ir, name: string): boolean => ir.op === 'name' && ir.name === name
/** Read at the position itself, and compared with nothing. */
function isFromData(flow: Flow, inside: readonly Ir[], by: Ir, position: string, { numbers }: StuckLoop): boolean {
  const isRead = (ir: Ir): boolean => isReadAt(flow, withoutCast(ir), position, numbers)
  const value = withoutCast(by)
  if (value.op !== 'name')
    return isRead(value) && !inside.some((ir) => isComparison(ir) && written(flow, ir).includes(written(flow, value)))
  const given = inside.filter((ir): ir is Assign => ir.op === 'assign' && isName(ir.target, value.name))
  return given.length === 1 && given[0]?.value != null && isRead(given[0].value) && !isAsked(inside, value.name)
}

/** `p[at + 1]`, `word(at: at)`, `p[at] << 8 | p[at + 1]`; a number that is added makes a step of it. */
function isReadAt(flow: Flow, value: Ir, position: string, numbers: readonly string[]): boolean {
  if (value.op === 'index') return namesIn(value.index).includes(position)
  if (value.op === 'binary' && /^(?:[&|]|<<)$/.test(value.operator))
    return [value.left, value.right].some((one) => isReadAt(flow, withoutCast(one), position, numbers))
  if (value.op !== 'call' || !matchesAnyName(numbers, writtenName(value.callee), flow.book.ignoreCase)) return false
  return value.args.some((arg) => namesIn(arg.value).includes(position))
}

/** `Int(x)`, `(size_t)x`, `try x`, and what the lowering of C says of a value. */
function withoutCast(ir: Ir): Ir {
  if (ir.op === 'cast') return withoutCast(ir.value)
  if (ir.op === 'unary' && casts.test(ir.operator)) return withoutCast(ir.operand)
  const [only] = ir.op === 'call' && ir.args.length === 1 && ir.callee.op === 'name' && casts.test(ir.callee.name) ? ir.args : []
  return only === undefined ? ir : withoutCast(only.value)
}

const casts = /^(?:#\w+|U?Int(?:8|16|32|64)?|u?int(?:8|16|32|64)?(?:_t)?|size_t|[ui](?:size|8|16|32|64)|try[!?]?)$/

const isAsked = (inside: readonly Ir[], name: string): boolean =>
  inside.some(
    (ir) =>
      ((ir.op === 'if' || ir.op === 'loop') && ir.test !== null && namesIn(ir.test).includes(name)) ||
      (isComparison(ir) && namesIn(ir).includes(name)) ||
      (ir.op === 'call' && !casts.test(ir.callee.op === 'name' ? ir.callee.name : '') && namesIn(ir).includes(name)),
  )

/** The rest of a read that is only added where it is more than nothing, in a loop without another end. */
function isRest(flow: Flow, inside: readonly Ir[], step: Assign, by: Ir, { reads }: StuckLoop): boolean {
  if (by.op !== 'name' || inside.some((ir) => ir.op === 'jump' && ir.kind !== 'continue')) return false
  const isRead = inside.some(
    (ir) =>
      ir.op === 'assign' &&
      isName(ir.target, by.name) &&
      ir.value?.op === 'call' &&
      matchesAnyName(reads, writtenName(ir.value.callee), flow.book.ignoreCase),
  )
  return (
    isRead &&
    inside.some(
      (ir) => ir.op === 'if' && ir.otherwise === null && namesIn(ir.test).includes(by.name) && nodesOf(ir.then).includes(step),
    )
  )
}
