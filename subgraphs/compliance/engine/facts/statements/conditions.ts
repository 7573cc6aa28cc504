/** Conditions: the states in which one holds, and those in which it does not. */
import { containerOf } from '../memory/containers.js'
import { wrappedTest } from './wrapped-tests.js'
import { noteSameText } from '../memory/begun.js'
import { ofLock } from '../memory/locks.js'
import { truthOf } from './asked.js'
import { restore } from '../memory/moves.js'
import { endResized } from '../memory/resized.js'
import { countOf, isSequence } from '../memory/counts.js'
import { type Linear, add, constant, zero } from '../numbers/linear.js'
import { atMost, equal, isFailureSymbol, isKnownNonZero, notZero, rangeOf } from '../numbers/numbers.js'
import { noteFound, noteMovedBy, noteParts } from '../calls/again.js'
import { settleOutcomes } from '../calls/outcomes.js'
import type { Expr, ExprOf } from '../program.js'
import { type Branches, type Run, modelOf, noteCompared, objectOf, step } from '../run.js'
import { spotOf } from '../memory/spots.js'
import { State, type Value, isAddress, isNull, isUnchecked, missingMemory, nullValue } from '../state.js'

/** Consumes `state`. */
export function branch(run: Run, state: State, test: Expr): Branches {
  step(run)
  if (test.op === 'cast') return branch(run, state, test.value)
  if (test.op === 'unary' && test.operator === '!') {
    const { yes, no } = branch(run, state, test.operand)
    return { yes: no, no: yes }
  }
  if (test.op === 'binary') {
    if (test.operator === '&&' || test.operator === '||') return shortCircuit(run, state, test)
    if (/^(?:[<>]=?|[!=]=)$/.test(test.operator))
      return settleOutcomes(run, comparison(run, state, aboutDividend(run, state, test)))
  }
  if (test.op === 'sequence') {
    for (const item of test.items.slice(0, -1)) run.evaluate(state, item)
    const last = test.items.at(-1)
    if (last !== undefined) return branch(run, state, last)
  }
  const model = test.op === 'call' ? modelOf(run, test.name) : null
  const same = test.op === 'call' ? test.args[model?.same_truth ?? -1] : undefined
  if (same !== undefined) return branch(run, state, same)
  const wrapped = test.op === 'call' && model === null ? wrappedTest(run, test) : null
  if (wrapped !== null) return branch(run, state, wrapped)
  const asked = test.op === 'call' ? test.args[model?.asks_null ?? -1] : undefined
  if (asked !== undefined) {
    const { yes, no } = branch(run, state, asked)
    return { yes: no, no: yes }
  }
  const elements = test.op === 'call' ? askedForEmpty(run, state, test) : null
  if (elements !== null) {
    const no = state.copy()
    const isEmpty = atMost(run.symbols, state, elements, zero, false)
    return { yes: isEmpty ? [state] : [], no: atMost(run.symbols, no, zero, elements, true) ? [no] : [] }
  }
  const held = heldAddress(run, test)
  if (held !== null) return branch(run, state, held)
  const claim = truthOf(run, state, test)
  if (claim !== null) return branch(run, state, claim)
  const value = run.evaluate(state, test)
  checkedByCall(run, state, test)
  return settleOutcomes(run, truth(run, state, test, value))
}

/** `p.get()` asks about what `p` holds. */
function heldAddress(run: Run, test: Expr): Expr | null {
  if (test.op !== 'call' || test.receiver?.op !== 'variable' || test.args.length > 0) return null
  const isShown = test.receiver.type?.kind !== 'pointer' && modelOf(run, test.name)?.shows_address === true
  return isShown && run.text.slice(test.receiver.end, test.end).trimStart().startsWith('.') ? test.receiver : null
}

/** `v.empty()`: the number of elements that it asks about. */
function askedForEmpty(run: Run, state: State, call: ExprOf<'call'>): Linear | null {
  if (call.receiver === null || modelOf(run, call.name)?.count !== 'empty') return null
  const found = containerOf(run, state, call.receiver)
  if (found === null || !isSequence(found.type)) return null
  run.evaluate(state, call)
  return countOf(run, state, found.id)
}

function shortCircuit(run: Run, state: State, test: ExprOf<'binary'>): Branches {
  const isSwapped = isPlainBound(test.left, true) && isPlainBound(test.right, false)
  const [first, second] = isSwapped ? [test.right, test.left] : [test.left, test.right]
  const left = branch(run, state, first)
  const [going, done] = test.operator === '&&' ? [left.yes, left.no] : [left.no, left.yes]
  const yes: State[] = []
  const no: State[] = []
  run.frame.guards.push(second)
  for (const one of going) {
    const right = branch(run, one, second)
    yes.push(...right.yes)
    no.push(...right.no)
  }
  run.frame.guards.pop()
  ;(test.operator === '&&' ? no : yes).push(...done)
  return { yes, no }
}

/** `i <= 8 && i < n` says the same as `i < n && i <= 8`: the bound that is known comes last, so that it is kept. */
function isPlainBound(test: Expr, isConstant: boolean): boolean {
  if (test.op !== 'binary' || !/^<=?$/.test(test.operator) || test.left.op !== 'variable') return false
  return isConstant ? test.right.op === 'number' : test.right.op === 'variable'
}

/** A value that is true when it is no zero and no NULL. */
function truth(run: Run, state: State, test: Expr, value: Value): Branches {
  // `if (owner)`: whoever asks knows that it may have been moved away.
  restore(state, test)
  const no = state.copy()
  const wasSum = value.number !== null && isKnownSum(state, value.number)
  noteSameText(run, no, test)
  const yes: State[] = []
  if (asAddress(run, state, test, value) && (value.number === null || isSomething(run, state, test, value.number)))
    yes.push(state)
  const canBeZero =
    isFailure(test, value) || (value.number !== null && isKnownNonZero(run.symbols, no, value.number))
      ? false
      : value.number === null || value.to !== null || (!wasSum && equal(run.symbols, no, value.number, zero))
  return { yes, no: asNull(run, no, test, value) && canBeZero ? [no] : [] }
}

/** Without a sign, what is not zero is at least one. */
function isSomething(run: Run, state: State, { type }: Expr, number: Linear): boolean {
  if (number.terms.length > 1) state.set(markOfSum(number), { ...nullValue, nil: isAddress })
  return type?.kind === 'integer' && !type.isSigned && number.terms.length > 1
    ? atMost(run.symbols, state, constant(1), number, false)
    : notZero(run.symbols, state, number)
}

const markOfSum = ({ constant: fixed, terms }: Linear): string => `some ${fixed} ${terms.flat().join(' ')}`

/** `left -= used; if (left) ... if (!left)`: asked before, and something. */
const isKnownSum = (state: State, number: Linear): boolean =>
  number.terms.length > 1 && state.value(markOfSum(number))?.nil === isAddress

/** `result = LIB_OUT_OF_MEMORY; ... if (!result)` with a constant of another file: a failure is not zero. */
const isFailure = (test: Expr, { number }: Value): boolean =>
  test.op === 'variable' && test.isLocal && number !== null && isFailureSymbol(number)

/** All places that hold this address get what was learned about it. */
function replace(run: Run, state: State, test: Expr, { to }: Value, made: Value): void {
  if (to !== null && to.length > 0) for (const [place, value] of state.places()) if (value.to === to) state.set(place, made)
  step(run, state.size >> 4)
  const target = test.op === 'assign' || test.op === 'step' ? test.target : test.op === 'cast' ? test.value : test
  if (target.op === 'variable') state.set(target.isLocal ? `&${target.name}` : `::${target.name}`, made)
  // What several ways have left in a field, some of them nobody knows what.
  const place = target.op === 'field' && to === null ? spotOf(run, state, target, 'read').place : null
  if (place !== null) state.set(place, made)
}

/** `second = room + n; if (!room) return;`: what was reckoned from it before is there as well. */
function checkParts(state: State, { to }: Value): void {
  const [only, ...others] = to ?? []
  if (only === undefined || others.length > 0) return
  for (const [place, part] of state.places())
    if (part.to !== to && part.to?.length === 1 && part.to[0]?.object === only.object && (part.nil & isUnchecked) !== 0)
      state.set(place, { ...part, nil: isAddress })
}

function asAddress(run: Run, state: State, test: Expr, value: Value): boolean {
  if (value.number !== null && value.to === null) return true
  if (value.nil === isNull) return false
  if ((value.nil & isUnchecked) !== 0) {
    noteCompared(run, value)
    noteFound(state, value)
    noteParts(state, value)
    noteMovedBy(state, value)
    checkParts(state, value)
  }
  if (value.nil !== isAddress) replace(run, state, test, value, { ...value, nil: isAddress })
  endResized(state, value)
  return true
}

function asNull(run: Run, state: State, test: Expr, value: Value): boolean {
  if (value.number !== null && value.to === null) return true
  if ((value.nil & (isNull | isUnchecked)) === 0) return false
  if (value.nil === isNull) return true
  // What was never allocated cannot be left behind.
  for (const { object, at } of value.to ?? []) {
    const known = state.object(object)
    // A search that finds nothing leaves what it searched.
    const isFound = at?.terms.some(([symbol]) => symbol.startsWith('found ')) === true
    if (known !== undefined && known.isOwned && value.to?.length === 1 && !isFound)
      state.setObject(object, { ...known, isOwned: false, escaped: true })
    const replaced = state.value(`replaced ${object}`)
    if (replaced !== undefined && replaced.to?.[0]?.object === object) state.set(`lost ${object}`, replaced)
  }
  if ((value.nil & isUnchecked) !== 0) state.set(missingMemory, nullValue)
  replace(run, state, test, value, { number: value.number, to: [], nil: isNull, isUnset: false })
  return true
}

/** `n / 100 > 0` says that `n` is 100 or more, where it has no sign. */
function aboutDividend(run: Run, state: State, test: ExprOf<'binary'>): ExprOf<'binary'> {
  const { left, right, operator } = test
  if (left.op !== 'binary' || left.operator !== '/' || left.left.op !== 'variable' || !/^[<>]/.test(operator)) return test
  const by = left.right.op === 'number' ? left.right.value : 0
  const { number } = run.evaluate(state, left.left)
  if (by < 1 || right.op !== 'number' || right.value < 0 || number === null) return test
  if (left.left.type?.kind !== 'integer' || rangeOf(run.symbols, state, number).low < 0) return test
  const isNext = operator === '>' || operator === '<='
  const value = (right.value + (isNext ? 1 : 0)) * by
  return { ...test, left: left.left, operator: operator.startsWith('>') ? '>=' : '<', right: { ...right, value } }
}

function comparison(run: Run, state: State, asked: ExprOf<'binary'>): Branches {
  const test = { ...asked, left: heldAddress(run, asked.left) ?? asked.left, right: heldAddress(run, asked.right) ?? asked.right }
  const left = run.evaluate(state, test.left)
  const right = run.evaluate(state, test.right)
  checkedByCall(run, state, test.left)
  checkedByCall(run, state, test.right)
  const { operator } = test
  const isEquality = operator === '==' || operator === '!='
  if (isEquality) {
    const nulls = comparedToNull(run, state, test, left, right)
    if (nulls !== null) return operator === '==' ? nulls : { yes: nulls.no, no: nulls.yes }
  }
  if (isEquality && areOtherConstants(left, right)) return operator === '==' ? { yes: [], no: [state] } : { yes: [state], no: [] }
  if (isEquality && (isApart(run, state, left, right, test.right) || isApart(run, state, right, left, test.left)))
    return operator === '==' ? { yes: [], no: [state] } : { yes: [state], no: [] }
  const no = state.copy()
  // `(p = strrchr(s, '/')) > s`: what lies behind something in memory is an address.
  if (/^>=?$/.test(operator) && (left.nil & isUnchecked) !== 0) asAddress(run, state, test.left, left)
  if (operator === '<' && (right.nil & isUnchecked) !== 0) asAddress(run, state, test.right, right)
  if (isEquality && isFoundIn(left, right)) asAddress(run, operator === '==' ? state : no, test.left, left)
  if (isEquality && isFoundIn(right, left)) asAddress(run, operator === '==' ? state : no, test.right, right)
  const [a, b] = ofLock(numbersOf(left, right))
  if (a === null || b === null) return { yes: [state], no: [no] }
  const can = (one: State, how: string): boolean => {
    switch (how) {
      case '<':
        return atMost(run.symbols, one, a, b, true)
      case '<=':
        return atMost(run.symbols, one, a, b, false)
      case '>':
        return atMost(run.symbols, one, b, a, true)
      case '>=':
        return atMost(run.symbols, one, b, a, false)
      case '==':
        return equal(run.symbols, one, a, b)
      default:
        return differs(run, one, a, b)
    }
  }
  const opposite: Record<string, string> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '==': '!=', '!=': '==' }
  const canBe = can(state, operator)
  if (isEquality) dropFailed(operator === '==' ? state : no, left, right)
  return { yes: canBe ? [state] : [], no: can(no, opposite[operator] ?? '') ? [no] : [] }
}

/** `status = LIB_FAILURE; ... if (status == LIB_COMPLETE)`: constants of another file with two names are two. */
function areOtherConstants(left: Value, right: Value): boolean {
  const [a, b] = [constantName(left), constantName(right)]
  return a !== null && b !== null && a !== b
}

function constantName({ number }: Value): string | null {
  const [only] = number?.constant === 0 && number.terms.length === 1 ? number.terms : []
  return only?.[1] === 1 ? (/^::([A-Z][A-Z0-9]*_[A-Z0-9_]+) \d+$/.exec(only[0])?.[1] ?? null) : null
}

/** `out == stdout`: what was opened or allocated here, and given to nobody, is nothing that others have. */
function isApart(run: Run, state: State, { to }: Value, other: Value, expr: Expr): boolean {
  const [only] = to ?? []
  const made = only === undefined || to?.length !== 1 ? undefined : state.object(only.object)
  if (made === undefined || !made.isOwned || made.escaped || made.by === 'descriptor') return false
  if (other.to === null || other.to.length === 0) return isOutside(run, state, expr)
  return other.to.every(({ object }) => object !== only?.object)
}

/** `*out`: memory of somebody else. */
function isOutside(run: Run, state: State, expr: Expr): boolean {
  const base = expr.op === 'dereference' || (expr.op === 'field' && expr.isArrow) ? expr.base : null
  if (base?.op !== 'variable') return false
  const { to } = run.evaluate(state, base)
  return to !== null && to.length > 0 && to.every(({ object }) => objectOf(state, object).by === 'outside')
}

/** A comparison with something that is not 0 bounds a number even when it only asks whether they differ. */
function differs(run: Run, state: State, a: Linear, b: Linear): boolean {
  const difference = add(a, b, -1)
  if (difference === null) return true
  const { low, high } = rangeOf(run.symbols, state, difference)
  if (low === 0 && high === 0) return false
  return notZero(run.symbols, state, difference)
}

/** `fd == INVALID`: nothing was opened. */
function dropFailed(state: State, left: Value, right: Value): void {
  for (const { object } of [...(left.to ?? []), ...(right.to ?? [])]) {
    const known = object.startsWith('descriptor') ? state.object(object) : undefined
    if (known !== undefined) state.setObject(object, { ...known, escaped: true })
  }
}

const isZero = (value: Value): boolean => value.nil === isNull && value.to?.length === 0

function comparedToNull(run: Run, state: State, test: ExprOf<'binary'>, left: Value, right: Value): Branches | null {
  const isEnd = (expr: Expr, other: Value): boolean =>
    (other.nil & isUnchecked) !== 0 &&
    // `const auto last = names.end();`: the end under another name.
    (expr.op === 'call'
      ? modelOf(run, expr.name)?.end === true
      : expr.op === 'variable' && /(?:^|_|[a-z](?=E))[eE]nd_?$/.test(expr.name))
  const [tested, value] =
    isEnd(test.right, left) || isZero(right)
      ? [test.left, left]
      : isEnd(test.left, right) || isZero(left)
        ? [test.right, right]
        : [null, left]
  if (tested === null) return null
  const { yes, no } = truth(run, state, tested, value)
  return { yes: no, no: yes }
}

/** `(p = strrchr(s, ':')) == s`: NULL is no place in what was searched. */
const isFoundIn = (found: Value, other: Value): boolean =>
  (found.nil & isUnchecked) !== 0 &&
  (other.nil & isUnchecked) === 0 &&
  found.to?.length === 1 &&
  other.to?.some(({ object }) => object === found.to?.[0]?.object) === true

/** Numbers, or the distances of two pointers into one object. */
function numbersOf(left: Value, right: Value): [Linear | null, Linear | null] {
  const [a, b] = [left.to?.[0], right.to?.[0]]
  if (left.number !== null && right.number !== null) return [left.number, right.number]
  if (a !== undefined && b !== undefined && a.object === b.object) return [a.at, b.at]
  return [null, null]
}

/** Reads as much as it is told to, from a socket or a file. */
const readsAll = /(?:read|recv|receive)_?(?:fully|full|all|n|exact|exactly|bytes)$/i

/** A function that is not known was asked about a number, so somebody looked at it. */
function checkedByCall(run: Run, state: State, test: Expr): void {
  if (test.op === 'unary' || test.op === 'cast') return checkedByCall(run, state, test.op === 'cast' ? test.value : test.operand)
  if (test.op !== 'call' || modelOf(run, test.name) !== null || readsAll.test(test.name)) return
  for (const argument of test.args) noteChecked(run, state, argument)
}

/** Also for arguments of macros that check and leave the function. */
export function noteChecked(run: Run, state: State, argument: Expr): void {
  const name = argument.op === 'variable' ? (argument.isLocal ? `&${argument.name}` : `::${argument.name}`) : null
  const isPure = argument.op === 'field' || (argument.op === 'call' && modelOf(run, argument.name)?.same_again === true)
  const number = name === null ? (isPure ? run.evaluate(state, argument).number : null) : (state.value(name)?.number ?? null)
  const parts = argument.op === 'binary' ? [argument.left, argument.right] : argument.op === 'cast' ? [argument.value] : []
  // `CHECK(p != NULL && p->n == 3)`: the right side is only read where the left one holds.
  if (argument.op === 'binary' && /^(?:&&|\|\|)$/.test(argument.operator)) parts.pop()
  for (const part of parts) noteChecked(run, state, part)
  for (const [symbol] of number?.terms ?? []) {
    const range = state.range(symbol)
    const known = run.symbols.get(symbol)
    state.setRange(symbol, {
      low: range?.low ?? known?.low ?? -Infinity,
      high: range?.high ?? known?.high ?? Infinity,
      isTight: range?.isTight ?? false,
      most: range?.most ?? null,
      isChecked: true,
    })
  }
}
