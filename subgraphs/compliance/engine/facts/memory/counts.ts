/** How many elements the containers of C++ hold: what is asked of an empty one, and positions behind the last one. */
import { numberValue } from '../numbers/arithmetic.js'
import { type Linear, add, constant, isConstant, symbolic, zero } from '../numbers/linear.js'
import { freshSymbol, openData, rangeOf, reached, rangeOfSymbol } from '../numbers/numbers.js'
import type { Expr, ExprOf, Loop, Place, Type } from '../program.js'
import { checkAmount, checkSize, mostOnHeap } from './checks.js'
import { type Run, modelOf, report } from '../run.js'
import { State, type Value, unknownValue } from '../state.js'

/** Those whose elements have positions from zero on. */
const sequences = new Set([
  'vector',
  'string',
  'basic_string',
  'wstring',
  'deque',
  'QVector',
  'QList',
  'QByteArray',
  'small_vector',
])
const texts = new Set(['string', 'basic_string', 'wstring'])

export const isSequence = (type: Type | null): boolean => type !== null && sequences.has(type.name)

const nameOf = (container: string): string => `${container} count`

export function countOf(run: Run, state: State, container: string): Linear {
  const known = state.value(nameOf(container))?.number
  if (known != null) return known
  const fresh = freshSymbol(run.symbols, `${nameOf(container)} ${state.epoch} ${run.symbols.size}`, { low: 0 })
  state.set(nameOf(container), numberValue(fresh))
  return fresh
}

const setCount = (state: State, container: string, count: Linear): void => state.set(nameOf(container), numberValue(count))

export const forgetCount = (state: State, container: string): void => state.forget((place) => place === nameOf(container))

/** Somebody else may have changed all containers but those that only this function knows. */
export const forgetOtherCounts = (state: State): void =>
  state.forget((place) => place.endsWith(' count') && !place.startsWith('&'))

/** `std::vector<int> v;`, `v(n)`, `v{1, 2}` */
export function declareCount(run: Run, state: State, id: string, type: Type | null, init: Expr | null): void {
  if (!isSequence(type) || type?.isReference === true) return
  forgetCount(state, id)
  if (init === null) return setCount(state, id, zero)
  const parts = init.op === 'list' ? init.items : init.op === 'opaque' ? init.parts : null
  const [first, second] = parts ?? []
  if (parts === null) return
  if (texts.has(type?.name ?? '')) {
    // `std::string s(n, '\0');`
    const { number } = first?.type?.kind === 'integer' && second?.op === 'number' ? run.evaluate(state, first) : unknownValue
    if (number !== null && first !== undefined) checkAmount(run, state, number, first, mostOnHeap)
    return
  }
  if (run.text[init.start] === '{') {
    if (parts.every(({ op }) => op === 'number')) setCount(state, id, constant(parts.length))
  } else if (first !== undefined && first.type?.kind === 'integer' && parts.length <= 2) {
    const { number } = run.evaluate(state, first)
    if (number !== null) {
      checkAmount(run, state, number, first, mostOnHeap)
      checkSize(run, state, number, first)
      setCount(state, id, number)
    }
  }
}

/** A method that asks for the number of elements or changes it; `null` when its answer is none of a number. */
export function countedCall(
  run: Run,
  state: State,
  call: ExprOf<'call'>,
  container: string,
  type: Type,
  args: readonly Value[],
): Value | null {
  if (!isSequence(type)) return null
  const count = modelOf(run, call.name)?.count
  switch (count) {
    case 'is':
      return numberValue(countOf(run, state, container))
    case 'needs':
    case 'shrinks':
      checkNotEmpty(run, state, container, call)
      if (count === 'shrinks') setCount(state, container, add(countOf(run, state, container), constant(-1)) ?? zero)
      return null
    case 'grows':
      setCount(state, container, add(countOf(run, state, container), constant(1)) ?? zero)
      return null
    case 'clears':
      setCount(state, container, zero)
      return null
    case 'sets': {
      const number = args[0]?.number ?? null
      const [first] = call.args
      if (number !== null && first !== undefined) {
        checkAmount(run, state, number, first, mostOnHeap)
        checkSize(run, state, number, first)
      }
      if (number === null) forgetCount(state, container)
      else setCount(state, container, number)
      return null
    }
    case 'keeps': {
      const [number, first] = [args[0]?.number ?? null, call.args[0]]
      if (number !== null && first !== undefined && modelOf(run, call.name)?.sizes === 0)
        checkAmount(run, state, number, first, mostOnHeap)
      return null
    }
    case 'empty':
      return null
    default:
      forgetCount(state, container)
      return null
  }
}

/** `v.front()`, `v.back()`, `v.pop_back()` */
function checkNotEmpty(run: Run, state: State, container: string, place: Place): void {
  if (mayBeEmpty(run, state, countOf(run, state, container))) report(run, 'empty-container', place)
}

/** It is empty, or it began empty and nobody has asked whether it still is. */
function mayBeEmpty(run: Run, state: State, count: Linear): boolean {
  const { low, high } = rangeOf(run.symbols, state, count)
  if (high <= 0) return true
  const [only] = count.terms
  return (
    low <= 0 &&
    count.constant === 0 &&
    count.terms.length === 1 &&
    only?.[1] === 1 &&
    run.symbols.get(only[0])?.isGrown === true &&
    !rangeOfSymbol(run.symbols, state, only[0]).isChecked
  )
}

/** `v[i]` */
export function checkPosition(
  run: Run,
  state: State,
  container: string,
  type: Type | null,
  index: Linear | null,
  access: 'read' | 'write',
  place: Place,
): void {
  if (!isSequence(type) || index === null) return
  if (openData(run.symbols, state, index).length > 0) return report(run, 'data-index', place)
  const count = countOf(run, state, container)
  const past = texts.has(type?.name ?? '') ? 0 : 1
  const over = add({ ...index, constant: index.constant + past }, count, -1)
  if (over === null) return
  const top = reached(run.symbols, state, over)
  if (rangeOf(run.symbols, state, over).low > 0 || (top !== null && isConstant(top) && top.constant > 0))
    report(run, access === 'write' ? 'overflow' : 'overread', place)
  else if (past === 1 && isConstant(index) && index.constant === 0 && mayBeEmpty(run, state, count))
    report(run, 'empty-container', place)
}

/** At the head of a loop that changes containers their numbers are open. */
export function openCounts(run: Run, state: State, loop: Loop): void {
  for (const one of loop.writes.called) {
    const [name = '', method = ''] = one.split('.')
    const { container, count } = modelOf(run, method) ?? {}
    if (method !== '' && (count === 'is' || count === 'empty' || count === 'needs' || count === 'keeps' || container === 'view'))
      continue
    for (const [place, value] of state.places()) {
      if (place !== `&${name} count` && !place.endsWith(`.${name} count`)) continue
      const isEmpty = value.number !== null && isConstant(value.number) && value.number.constant === 0
      const fresh = `${place} ${loop.start} ${run.symbols.size}`
      freshSymbol(run.symbols, fresh, { low: 0, isGrown: isEmpty && !loop.writes.isCounted && loop.each === null })
      state.set(place, { ...unknownValue, number: symbolic(fresh) })
    }
  }
}

/** `i < v.size() - 1`: no element, and the limit is the largest number there is. */
export function checkWrappedLimit(run: Run, state: State, test: Expr): void {
  if (test.op !== 'binary' || !/^[<>]=?$/.test(test.operator)) return
  const limit = test.operator.startsWith('<') ? test.right : test.left
  const { left, right } = limit.op === 'binary' && limit.operator === '-' ? limit : { left: limit, right: limit }
  if (left === right || left.op !== 'call' || left.receiver === null || modelOf(run, left.name)?.count !== 'is') return
  const type = left.receiver.type?.kind === 'pointer' ? left.receiver.type.of : left.receiver.type
  if (!isSequence(type) || right.op !== 'number' || type?.name.startsWith('Q') === true) return
  const { number } = run.evaluate(state, left)
  if (number !== null && rangeOf(run.symbols, state, number).low < right.value) report(run, 'wrapped-limit', limit)
}

/** `i >= 0` where `i` goes down and has no sign: it is always so, and behind zero comes the largest number there is. */
export function checkCountdown(run: Run, { test, writes }: Loop): void {
  if (test?.op !== 'binary' || !/^[<>]=$/.test(test.operator)) return
  const [counted, limit] = test.operator === '>=' ? [test.left, test.right] : [test.right, test.left]
  const counter = counted.op === 'step' ? counted.target : counted
  if (counter.op !== 'variable' || limit.op !== 'number' || limit.value !== 0) return
  const { type, name } = counter
  if (type?.kind === 'integer' && !type.isSigned && (writes.variables.get(name) ?? 0) < 0) report(run, 'endless-countdown', test)
}
