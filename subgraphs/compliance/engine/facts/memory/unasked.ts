/** C++: bytes that are taken out of a container although nobody has asked how many it holds. */
import { type Linear, add, isConstant } from '../numbers/linear.js'
import { rangeOf } from '../numbers/numbers.js'
import type { FunctionIr, Place } from '../program.js'
import { type Run, objectOf, report } from '../run.js'
import type { State, Target } from '../state.js'

const speaks = /\b(?:size|length|empty|size_bytes|remaining|resize|assign|reserve|at|insert|append|push_back)\s?\(/
const asks =
  /\b(?:size|length|size_bytes|count)\(\)\s{0,4}(?:<(?!<)|>(?!>)|[!=]=|[-+/%])|(?:[^<]<|[^->]>|[!=]=)=?\s{0,4}[\w.>-]{0,60}\b(?:size|length|size_bytes|count)\(\)|\bempty\(\)/
const trusting = /unchecked|unsafe|raw|trusted|nocheck/i

/** The parameter or the own field that holds what the target points into. */
function holderOf(state: State, { object }: Target): { readonly place: string; readonly field: string | null } | null {
  const [, place = '', elements] = /^(.*) (elements) \d+$/.exec(object) ?? []
  if (elements === undefined) return null
  const field = /^\*&this 0\.(\w+)$/.exec(place)?.[1]
  if (field !== undefined) return { place, field }
  const isParameter = /^\*&\w+ 0$/.test(place) || objectOf(state, place).by === 'parameter'
  return isParameter && !place.includes('&this') ? { place, field: null } : null
}

export const isGivenContainer = (state: State, target: Target): boolean => holderOf(state, target) !== null

/** `memcpy(&h, packet.data(), sizeof h)` */
export function checkUnasked(run: Run, state: State, target: Target, bytes: Linear, place: Place): void {
  const { fn } = run.frame
  const holder = isConstant(bytes) && bytes.constant > 0 ? holderOf(state, target) : null
  if (holder === null || trusting.test(fn.name) || speaks.test(textOf(run, fn))) return
  const known = state.value(`${holder.place} count`)?.number ?? null
  const over = known === null ? null : add(bytes, known, -1)
  if (over !== null && rangeOf(run.symbols, state, over).high <= 0) return
  const others = run.program.functions.filter((one) => one !== fn)
  if (others.some((one) => textOf(run, one).includes(`${fn.name}(`) && asks.test(textOf(run, one)))) return
  if (holder.field !== null && !isAskedBeside(run, others, holder.field)) return
  report(run, 'unasked-length', place)
}

/** Another method of the class asks, and the constructor does not. */
function isAskedBeside(run: Run, others: readonly FunctionIr[], field: string): boolean {
  const { owner } = run.frame.fn
  const asked = new RegExp(`\\b${field}\\.(?:size|length|empty)\\(`)
  const beside = others.filter((one) => owner !== null && one.owner === owner)
  const isMaker = ({ name }: FunctionIr): boolean => name === owner
  return (
    beside.every((one) => !isMaker(one) || !speaks.test(textOf(run, one))) &&
    beside.some((one) => !isMaker(one) && asked.test(textOf(run, one)))
  )
}

const textOf = ({ text }: Run, { start, end }: Place): string => text.slice(start, end)
