/** Conditions about some element: `list.some(one => one === x)`, `url.host.exists(allowed)`. */
import type { Call, Ir, Lambda } from '../../syntax/ir.js'
import type { CallSite } from '../calls/call-site.js'
import { copyEnvironment } from '../environment.js'
import type { Flow, Frame } from '../state.js'
import { constantValue, deepOrigins, originAt, unknown, type Value } from '../values/value.js'
import { isAllowlist } from './allowlist.js'
import { cleanAddress, isHost } from './narrow-clean.js'

export const lastOf = (ir: Ir): Ir => {
  const last = ir.op === 'block' ? ir.body.at(-1) : ir.op === 'jump' ? ir.value : null
  return last == null ? ir : lastOf(last)
}

/** Stands for any element of a list of constants; no text of a program equals it. */
const anElement = '\0element'

/** The element counts as a constant when all of the list's are; a host that may be missing is the element itself. */
export function narrowSome(flow: Flow, frame: Frame, call: Call, { receiver }: CallSite): void {
  const test = call.args[0]?.value
  const host = hostAsked(flow, frame, call)
  if (host !== null) {
    if (test !== undefined && isListed(flow, frame, test)) cleanAddress(flow, frame, host)
    return
  }
  const lambda = call.args.find(({ value }) => value.op === 'function')?.value
  if (lambda?.op !== 'function') return
  const isKnown = receiver?.ir != null && isAllowlist(flow, frame, receiver.ir)
  withElement(frame, lambda, isKnown ? constantValue(anElement) : unknown, () => {
    flow.narrow(frame, lastOf(lambda.body), true)
  })
}

function withElement(frame: Frame, lambda: Lambda, value: Value, work: () => void): void {
  const name = lambda.parameters[0]?.name ?? 'it'
  const old = frame.env.variables.get(name)
  frame.env.variables.set(name, value)
  work()
  if (old === undefined) frame.env.variables.delete(name)
  else frame.env.variables.set(name, old)
}

/** Scala: the host of `url.host.exists(...)` and `url.host.map(_.value).exists(...)`. */
export function hostAsked(flow: Flow, frame: Frame, { callee }: Call): Ir | null {
  if (callee.op !== 'member' || callee.property !== 'exists') return null
  const { object } = callee
  const isMapped = object.op === 'call' && object.callee.op === 'member' && flow.book.words.maps.has(object.callee.property)
  const host = isMapped && object.callee.op === 'member' ? object.callee.object : object
  return isHost(flow, host, flow.evaluate(frame, host)) ? host : null
}

/** `allowed`, `allowed.contains`, `host => allowed(host.value)` */
function isListed(flow: Flow, frame: Frame, test: Ir): boolean {
  if (test.op === 'member' && flow.book.words.contains.has(test.property)) return isAllowlist(flow, frame, test.object)
  if (test.op !== 'function') return isAllowlist(flow, frame, test)
  const name = test.parameters[0]?.name ?? 'it'
  const inner: Frame = { ...frame, env: copyEnvironment(frame.env), hits: new Map() }
  inner.env.variables.set(name, { ...unknown, origins: [originAt('param', test.start, test.end)] })
  flow.narrow(inner, lastOf(test.body), true)
  const after = inner.env.variables.get(name)
  const asked = after === undefined ? [] : deepOrigins(after)
  return asked.length > 0 && asked.every(({ clean }) => clean.has('ssrf') || clean.has('*'))
}
