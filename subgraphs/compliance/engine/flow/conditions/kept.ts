/** What a condition leaves of a text or of a list: `names.filter((n) => LIST.has(n))`, `back?.takeIf { isLocal(it) }`. */
import type { Argument, Call, Ir } from '../../syntax/ir.js'
import { copyEnvironment } from '../environment.js'
import type { Flow, Frame } from '../state.js'
import { cleaned, deepOrigins, unknown, type Value } from '../values/value.js'
import { lastOf } from './narrow-some.js'

/** The result of the call, clean for what its condition asks of what it keeps. */
export function keptByTest(flow: Flow, frame: Frame, call: Call, method: string, receiver: Value, value: Value): Value {
  const { keeps, leaves_out: leavesOut } = flow.book.words
  const isKept = keeps.has(method)
  const [test] = call.args
  if ((!isKept && !leavesOut.has(method)) || test === undefined || call.args.length > 1) return value
  const origins = deepOrigins(receiver)
  const asked = conditionOf(test)
  if (origins.length === 0 || asked === null || asksForPart(asked.test, asked.name)) return value
  const inner: Frame = { ...frame, env: copyEnvironment(frame.env), hits: new Map() }
  inner.env.variables.set(asked.name, { ...unknown, origins })
  flow.narrow(inner, asked.test, isKept)
  const after = inner.env.variables.get(asked.name)?.origins ?? []
  const [first, ...others] = after
  const kinds = [...(first?.clean ?? [])].filter((kind) => others.every((one) => one.clean.has(kind)))
  return kinds.length === 0 ? value : cleaned(value, kinds)
}

/** The condition with the name of what it asks about: written there, or a function by its name. */
function conditionOf({ value }: Argument): { name: string; test: Ir } | null {
  if (value.op === 'function') return { name: value.parameters[0]?.name ?? 'it', test: lastOf(value.body) }
  if (value.op !== 'name' && value.op !== 'member') return null
  const { start, end } = value
  const element: Ir = { op: 'name', name: 'it', start, end }
  return { name: 'it', test: { op: 'call', callee: value, args: [{ value: element }], isNew: false, at: start, start, end } }
}

/** `pairs.filter((pair) => LIST.has(pair[0]))`: says nothing of what else is in the pair. */
function asksForPart(ir: unknown, name: string): boolean {
  if (typeof ir !== 'object' || ir === null) return false
  if ('op' in ir && ir.op === 'index' && 'object' in ir && isNamed(ir.object, name)) return true
  return Object.values(ir).some((inner) => asksForPart(inner, name))
}

const isNamed = (ir: unknown, name: string): boolean =>
  typeof ir === 'object' && ir !== null && 'op' in ir && ir.op === 'name' && 'name' in ir && ir.name === name
