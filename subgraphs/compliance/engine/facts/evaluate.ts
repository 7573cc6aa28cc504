/** Values of expressions, with all effects on the state. */
import { arithmetic, converted, joinAll, linear, numberValue, pointerSum } from './numbers/arithmetic.js'
import { evaluateCall } from './calls/calls.js'
import { endObject, trust } from './memory/checks.js'
import { setAgain } from './calls/macro-calls.js'
import { evaluateNew } from './calls/library-calls.js'
import { type Linear, constant, scale, zero } from './numbers/linear.js'
import { noteDivisor } from './numbers/fitting.js'
import { freshSymbol, isNonZero, openData, rangeOf } from './numbers/numbers.js'
import type { Expr, ExprOf } from './program.js'
import { type Run, escape, newObject, objectOf, report, reportUnchecked, step, unknownOf } from './run.js'
import { checkMoved, restore } from './memory/moves.js'
import { forgetCount } from './memory/counts.js'
import { addressOf, readSpot, sizeOfArray, spotOf } from './memory/spots.js'
import { State, type Value, isAddress, isUnchecked, nullValue, unknownValue } from './state.js'
import { noteTruth } from './statements/asked.js'
import { assign, stepped } from './memory/stores.js'

export function evaluate(run: Run, state: State, expr: Expr): Value {
  step(run)
  switch (expr.op) {
    case 'number':
      return expr.value === 0 ? nullValue : numberValue(constant(expr.value))
    case 'null':
      return nullValue
    case 'text':
      return textValue(state, expr)
    case 'variable':
    case 'field':
    case 'index':
    case 'dereference': {
      const value = readSpot(run, state, expr)
      // `: Base(*new Private)`: who gets the object by reference is the only one who can end it.
      if (expr.op === 'dereference' && expr.base.op === 'new')
        escape(run, state, { ...unknownValue, to: [{ object: `new ${expr.base.start}`, at: zero }] })
      return value
    }
    case 'address':
      return addressOf(run, state, expr)
    case 'binary':
      // `new T *(x)`, which reads like a product.
      if (expr.left.op === 'new' && expr.operator === '*') return evaluate(run, state, { ...expr.left, args: [expr.right] })
      return binary(run, state, expr)
    case 'unary':
      return unary(run, state, expr)
    case 'assign':
      return assign(run, state, expr)
    case 'step':
      return stepped(run, state, expr)
    case 'choice':
      return choice(run, state, expr)
    case 'call':
      return evaluateCall(run, state, expr)
    case 'cast':
      if (expr.type?.kind === 'void') return discarded(run, state, expr.value)
      return converted(run, state, evaluate(run, state, expr.value), expr.type, expr)
    case 'new':
      return evaluateNew(run, state, expr)
    case 'delete':
      deleted(run, state, expr)
      return unknownValue
    case 'sizeof':
      return numberValue(sizeofValue(run, state, expr))
    case 'list':
    case 'opaque':
      for (const part of expr.op === 'list' ? expr.items : expr.parts) escape(run, state, partValue(run, state, part))
      return unknownOf(run, state, `opaque ${expr.start}`, expr.type)
    case 'sequence':
      return expr.items.reduce<Value>((_, item) => evaluate(run, state, item), unknownValue)
    case 'lambda':
      for (const mentioned of expr.mentions) {
        restore(state, mentioned)
        forgetMentioned(state, mentioned)
        escape(run, state, {
          ...unknownValue,
          to: [{ object: `&${mentioned.op === 'variable' ? mentioned.name : ''}`, at: zero }],
        })
        escape(run, state, state.value(`&${mentioned.op === 'variable' ? mentioned.name : ''}`) ?? unknownValue)
      }
      return unknownValue
  }
}

/** `in >> n` of a stream of texts: a number out of data. */
function readFromStream(run: Run, state: State, { left, right }: ExprOf<'binary'>): void {
  let stream = left
  while (stream.op === 'binary' && stream.operator === '>>') stream = stream.left
  const type = stream.type?.kind === 'pointer' ? stream.type.of : stream.type
  const isInput = run.models.find(type?.name ?? (stream.op === 'variable' ? stream.name : ''))?.streams === true
  if (!isInput || right.op !== 'variable' || !right.isLocal || right.type?.kind !== 'integer') return
  state.set(`&${right.name}`, unknownOf(run, state, `read ${right.start} ${state.epoch}`, right.type, { isData: true }))
}

const forgetMentioned = (state: State, expr: Expr): void => {
  if (expr.op === 'variable') forgetCount(state, `&${expr.name}`)
}

/** `(void)x` only says that nobody needs it. */
function discarded(run: Run, state: State, value: Expr): Value {
  // `(void)watcher;` of an object that has made itself known to others.
  if (value.op === 'variable') {
    const named = value.isLocal ? state.value(`&${value.name}`) : undefined
    if (named !== undefined && isObject(state, named)) escape(run, state, named)
    return unknownValue
  }
  const made = evaluate(run, state, value)
  // `(void) new Panner(canvas());`: known to what it was given.
  if (value.op === 'new' && value.args.length > 0) escape(run, state, made)
  // `(void) open("/dev/null", O_RDWR);`: it only has to be open.
  if (value.op === 'call' && made.to?.[0]?.object.startsWith('descriptor ') === true) escape(run, state, made)
  return unknownValue
}

/** A constructor, or assembler, may set a variable that it names. */
function partValue(run: Run, state: State, part: Expr): Value {
  const place = part.op === 'variable' && part.isLocal ? `&${part.name}` : null
  if (place === null || state.value(place)?.isUnset !== true) return evaluate(run, state, part)
  state.set(place, unknownValue)
  return unknownValue
}

/** A field that the file only ever makes in the other way. */
function deleted(run: Run, state: State, expr: ExprOf<'delete'>): void {
  const family = expr.isArray ? 'new[]' : 'new'
  const { value } = expr
  const makers = value.op === 'field' ? run.program.makers.get(value.name) : undefined
  if (makers !== undefined && makers.size === 1 && !makers.has(family) && !makers.has('other'))
    report(run, 'mismatched-free', value)
  endObject(run, state, evaluate(run, state, value), family, value)
  // `while (first->next != first) delete first->next;`: a destructor that takes its object out of a list.
  if (run.frame.loops.length > 0) for (const start of ['::', '*']) setAgain(state, start)
}

function textValue(state: State, expr: ExprOf<'text'>): Value {
  const object = `text ${expr.start}`
  const length = constant(expr.value.length)
  if (state.object(object) === undefined)
    state.setObject(
      object,
      newObject('text', expr, { size: constant((expr.value.length + 1) * expr.width), length, escaped: true }),
    )
  return { number: null, to: [{ object, at: zero }], nil: isAddress, isUnset: false }
}

function binary(run: Run, state: State, expr: ExprOf<'binary'>): Value {
  const { operator } = expr
  if (operator === '&&' || operator === '||' || /^(?:[<>]=?|[!=]=)$/.test(operator)) return truthValue(run, state, expr)
  const left = evaluate(run, state, expr.left)
  // `in >> n` of a stream sets `n`.
  const isStream = operator === '>>' && expr.left.type?.kind !== 'integer'
  const right = isStream ? partValue(run, state, expr.right) : evaluate(run, state, expr.right)
  if (isStream) {
    restore(state, expr.right)
    forgetMentioned(state, expr.right)
    readFromStream(run, state, expr)
    return left
  }
  if (operator === '+' || operator === '<<') {
    checkMoved(run, state, expr.left)
    checkMoved(run, state, expr.right)
  }
  // `items << new Item`, `items << item`: a list of the program takes it in.
  if (operator === '<<' && isObject(state, right)) escape(run, state, right)
  if (operator === '+' || operator === '-') {
    if (operator === '-' && expr.right.type?.kind === 'pointer') checkFound(run, state, left, expr.left)
    const pointed = pointerSum(run, expr, left, right)
    if (pointed !== null) return pointed
  }
  const [a, b] = [
    linear(run, left, `${expr.start} left`, expr.left.type),
    linear(run, right, `${expr.start} right`, expr.right.type),
  ]
  if (operator === '/' || operator === '%') {
    checkDivisor(run, state, expr, b)
    noteDivisor(run, state, expr, b)
  }
  if (operator === '<<' || operator === '>>') checkShift(run, state, expr, b)
  return numberValue(arithmetic(run, state, expr, operator, a, b))
}

/** Of C++, no array and no text. */
const isObject = (state: State, { to }: Value): boolean => to?.some(({ object }) => objectOf(state, object).by === 'new') === true

/** `strchr(s, ':') - s`: of a NULL, the distance is no length. */
function checkFound(run: Run, state: State, value: Value, place: Expr): void {
  if ((value.nil & isUnchecked) === 0 || place.op !== 'variable') return
  reportUnchecked(run, value, place)
  trust(state, value)
}

/** As many places as the data says, out of a number that does not have so many. */
function checkShift(run: Run, state: State, { left, right }: ExprOf<'binary'>, by: Linear): void {
  if (left.type?.kind !== 'integer' || openData(run.symbols, state, by).length === 0) return
  if (rangeOf(run.symbols, state, by).high >= Math.max(32, 8 * (left.type.bytes ?? 8))) report(run, 'data-shift', right)
}

/** A number out of data that may be zero. */
function checkDivisor(run: Run, state: State, { right, type }: ExprOf<'binary'>, divisor: Linear): void {
  const [only] = divisor.terms
  if (type?.kind === 'float' || divisor.constant !== 0 || divisor.terms.length !== 1 || only === undefined) return
  const { low, high } = rangeOf(run.symbols, state, divisor)
  const isData = run.symbols.get(only[0])?.isData === true && state.range(only[0])?.isChecked !== true
  if (isData && low <= 0 && high >= 0 && !isNonZero(state, only[0])) report(run, 'zero-divisor', right)
}

/** A condition as a value: both outcomes go on together. */
function truthValue(run: Run, state: State, expr: Expr): Value {
  const { yes, no } = run.branch(state.copy(), expr)
  const all = [...yes, ...no]
  if (all.length > 0) state.become(joinAll(run, all, `${expr.start}`))
  if (no.length === 0 && yes.length > 0) return numberValue(constant(1))
  if (yes.length === 0 && no.length > 0) return numberValue(zero)
  noteTruth(run, expr)
  return numberValue(freshSymbol(run.symbols, `truth ${expr.start}`, { low: 0, high: 1 }))
}

function unary(run: Run, state: State, expr: ExprOf<'unary'>): Value {
  if (expr.operator === '!') return truthValue(run, state, expr)
  const operand = evaluate(run, state, expr.operand)
  if (operand.number !== null && expr.operator === '-') return numberValue(scale(operand.number, -1))
  if (operand.number !== null && expr.operator === '+') return operand
  return expr.operator === 'co_await' ? unknownValue : unknownOf(run, state, `unary ${expr.start}`, expr.type)
}

function choice(run: Run, state: State, expr: ExprOf<'choice'>): Value {
  const { yes, no } = run.branch(state.copy(), expr.test)
  const results: { readonly state: State; readonly value: Value }[] = []
  run.frame.guards.push(expr)
  for (const one of yes) results.push({ state: one, value: evaluate(run, one, expr.then) })
  for (const one of no) results.push({ state: one, value: evaluate(run, one, expr.otherwise) })
  run.frame.guards.pop()
  const place = `choice ${expr.start}`
  for (const one of results) one.state.set(place, one.value)
  if (results.length === 0) return unknownValue
  state.become(
    joinAll(
      run,
      results.map((one) => one.state),
      place,
    ),
  )
  return state.value(place) ?? unknownValue
}

function sizeofValue(run: Run, state: State, expr: ExprOf<'sizeof'>): Linear {
  const known = expr.measured === null ? null : sizeOfArray(run, state, expr.measured)
  if (known !== null) return known
  if (expr.of !== null && expr.of.type?.kind === 'array') {
    const wasQuiet = run.isQuiet
    run.isQuiet = true
    const spot = spotOf(run, state.copy(), expr.of, 'read')
    run.isQuiet = wasQuiet
    const size = objectOf(state, spot.targets?.[0]?.object ?? '').size
    if (size !== null) return size
  }
  const name = `sizeof ${expr.measured?.name ?? expr.start}`
  return freshSymbol(run.symbols, name, { low: 1 })
}
