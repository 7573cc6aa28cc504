/** Functions that are called with a value to keep: `setX` of a state, and `resolve` of `new Promise((resolve) => ...)`. */
import { lookup } from '../environment.js'
import { ask } from '../questions.js'
import type { Flow } from '../state.js'
import { deepOrigins, joinOrigins, joinValues, unknown, type Value } from '../values/value.js'
import type { CallSite } from './call-site.js'

/** No variable of a program begins so. */
const mark = '%settled'

/** `setX(v)` assigns `x`, now or later: what it was stays possible. */
export function assignState({ frame, args }: CallSite, name: string): void {
  const given = args[0]?.subject.value ?? unknown
  const old = lookup(frame.env, name) ?? unknown
  const origins = joinOrigins(old.origins, deepOrigins(given))
  const isFirst = name.startsWith(mark) && old === unknown
  const after = isFirst ? given : name.startsWith(mark) ? joinValues(old, given) : { ...old, origins }
  frame.env.variables.set(name, { ...after, constant: undefined })
}

/** The first parameter of the function that is to settle a promise. */
export function settlerOf({ book }: Flow, { isNew, method, start, frame }: CallSite): Value | null {
  if (!isNew || !book.words.settles.has(method)) return null
  const name = `${mark}${start}`
  frame.env.variables.set(name, unknown)
  return { ...unknown, setter: name }
}

/** What it was settled with is what the promise holds. */
export function withSettled({ book }: Flow, { isNew, method, start, frame }: CallSite, result: Value): Value {
  if (!isNew || !book.words.settles.has(method)) return result
  const settled = frame.env.variables.get(`${mark}${start}`)
  frame.env.variables.delete(`${mark}${start}`)
  return settled === undefined || settled === unknown ? result : joinValues(settled, { ...result, path: settled.path })
}

/** `stream.on('data', ...)` in a function that is given some stream: its caller knows whether it is a request. */
export function askType(flow: Flow, { frame, method, receiver }: CallSite): void {
  if (receiver !== null && receiver.value.type === undefined && flow.book.typeAsked.has(method))
    ask(frame, 'type', receiver.value)
}
