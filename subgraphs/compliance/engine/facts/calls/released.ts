/** Functions of the file that free a record: what they name of it on the way is theirs to free. */
import { endObject } from '../memory/checks.js'
import { release } from '../memory/elements.js'
import { isConstant } from '../numbers/linear.js'
import type { Expr, FunctionIr } from '../program.js'
import { type Run, objectOf, unknownOf } from '../run.js'
import { type State, unknownValue, type Value } from '../state.js'

/** A helper of a helper of a helper. */
const MOST_HOPS = 3

/** All of its elements. */
const ALL = '[]'

/** Fields of what a parameter points to that the function names, itself or in functions of the file that it hands the parameter on to. */
function namedFields(run: Run, fn: FunctionIr, at: number, hops = 0): ReadonlySet<string> {
  const name = fn.parameters[at]?.name ?? ''
  const found = new Set<string>()
  if (!/^\w+$/.test(name)) return found
  for (const [, by, field] of run.text
    .slice(fn.start, fn.end)
    .matchAll(new RegExp(`\\b${name}\\s*(?:(\\[)|(?:->|\\.)\\s*(\\w+))`, 'g')))
    found.add(by === undefined ? (field ?? '') : ALL)
  for (const call of hops < MOST_HOPS ? fn.calls : []) {
    const to = call.args.findIndex((one) => one.op === 'variable' && one.name === name)
    const inner = to < 0 ? undefined : run.functions.get(call.name)
    if (inner !== undefined && inner !== fn) for (const one of namedFields(run, inner, to, hops + 1)) found.add(one)
  }
  return found
}

const known = new WeakMap<FunctionIr, Map<number, ReadonlySet<string>>>()

/** `record_free(r)`: whether each of its fields was freed on each way depends on what they held. */
export function releaseFields(run: Run, state: State, fn: FunctionIr, at: number, { to }: Value): void {
  const [only, ...others] = to ?? []
  if (only === undefined || others.length > 0) return
  const ofFn = known.get(fn) ?? new Map<number, ReadonlySet<string>>()
  known.set(fn, ofFn)
  const fields = ofFn.get(at) ?? namedFields(run, fn, at)
  ofFn.set(at, fields)
  for (const [place, value] of state.places()) {
    if (value.to === null || !place.startsWith(only.object)) continue
    const rest = place.slice(only.object.length)
    const field = /^\.(\w+)/.exec(rest)?.[1]
    if (field === undefined ? fields.has(ALL) && /^(?:\[|$)/.test(rest) : fields.has(field)) release(run, state, value)
  }
}

const setters = new WeakMap<FunctionIr, Map<string, boolean>>()

/** Whether it, or a function of the file that it calls, gives a variable or field of this name another value. */
function sets(run: Run, fn: FunctionIr, name: string, hops = 0): boolean {
  const ofFn = setters.get(fn) ?? new Map<string, boolean>()
  setters.set(fn, ofFn)
  const key = `${hops} ${name}`
  const isSetting =
    ofFn.get(key) ??
    (new RegExp(`\\b${name}\\s*=[^=]`).test(run.text.slice(fn.start, fn.end)) ||
      (hops < MOST_HOPS &&
        fn.calls.some((call) => {
          const inner = run.functions.get(call.name)
          return inner !== undefined && inner !== fn && sets(run, inner, name, hops + 1)
        })))
  ofFn.set(key, isSetting)
  return isSetting
}

/** `while (sessions) session_free(sessions);`: what takes its head out of a list before it frees it has set another one. */
export function moveHeads(run: Run, state: State, fn: FunctionIr, { to }: Value): void {
  const [only, ...others] = to ?? []
  if (only === undefined || others.length > 0) return
  for (const [place, held] of state.places()) {
    const name = /(?:^::|\.)(\w+)$/.exec(place)?.[1]
    const isHead = name !== undefined && held.to?.length === 1 && held.to[0]?.object === only.object
    if (isHead && sets(run, fn, name)) state.set(place, unknownValue)
  }
}

/** `close_session(s)` has freed `s->name`. */
export function freeFields(run: Run, state: State, call: Expr, fields: ReadonlySet<string>, args: readonly Value[]): void {
  for (const key of fields) {
    const [at, field = ''] = key.split(' ')
    const [only] = args[Number(at)]?.to ?? []
    if (only === undefined || args[Number(at)]?.to?.length !== 1 || objectOf(state, only.object).life === 'freed') continue
    // `clear(&all[i])`: which of the elements it is nobody knows the next time.
    if (only.at !== null && !isConstant(only.at)) continue
    const by = only.at?.constant ?? 0
    const place = by === 0 ? `${only.object}.${field}` : `${only.object}[${by}].${field}`
    const value = state.value(place) ?? unknownOf(run, state, `${place} ${state.epoch}`, null)
    const held = value.to === null ? unknownOf(run, state, `${place} ${state.epoch}`, null) : value
    state.set(place, held)
    endObject(run, state, held, 'own', call)
  }
}
