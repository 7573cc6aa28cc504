/** Where counters of loops start and end: `while (n != 0) free(a[--n]);` never goes below zero when it began above it. */
import { type Linear, constant, isSame, symbolic } from '../numbers/linear.js'
import { atMost, freshSymbol, rangeOf } from '../numbers/numbers.js'
import type { Expr, Loop, Statement } from '../program.js'
import type { Counter, Run } from '../run.js'
import type { State } from '../state.js'

/** The number that ends the loop when a variable is equal to it at the beginning of a round; `null` when none does. */
function endOf(test: Expr, name: string): number | null {
  if (test.op === 'cast') return endOf(test.value, name)
  if (test.op === 'binary' && test.operator === '&&') return endOf(test.left, name) ?? endOf(test.right, name)
  if (test.op === 'binary' && test.operator === '!=')
    return test.right.op === 'number'
      ? endOfCounter(test.left, name, test.right.value)
      : test.left.op === 'number'
        ? endOfCounter(test.right, name, test.left.value)
        : null
  return endOfCounter(test, name, 0)
}

function endOfCounter(expr: Expr, name: string, end: number): number | null {
  if (expr.op === 'cast') return endOfCounter(expr.value, name, end)
  if (expr.op === 'variable') return expr.isLocal && expr.name === name ? end : null
  if (expr.op !== 'step' || expr.by !== -1 || expr.target.op !== 'variable' || expr.target.name !== name) return null
  return expr.isBefore ? end + 1 : end
}

/** Whether a place is in a loop within this statement. */
function isLooped(statement: Statement | null, at: number): boolean {
  if (statement === null || at < statement.start || at >= statement.end) return false
  switch (statement.op) {
    case 'loop':
      return true
    case 'block':
      return statement.body.some((one) => isLooped(one, at))
    case 'if':
      return isLooped(statement.then, at) || isLooped(statement.otherwise, at)
    case 'label':
      return isLooped(statement.body, at)
    case 'either':
      return statement.branches.some((one) => isLooped(one, at))
    case 'switch':
      return statement.cases.some(({ body }) => body.some((one) => isLooped(one, at)))
    case 'try':
      return isLooped(statement.body, at) || statement.handlers.some((one) => isLooped(one, at))
    default:
      return false
  }
}

/** One step in each round at most, so that no number is left out. */
function isSteppedOnce(run: Run, { start, end, body }: Loop, name: string): boolean {
  const [only, other] = (run.frame.fn.assigned.get(name) ?? []).filter((at) => at >= start && at < end)
  return only !== undefined && other === undefined && !isLooped(body, only)
}

/** Notes at the beginning of any round that a variable which only goes down by one has not passed the end. */
export function keepAbove(run: Run, state: State, loop: Loop, name: string, by: number, from: Linear, now: Linear | null): void {
  const end = by === -1 && loop.test !== null ? endOf(loop.test, name) : null
  if (end === null || now === null || !isSteppedOnce(run, loop, name)) return
  // The first round of `do` comes before the question.
  const least = loop.bodyFirst ? end + 1 : end
  if (rangeOf(run.symbols, state, from).low >= least) atMost(run.symbols, state, constant(least), now, false)
}

/** `if (bad) goto out; i = 1; if (worse) goto out; ... out: while (i--)`: each way to the loop starts elsewhere. */
export function noteApart(run: Run, state: State, all: Map<string, Counter>, own: ReadonlyMap<string, Counter>): void {
  for (const [place, { start }] of own) {
    const counter = all.get(place)
    if (counter === undefined || (isSame(counter.start, start) && counter.apart === null)) continue
    const [a, b] = [counter.apart ?? rangeOf(run.symbols, state, counter.start), rangeOf(run.symbols, state, start)]
    counter.apart = { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) }
  }
}

/** Behind the first round nobody knows from which of the ways a state came. */
export function anyStart(run: Run, state: State, { symbol, apart }: Counter, place: string): Linear {
  const name = `${place} start of ${symbol}`
  if (state.range(name) === undefined) {
    const { low, high } = apart ?? { low: -Infinity, high: Infinity }
    state.setRange(name, { low, high, isTight: false, most: null, isChecked: true })
  }
  return run.symbols.has(name) ? symbolic(name) : freshSymbol(run.symbols, name, apart ?? {})
}
