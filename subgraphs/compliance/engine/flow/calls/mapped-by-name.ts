/** `names.map(escapeHtml)`, `name.map(sanitize)`: a function of elsewhere that is passed by its name. */
import type { Call, Ir } from '../../syntax/ir.js'
import type { Flow } from '../state.js'
import { cleaned, deepOrigins, unknown, type Value } from '../values/value.js'
import type { CallSite } from './call-site.js'
import { elementFor } from './elements.js'

const element = '\0each'

const calls = new WeakMap<Ir, Call>()

/** The function, called with one element. */
function callOf(named: Ir): Call {
  const { start, end } = named
  const known = calls.get(named)
  if (known !== undefined) return known
  const args = [{ value: { op: 'name', name: element, start: end, end } as const, spread: false }]
  const call: Call = { op: 'call', callee: named, args, isNew: false, at: start, start, end }
  calls.set(named, call)
  return call
}

/** What such a function makes harmless is harmless in what the mapping answers. */
export function afterNamed(flow: Flow, { frame, method, args, receiver, ...site }: CallSite, result: Value): Value {
  if (!flow.book.words.maps.has(method) || flow.narrowing > 0 || deepOrigins(result).length === 0) return result
  const named = args.find(({ subject: { ir, value } }) => isNamedFunction(ir, value))?.subject.ir
  if (named == null) return result
  const given = elementFor(flow, { frame, method, args, receiver, ...site })
  const origins = deepOrigins(given)
  if (origins.length === 0) return result
  frame.env.variables.set(element, { ...unknown, origins })
  const made = deepOrigins(flow.evaluate(frame, callOf(named)))
  frame.env.variables.delete(element)
  const [first] = made
  if (first === undefined) return { ...result, origins: [], fields: undefined }
  const kinds = [...first.clean].filter((kind) => made.every((one) => one.clean.has(kind)))
  return kinds.length === 0 ? result : cleaned(result, kinds)
}

const isNamedFunction = (ir: Ir | null, value: Value): boolean =>
  (ir?.op === 'name' || ir?.op === 'member') && value.func === undefined && deepOrigins(value).length === 0
