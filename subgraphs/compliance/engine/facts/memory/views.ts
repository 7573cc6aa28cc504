/** Views of texts and arrays: they show somebody else's memory, which must live as long as they do. */
import type { Expr, ExprOf, FunctionIr, Type } from '../program.js'
import { type Run, functionNamed, modelOf, report } from '../run.js'
import { State, type Value, nullValue } from '../state.js'
import { isContainer, isTextType, viewOf } from './elements.js'
import { spotOf } from './spots.js'

export const views = new Set(['string_view', 'span', 'wstring_view', 'basic_string_view', 'QStringView', 'StringRef', 'ArrayRef'])

export const isView = (type: Type | null): boolean => type !== null && views.has(type.name)

const isText = (expr: Expr): boolean =>
  isContainer(expr.type) || isMade(expr) || (expr.op === 'binary' && (isText(expr.left) || isText(expr.right)))

/** `std::string("x")` */
const isMade = (expr: Expr): boolean =>
  expr.op === 'call' && expr.receiver === null && expr.callee === null && isTextType(expr.name)

/** A text that ends with its statement. */
export function isTemporary(run: Run, expr: Expr): boolean {
  if (expr.op === 'binary') return expr.operator === '+' && (isText(expr.left) || isText(expr.right))
  if (expr.op !== 'call') return false
  if (expr.receiver !== null) return isContainer(expr.receiver.type) && modelOf(run, expr.name)?.copies === true
  if (isMade(expr)) return true
  const own: FunctionIr | undefined = functionNamed(run, expr.name)
  if (own !== undefined) return isContainer(own.returns) && own.returns?.isReference !== true
  return modelOf(run, expr.name)?.copies === true && expr.callee === null
}

/** `std::string_view v = a + b;` and `std::span<int> s(numbers);` */
export function bindView(run: Run, state: State, init: Expr, place: { start: number; end: number }): Value | null {
  const parts = init.op === 'list' ? init.items : init.op === 'opaque' ? init.parts : [init]
  const [only] = parts
  if (parts.length !== 1 || only === undefined) return null
  if (isTemporary(run, only)) {
    report(run, 'view-of-temporary', place)
    return null
  }
  if (!isContainer(only.type)) return null
  const { place: container } = spotOf(run, state, only, 'read')
  return container === null ? null : viewOf(run, state, container)
}

const isOwnLocal = (expr: Expr): boolean =>
  expr.op === 'variable' && expr.isLocal && expr.name !== 'this' && expr.type?.isReference !== true

/** What stands between the brackets of a lambda. */
const capturesOf = (run: Run, expr: Expr): readonly string[] =>
  /^\[([^\]]{1,400})\]/
    .exec(run.text.slice(expr.start, expr.start + 402))?.[1]
    ?.split(',')
    .map((capture) => capture.trim()) ?? []

/** A lambda with `[&]` or `[&x` that uses variables of the function: those that it does not copy. */
export function isLocalLambda(run: Run, expr: Expr): boolean {
  if (expr.op !== 'lambda') return false
  const captures = capturesOf(run, expr)
  const takesAll = captures[0] === '&'
  const named = new Set(captures.map((capture) => (takesAll ? /^\w+/ : /^&\s*(\w+)$/).exec(capture)?.at(-1)))
  return expr.mentions.some((one) => one.op === 'variable' && isOwnLocal(one) && named.has(one.name) !== takesAll)
}

/** `view_ = local;`, `callback_ = [&] { ... };`: the object that keeps it outlives the function. */
export function checkKept(run: Run, state: State, target: Expr, value: Expr): void {
  if (target.op !== 'field' || !target.isArrow) return
  const isLocalText =
    isView(target.type) &&
    isContainer(value.type) &&
    isOwnLocal(value) &&
    value.op === 'variable' &&
    state.object(`&${value.name}`)?.by === 'stack'
  if (isView(target.type) && isTemporary(run, value)) report(run, 'view-of-temporary', target)
  else if (isLocalText || isLocalLambda(run, value)) report(run, 'kept-local', target)
}

/** A function value with references to local variables that somebody runs later: the function must wait for it. */
export function lend(run: Run, state: State, call: ExprOf<'call'>): void {
  const model = libraryModel(run, call.name)
  if (model?.waits === true) state.forget((place) => place.startsWith('borrowed '))
  if (model?.runs_later !== true && !isStoredInOwner(call, model)) return
  const held = call.receiver?.op === 'variable' ? state.value(`runner &${call.receiver.name}`)?.number : undefined
  if (held != null) state.set(`borrowed ${call.start}`, nullValue)
  const isShownLater = call.args.some((argument) => isHandler(run, argument))
  for (const argument of call.args)
    if (isLocalLambda(run, argument) || (isShownLater && showsLocal(run, state, argument, call.args)))
      state.set(`borrowed ${argument.start}`, nullValue)
}

/** `tasks_.push_back([&] { ... })` */
const isStoredInOwner = ({ receiver }: ExprOf<'call'>, model: ReturnType<typeof modelOf>): boolean =>
  model?.container === 'move' && receiver?.op === 'field' && receiver.isArrow

/** `asio::async_write`: in whatever namespace it stands. */
const libraryModel = (run: Run, name: string): ReturnType<typeof modelOf> => modelOf(run, name.slice(name.lastIndexOf(':') + 1))

/** Who is called when it is done; a coroutine waits for that, and its variables with it. */
const isHandler = (run: Run, expr: Expr): boolean =>
  expr.op === 'lambda' || (expr.op === 'call' && libraryModel(run, expr.name)?.binds === true)

/** `buffer(text)` of a variable of the function, unless the handler takes that along. */
function showsLocal(run: Run, state: State, expr: Expr, beside: readonly Expr[]): boolean {
  const shown = expr.op === 'call' ? libraryModel(run, expr.name)?.shows : undefined
  const given = expr.op === 'call' && shown !== undefined ? expr.args[shown] : undefined
  if (given === undefined) return false
  const whole = given.op === 'call' && given.args.length === 0 && given.receiver !== null ? given.receiver : given
  if (whole.op !== 'variable' || !isOwnLocal(whole) || state.object(`&${whole.name}`)?.by !== 'stack') return false
  const isHeld = whole.type?.kind === 'array' || isContainer(whole.type) || whole.type?.name === 'array'
  const isTaken = (one: Expr): boolean => capturesOf(run, one).some((capture) => capture.includes(`(${whole.name})`))
  return isHeld && !beside.some((one) => one.op === 'lambda' && isTaken(one))
}

/** `std::thread t([&] { ... });` */
export function noteRunner(run: Run, state: State, id: string, init: Expr | null): void {
  const [first] = init?.op === 'list' ? init.items : init?.op === 'opaque' ? init.parts : []
  state.forget((place) => place === `runner ${id}`)
  if (first !== undefined && isLocalLambda(run, first)) state.set(`runner ${id}`, nullValue)
}

/** Where a function ends without having waited. */
export function checkLent(run: Run, state: State): void {
  for (const [place] of state.places())
    if (place.startsWith('borrowed ')) {
      const start = Number(place.split(' ').at(-1))
      report(run, 'kept-local', { start, end: start + 1 })
    }
}
