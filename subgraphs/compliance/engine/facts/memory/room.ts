/** Accesses that stay inside of what they reach into, whatever numbers come from outside: the rules on numbers need not ask about them. */
import { type Linear, add, constant, isConstant, scale, symbolic } from '../numbers/linear.js'
import { highest, lowest } from '../numbers/bounds.js'
import { limitsOf } from '../numbers/numbers.js'
import { numberValue } from '../numbers/arithmetic.js'
import type { Expr, ExprOf, Place } from '../program.js'
import type { Run } from '../run.js'
import type { State, Target, Value } from '../state.js'

/** More arguments than these belong to something that does more than making room. */
const MOST_ARGUMENTS = 3

const roomAt = (object: string, which: number): string => `room ${which} ${object}`

/**
 * `p = own_alloc(pool, n)` of another file: whether it makes room nobody sees. Who copies `n` bytes there next, or puts the zero
 * behind them, takes it for as large as that, so only larger accesses are worth a question.
 */
export function noteMade(state: State, value: Value, call: ExprOf<'call'>, args: readonly Value[]): void {
  const [only] = value.to ?? []
  if (only === undefined || value.to?.length !== 1 || args.length === 0 || args.length > MOST_ARGUMENTS) return
  const isPointer = (at: number): boolean => ['pointer', 'array'].includes(call.args[at]?.type?.kind ?? '')
  const numbers = args.flatMap(({ number }, at) => (number === null || isPointer(at) ? [] : [number]))
  const [a, b] = numbers
  const product = a === undefined || b === undefined ? null : a.terms.length === 0 ? scale(b, a.constant) : scaled(a, b)
  for (const [which, number] of [...numbers, ...(product === null ? [] : [product])].entries())
    state.set(roomAt(only.object, which), numberValue(number))
}

const scaled = (a: Linear, b: Linear): Linear | null => (b.terms.length === 0 ? scale(a, b.constant) : null)

/** Bytes that the object has at least, as far as anything says so. */
function roomsOf(state: State, object: string): Linear[] {
  const known = state.object(object)
  const made = Array.from({ length: MOST_ARGUMENTS + 1 }, (_, which) => state.value(roomAt(object, which))?.number ?? null)
  const text = known?.length == null ? null : add(known.length, constant(1))
  return [known?.size ?? null, text, ...made].filter((one) => one !== null)
}

const isUnsigned = (expr: Expr | null): boolean =>
  expr !== null && ['variable', 'field', 'cast', 'call'].includes(expr.op) && limitsOf(expr.type).low === 0

/** `pick(all, 64, at)`: an index below the parameter for which every caller has a number of its own. */
function isBelowGiven(run: Run, state: State, number: Linear | null): boolean {
  const { fn } = run.frame
  if (number === null || isConstant(number)) return false
  return fn.parameters.some(({ name, type }, at) => {
    const over = type?.kind === 'integer' ? add(number, symbolic(`&${name} 0`), -1) : null
    return over !== null && highest(run.symbols, state, over) < 0 && isFixedByCallers(run, fn.name, at)
  })
}

function isFixedByCallers({ program }: Run, name: string, at: number): boolean {
  const given = program.functions.flatMap(({ calls }) => calls.flatMap((call) => (call.name === name ? [call.args[at]] : [])))
  return given.length > 0 && given.every((one) => one !== undefined && isFixed(one))
}

function isFixed(expr: Expr): boolean {
  if (expr.op === 'binary') return isFixed(expr.left) && isFixed(expr.right)
  return expr.op === 'number' || expr.op === 'sizeof' || (expr.op === 'cast' && isFixed(expr.value))
}

/** The number that an access depends on: an index, or a length. */
interface Counted {
  readonly expr: Expr | null
  readonly number: Linear | null
}

/** Whether an access of `bytes` at a target fits; one way on which it may not is enough for the rules to ask about it. */
export function noteRoom(
  run: Run,
  state: State,
  target: Target | null | undefined,
  bytes: Linear | null,
  { expr, number }: Counted,
  { start, end }: Place,
): boolean {
  const key = `${start}:${end}`
  const last = target?.at == null || bytes === null ? null : add(target.at, bytes)
  const isCounted = isUnsigned(expr) || (number !== null && lowest(run.symbols, state, number) >= 0)
  const fits = (room: Linear): boolean => {
    const over = last === null ? null : add(last, room, -1)
    return over !== null && highest(run.symbols, state, over) <= 0
  }
  const isInside = isCounted && target != null && (roomsOf(state, target.object).some(fits) || isBelowGiven(run, state, number))
  ;(isInside ? run.fitting : run.reaching).add(key)
  return isInside
}
