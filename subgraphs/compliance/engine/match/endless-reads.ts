/**
 * Loops that read on although nothing comes any more: `while len(data) < n: data += sock.recv(n)` adds nothing once the other side has
 * hung up, and asks for the rest for ever.
 *
 * Whether the loop ends must rest on what was gathered alone. A test of what a read has answered, or of anything that may change by itself,
 * is an end; so is a call that is not known to leave the loop alone.
 */
import type { Flow } from '../flow/state.js'
import type { Assign, Call, Ir, Lambda, Loop } from '../syntax/ir.js'
import { matchesAnyName } from './constraints.js'
import { namesIn, nodesOf } from './nodes.js'
import { writtenName } from './subject.js'

interface Walk {
  readonly flow: Flow
  /** All of the loop, without what functions inside do later. */
  readonly nodes: readonly Ir[]
  readonly calls: ReadonlySet<Call>
  /** What the reads answer. */
  readonly chunks: ReadonlySet<string>
  /** What is gathered of it, and counts of it. */
  readonly gathered: ReadonlySet<string>
}

/** Say how much there is, or look for something in it. */
const measures =
  /^(?:[#%]\w+|len|Length|Count|length|size|sizeof|strlen|count|byteLength|min|max|Min|Max|cap|indexOf|includes|find|contains|has_suffix|endsWith|endswith|startsWith|startswith|subarray|slice|alloc|allocUnsafe|str_contains|strpos|usize|u64|u32|int|uint|int64|uint64|Int|range|make)$/

/** Put it to the rest. */
const puts = /^(?:extend|append|push|write|update|concat|add|put|put_slice|extend_from_slice|Write|Append|AddRange|array_push)$/

/** The first read of a loop that hears no end. */
export function endlessReads(flow: Flow, loop: Loop, reads: readonly string[], own: ReadonlySet<string>): readonly Ir[] {
  if (loop.test === null && loop.update !== null) return []
  const nodes = [loop.body, ...(loop.update === null ? [] : [loop.update])].flatMap((ir) => nodesOf(ir))
  const calls = new Set(nodes.filter((ir): ir is Call => ir.op === 'call' && isRead(flow, ir, reads, own)))
  const [first] = calls
  if (first === undefined || nodes.some((ir) => ir.op === 'function' || ir.op === 'switch' || ir.op === 'try')) return []
  const chunks = new Set(nodes.flatMap((ir) => (ir.op === 'assign' && isFrom(calls, ir) ? answersOf(ir) : [])))
  const isPart = (ir: Ir): boolean =>
    nodesOf(ir).some((one) => (one.op === 'name' && chunks.has(one.name)) || (one.op === 'call' && calls.has(one)))
  const gathered = new Set(nodes.flatMap((ir) => gatheredBy(ir, isPart)))
  const walk: Walk = { flow, nodes, calls, chunks, gathered }
  const leaving = new Set(nodes.flatMap((ir) => (ir.op === 'jump' && ir.kind !== 'yield' ? nodesOf(ir) : [])))
  if (gathered.size === 0 || !nodes.every((ir) => leaving.has(ir) || isHarmless(walk, ir))) return []
  return isEndedByRest(walk, loop) ? [first] : []
}

/** Not what the file or the object itself calls so: that may refuse an end. */
export function isRead(flow: Flow, { callee }: Call, reads: readonly string[], own: ReadonlySet<string>): boolean {
  if (!matchesAnyName(reads, writtenName(callee), flow.book.ignoreCase)) return false
  if (callee.op === 'name') return !own.has(callee.name)
  return callee.op !== 'member' || callee.object.op !== 'name' || !isSelf(flow, callee.object.name)
}

export const isSelf = ({ table }: Flow, name: string): boolean => name === 'this' || table?.self.includes(name) === true

function isFrom(calls: ReadonlySet<Call>, { value, operator }: Assign): boolean {
  const from = value === null ? null : bare(value)
  return operator === '=' && from?.op === 'call' && calls.has(from)
}

/** Go: `n, err = r.Read(b)` hears of the end through the error. */
const answersOf = ({ target, failure }: Assign): readonly string[] =>
  failure === undefined ? namesIn(target) : [...namesIn(target), failure]

/** `await x`, `(size_t)x`, `try x`. */
function bare(ir: Ir): Ir {
  if (ir.op === 'cast') return bare(ir.value)
  return ir.op === 'unary' && /^(?:await|try[!?]?)$/.test(ir.operator) ? bare(ir.operand) : ir
}

/** `data += part`, `data = data + part`, `left -= len(part)`, `data.extend(part)`. */
function gatheredBy(ir: Ir, isPart: (ir: Ir) => boolean): string[] {
  if (ir.op === 'call')
    return ir.callee.op === 'member' &&
      ir.callee.object.op === 'name' &&
      puts.test(ir.callee.property) &&
      ir.args.some(({ value }) => isPart(value))
      ? [ir.callee.object.name]
      : []
  if (ir.op !== 'assign' || ir.target.op !== 'name' || ir.value === null) return []
  const { name } = ir.target
  if (ir.operator !== '=') return isPart(ir.value) ? [name] : []
  const adds = ir.value.op === 'binary' && /^[-+.]$/.test(ir.value.operator)
  return adds && isPart(ir.value) && namesIn(ir.value).includes(name) ? [name] : []
}

/** Nothing else ends the loop, is asked about the answer, or changes what the loop asks about. */
function isHarmless(walk: Walk, ir: Ir): boolean {
  const { calls, chunks, gathered } = walk
  if (ir.op === 'jump') return false
  if (ir.op === 'if') return isOfGathered(walk, ir.test)
  if (ir.op === 'loop' || ir.op === 'class') return false
  if (ir.op === 'binary') return !isTest(ir.operator) || !namesIn(ir).some((name) => chunks.has(name))
  if (ir.op === 'call') return calls.has(ir) || isQuiet(ir)
  if (ir.op !== 'assign' || ir.target.op !== 'name' || !gathered.has(ir.target.name)) return true
  return ir.operator !== '=' || (ir.value?.op === 'binary' && namesIn(ir.value).includes(ir.target.name))
}

const isTest = (operator: string): boolean =>
  /^(?:[<>]=?|[!=]=?=|&&|\|\||and|or|\?\?|\?:|(?:not )?in|is(?: not)?)$/.test(operator)

function isQuiet({ callee }: Call): boolean {
  const name = callee.op === 'name' ? callee.name : callee.op === 'member' ? callee.property : ''
  return measures.test(name) || puts.test(name)
}

/** The loop goes on as long as something is missing, or until it is there. */
function isEndedByRest(walk: Walk, { test, body }: Loop): boolean {
  const isAlways = test === null || (test.op === 'literal' && Boolean(test.value))
  if (!isAlways && !isOfGathered(walk, test)) return false
  const leaves = walk.nodes.filter((ir) => ir.op === 'jump' && ir.kind !== 'continue')
  const behindTests = new Set(
    walk.nodes.flatMap((ir) =>
      ir.op === 'if' ? [ir.then, ir.otherwise].flatMap((one) => (one === null ? [] : nodesOf(one))) : [],
    ),
  )
  return leaves.every((ir) => ir !== body && behindTests.has(ir)) && (!isAlways || leaves.length > 0)
}

/** `len(data) < n`, `b"\n" not in data`: nothing in it changes but what was gathered. */
function isOfGathered({ gathered, chunks }: Walk, test: Ir): boolean {
  const nodes = nodesOf(test)
  const names = namesIn(test)
  return (
    names.some((name) => gathered.has(name)) &&
    !names.some((name) => chunks.has(name) && !gathered.has(name)) &&
    nodes.every(
      (ir) =>
        ir.op === 'name' ||
        ir.op === 'literal' ||
        ir.op === 'binary' ||
        ir.op === 'unary' ||
        (ir.op === 'member' && measures.test(ir.property)) ||
        (ir.op === 'call' && isQuiet(ir)),
    )
  )
}

const known = new WeakMap<Flow, ReadonlySet<string>>()

/** Names of functions of the file. */
export function ownFunctions(flow: Flow): ReadonlySet<string> {
  const names = known.get(flow) ?? new Set([...flow.callsInside.keys()].map(({ name }: Lambda) => name))
  known.set(flow, names)
  return names
}
