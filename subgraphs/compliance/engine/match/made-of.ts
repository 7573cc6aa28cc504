/**
 * Whether an expression is built from nothing but what anybody knows: ids, names and times, constants, and calls that join, write or hash
 * them. One part that is not known to be such may be a secret, so then it is not.
 */
import type { Flow } from '../flow/state.js'
import { compileRegex } from '../rulebook/safe-regex.js'
import type { Call, Ir } from '../syntax/ir.js'
import { nodesOf } from './nodes.js'
import { writtenName } from './subject.js'

export interface MadeOf {
  /** The last part of what is known. */
  readonly names: string
  /** Last words of calls that are known by themselves, as the time is. */
  readonly known: string
  /** Last words of calls that only join, write or hash what they are given. */
  readonly calls: string
}

/** Variables are followed to what they were given, so far. */
const reach = 3

export function isMadeOf(flow: Flow, wanted: MadeOf, ir: Ir): boolean {
  const parts = { known: 0 }
  return isAll(flow, wanted, ir, parts, reach) && parts.known > 0
}

function isAll(flow: Flow, wanted: MadeOf, ir: Ir, parts: { known: number }, left: number): boolean {
  const all = (list: readonly Ir[]): boolean => list.every((one) => isAll(flow, wanted, one, parts, left))
  switch (ir.op) {
    case 'literal':
      return true
    case 'name':
    case 'member':
      if (compileRegex(wanted.names).test(ir.op === 'name' ? ir.name : ir.property)) return (parts.known += 1) > 0
      return ir.op === 'name' && left > 0 && isAssigned(flow, wanted, ir, parts, left - 1)
    case 'call':
      return isCall(flow, wanted, ir, parts, all)
    case 'concat':
      return all(ir.parts)
    case 'binary':
      return all([ir.left, ir.right])
    case 'unary':
      return all([ir.operand])
    case 'cast':
      return all([ir.value])
    case 'index':
      return all([ir.object])
    case 'collection':
      return all(ir.entries.map(({ value }) => value))
    default:
      return false
  }
}

function isCall(
  flow: Flow,
  { known, calls }: MadeOf,
  ir: Call,
  parts: { known: number },
  all: (list: readonly Ir[]) => boolean,
): boolean {
  const { callee, args } = ir
  const name = callee.op === 'member' ? callee.property : callee.op === 'name' ? callee.name : ''
  if (compileRegex(known).test(name)) return (parts.known += 1) > 0
  if (!compileRegex(calls).test(name)) return false
  // `hashlib.md5`, `Buffer.from`: the name of a module or a class; else a value of which it is called.
  const on = callee.op === 'member' && !isModule(flow, callee.object) ? [callee.object] : []
  return all([...on, ...args.map(({ value }) => value)])
}

const isModule = ({ text }: Flow, ir: Ir): boolean => {
  const root = writtenName(ir)
  return (
    root !== null &&
    ir.op !== 'call' &&
    /^(?:[A-Z]\w*|hashlib|crypto|hash|hex|base64|binascii|fmt|strings|strconv|json|md5|sha1|sha256|zlib|urllib)(?:\.|$)/.test(
      text.slice(ir.start, ir.end),
    )
  )
}

/** A variable that is given one thing only. */
function isAssigned(
  flow: Flow,
  wanted: MadeOf,
  ir: Extract<Ir, { op: 'name' }>,
  parts: { known: number },
  left: number,
): boolean {
  const around = [...flow.callsInside.keys()]
    .filter(({ start, end }) => start <= ir.start && ir.end <= end)
    .toSorted((a, b) => b.start - a.start)
  const [inner] = around
  if (inner === undefined) return false
  const given = nodesOf(inner.body).filter(
    (one) => one.op === 'assign' && one.target.op === 'name' && one.target.name === ir.name,
  )
  const [only] = given
  return (
    only?.op === 'assign' &&
    given.length === 1 &&
    only.operator === '=' &&
    only.value !== null &&
    isAll(flow, wanted, only.value, parts, left)
  )
}
