/** Calls: functions of the file by their summaries, macros and anybody else by being careful. */
import type { FunctionModel } from '../../rulebook/function-model.js'
import { reportUnset } from '../memory/unset.js'
import { endsProgramBy } from '../../syntax/fatal-levels.js'
import { joinAll, numberValue } from '../numbers/arithmetic.js'
import { answerDemands, checkLife, checkUse, endObject, trust } from '../memory/checks.js'
import { containerCall } from '../memory/containers.js'
import { forgetCount, forgetOtherCounts, isSequence } from '../memory/counts.js'
import { lend as borrow, views } from '../memory/views.js'
import { checkConstructed } from '../memory/declare.js'
import { isTextType, viewOf } from '../memory/elements.js'
import { noteMade } from '../memory/room.js'
import { forgetNulls, loosenFields, macroCall, setAgain } from './macro-calls.js'
import { spotOf } from '../memory/spots.js'
import { applyLocks, lockMethod, maybeGiven } from '../memory/locks.js'
import { applyMoved } from '../memory/moved-elements.js'
import { argumentMoved, methodOnMoved, moveAway, restore, restoredBehind } from '../memory/moves.js'
import { noteCalledUnderLock, noteMadeLock } from '../memory/shared.js'
import { isOwner } from '../memory/stores.js'
import { fillArguments, freshObject, modelledCall, resultOf } from './library-calls.js'
import { freeFields, moveHeads, releaseFields } from './released.js'
import { noteSearch, placeOfSearch } from './again.js'
import { noteOutcomes } from './outcomes.js'
import { isOnlyWritten } from './printed.js'
import { freshSymbol } from '../numbers/numbers.js'
import { fillReferences, methodOf } from './references.js'
import type { Expr, ExprOf, FunctionIr } from '../program.js'
import {
  type Run,
  escape,
  forgetInside,
  functionNamed,
  modelOf,
  newObject,
  objectOf,
  settleAddressed,
  settleArgument,
  unknownOf,
} from '../run.js'
import { State, type Value, isAddress, isNull, isUnchecked, unknownValue } from '../state.js'
import type { Summary } from '../summary.js'
import { isMacroName, isUnset, namesLabel } from './leaving-macros.js'

export function evaluateCall(run: Run, state: State, call: ExprOf<'call'>): Value {
  const value = valueOfCall(run, state, call)
  if (run.program.endings.has(call.name) || (call.receiver === null && (isTold(run, call) || neverReturns(run, call))))
    state.setObject('end', newObject('end', call))
  return value
}

/** `error("cannot connect")` and its overloads: whichever it is, it throws. */
function neverReturns(run: Run, { name, args }: ExprOf<'call'>): boolean {
  const parts = name.split('::')
  const isMeant = ({ owner, parameters }: FunctionIr): boolean =>
    parameters.length === args.length && (parts.length === 1 || owner === parts.at(-2))
  const all = run.overloads.get(parts.at(-1) ?? name)?.filter((one) => isMeant(one)) ?? []
  return all.length > 0 && all.every((one) => run.summaryOf(one)?.neverReturns === true)
}

const isTold = (run: Run, { name, args }: ExprOf<'call'>): boolean =>
  args.length > 1 &&
  endsProgramBy(
    name,
    args.slice(0, 2).map(({ start, end }) => run.text.slice(start, Math.min(end, start + 120))),
  )

function valueOfCall(run: Run, state: State, call: ExprOf<'call'>): Value {
  if (call.callee !== null) run.evaluate(state, call.callee)
  noteCalledUnderLock(run, state, call.name)
  borrow(run, state, call)
  if (modelOf(run, call.name)?.shares_lock === true) run.lockCareful.add(run.frame.fn)
  noteMadeLock(run, state, call.name)
  if (moveAway(run, state, call)) return run.evaluate(state, call.args[0] ?? call)
  if (call.receiver !== null) {
    if (lockMethod(run, state, call, call.receiver)) return unknownValue
    methodOnMoved(run, state, call, call.receiver)
    const contained = containerCall(run, state, call, call.receiver)
    restoredBehind(run, state, call)
    if (contained !== null) return contained
    evaluateReceiver(run, state, call.receiver)
  }
  forgetGiven(run, state, call.args)
  if (call.type !== null) {
    const read = numberRead(run, state, call)
    if (read !== null) return read
  }
  const own = call.callee === null && call.receiver === null ? ownFunction(run, call) : undefined
  const isMacro =
    run.program.macros.has(call.name) ||
    (call.args.length === 0 && run.program.plainMacros.has(call.name)) ||
    (own === undefined && (isMacroName(call.name) || namesLabel(run.frame.fn, call)))
  const isForeign = own === undefined && !run.program.macros.has(call.name) && call.receiver === null && !isOwnMethod(run, call)
  const found = isForeign ? modelOf(run, call.name) : null
  const model = isAboutTimeOnly(found) ? null : found
  const setsArgument = call.args.some((one) => isUnset(state, one))
  // `emalloc(p, T, n, "here");` sets `p`: a function would not get it.
  if (isMacro ? model === null || setsArgument : model?.allocates !== undefined && setsArgument)
    return macroCall(run, state, call)
  if (call.receiver !== null && isReading(modelOf(run, call.name), call.receiver)) {
    // `in.get(c)` answers the stream, and gives `c` a value.
    for (const argument of call.args) {
      const value = argumentValue(run, state, argument)
      settleArgument(state, argument, value)
      settleAddressed(state, value)
    }
    return resultOf(run, state, call, modelOf(run, call.name) ?? {}, [])
  }
  const claim = model?.asserts === undefined ? undefined : claimOf(call.args, model.asserts)
  if (claim !== undefined) {
    const { yes } = run.branch(state.copy(), claim)
    if (yes.length > 0) state.become(joinAll(run, yes, `${call.start}`))
    else state.setObject('end', newObject('end', call))
    return unknownValue
  }
  const args = call.args.map((argument) => argumentValue(run, state, argument))
  if (call.args.length === 2 && own === undefined && takesBytes(call)) checkConstructed(run, state, call.args)
  restoredBehind(run, state, call)
  if (call.receiver !== null && readsInto(run, state, call, call.receiver, args)) return unknownValue
  if (model === null) forgetOtherCounts(state)
  if (own !== undefined) return ownCall(run, state, call, own, args)
  if (model !== null) return modelledCall(run, state, call, model, args)
  const answer = unknownCall(run, state, call, args)
  const method = call.receiver === null ? undefined : methodOf(run, call, call.receiver)
  if (method !== undefined) fillReferences(run, state, call, method, run.summaryOf(method)?.fills ?? [])
  return answer
}

/** `assert("has a name", p->name != NULL)`: what is said when it does not hold may come first. */
const claimOf = (args: readonly Expr[], at: number): Expr | undefined => {
  const claim = args.at(at)
  return claim?.op === 'text' ? (args.find(({ op }) => op !== 'text') ?? claim) : claim
}

/** `std::string(bytes, n)`, `QString::fromUtf8(bytes, n)` */
const takesBytes = ({ name, callee, receiver }: ExprOf<'call'>): boolean =>
  callee === null &&
  receiver === null &&
  (isTextType(name) || views.has(name) || /(?:^|::)from(?:Utf8|Latin1|Local8Bit|RawData)$/.test(name))

/** Says when something runs and nothing of what the call does with its arguments. */
const isAboutTimeOnly = (model: FunctionModel | null): boolean =>
  model?.runs_later === true || model?.waits === true || model?.shares_lock === true

/** Containers that a call gets may have been changed by it. */
function forgetGiven(run: Run, state: State, args: readonly Expr[]): void {
  for (const argument of args) {
    const bare = argument.op === 'address' ? argument.base : argument
    if (!isSequence(bare.type)) continue
    const { place } = spotOf(run, state, bare, 'read')
    if (place !== null) forgetCount(state, place)
  }
}

/** `in.get<std::uint16_t>()` is what `in.get_uint16_t()` is. */
function numberRead(run: Run, state: State, call: ExprOf<'call'>): Value | null {
  const model = modelOf(run, `${call.name}_${call.type?.name ?? ''}`)
  return model?.result?.data === true ? resultOf(run, state, call, model, []) : null
}

/** A method that reads a number, of any object or of those that the model names. */
function isReading(model: FunctionModel | null, receiver: Expr): boolean {
  const type = receiver.type?.kind === 'pointer' ? receiver.type.of : receiver.type
  return model?.result?.data === true && (model.on === undefined || model.on.includes(type?.name ?? ''))
}

/** `in.read(reinterpret_cast<char *>(&header), sizeof header)` */
function readsInto(run: Run, state: State, call: ExprOf<'call'>, receiver: Expr, args: readonly Value[]): boolean {
  const model = modelOf(run, call.name)
  const type = receiver.type?.kind === 'pointer' ? receiver.type.of : receiver.type
  if (model?.reads_into === undefined || model.on?.includes(type?.name ?? '') !== true) return false
  for (const [at, value] of args.entries()) {
    const argument = call.args[at]
    if (argument !== undefined) settleArgument(state, argument, value)
  }
  fillArguments(run, state, { fills: [model.reads_into] }, args)
  return true
}

/** A variable without a value may be set by a call that takes it by reference. */
function argumentValue(run: Run, state: State, argument: Expr): Value {
  if (argument.op !== 'variable') return run.evaluate(state, argument)
  const value = state.value(`&${argument.name}`)
  return value?.isUnset === true && argument.isLocal ? value : run.evaluate(state, argument)
}

const evaluateReceiver = (run: Run, state: State, receiver: Expr): void => {
  const value =
    receiver.op === 'variable' && state.value(`&${receiver.name}`)?.isUnset === true
      ? unknownValue
      : run.evaluate(state, receiver)
  if (receiver.type?.kind === 'pointer' || receiver.op === 'call') checkUse(run, state, value, receiver)
  escape(run, state, value)
  for (const { object } of value.to ?? []) forgetInside(run, state, object)
  if (receiver.op === 'variable' && receiver.type?.kind !== 'pointer')
    forgetPlain(state, `${receiver.isLocal ? '&' : '::'}${receiver.name}.`)
}

/** The fields of an object that its own method may have set; who owns what they point to stays. */
const forgetPlain = (state: State, start: string): void =>
  state.forget((place) => place.startsWith(start) && (state.value(place)?.to ?? []).length === 0)

const ownFields = '*&this 0.'

/** `::close(fd)` in a class is not its own `close`. */
function ownFunction(run: Run, call: ExprOf<'call'>): FunctionIr | undefined {
  const own = functionNamed(run, call.name)
  return own?.owner != null && run.text.startsWith('::', call.start) ? undefined : own
}

/** `write(&out, 0)` in a class with methods of that name. */
const isOwnMethod = (run: Run, { name, args }: ExprOf<'call'>): boolean =>
  run.frame.fn.owner !== null &&
  run.overloads.get(name)?.some(({ owner, parameters }) => owner === run.frame.fn.owner && parameters.length === args.length) ===
    true

/** `run.frame.changesOutside` is true for all that nobody can look into. */
function unknownCall(run: Run, state: State, call: ExprOf<'call'>, args: readonly Value[]): Value {
  run.frame.changesOutside = true
  forgetNulls(state)
  if (call.receiver === null) setAgain(state, ownFields)
  maybeGiven(run, state, call.name, args)
  // C++: `Address::make(found)` may take a pointer that is null by reference, to fill it.
  const isMethod = call.receiver !== null || call.name.includes('::')
  for (const [at, value] of args.entries()) {
    const argument = call.args[at]
    if (argument === undefined) continue
    settleArgument(state, argument, value)
    if (argument.op === 'variable' && argument.type?.kind === 'record') loosenFields(run, state, argument)
    if (isMethod && value.nil === isNull && argument.op === 'variable') state.set(`&${argument.name}`, unknownValue)
    restore(state, argument.op === 'address' ? argument.base : argument)
    if (value.to !== null && argument.op !== 'address' && !isOnlyWritten(call, at, value) && !isToldClosed(call, argument, at))
      checkLife(run, state, value, argument)
    escape(run, state, value)
    // `waiting.push_back(*job)`: an intrusive list holds what it is given a reference to.
    const isHeld = call.receiver !== null && argument.op === 'dereference' && modelOf(run, call.name)?.container === 'move'
    if (isHeld) escape(run, state, run.evaluate(state, argument.base))
    takeOut(state, call.name, value)
    for (const { object } of value.to ?? []) changed(run, state, object)
  }
  const made = unknownOf(run, state, `call ${call.start} ${state.epoch}`, call.type)
  noteMade(state, made, call, args)
  return made
}

/** `if (close(fd) == 0) onClose(fd);`: who is told what was closed gets its number. */
const isToldClosed = ({ name }: ExprOf<'call'>, { type }: Expr, at: number): boolean =>
  type?.kind !== 'pointer' &&
  // `close(to); fcntl(from, F_DUPFD, to);`
  ((name === 'fcntl' && at === 2) ||
    /^(?:on|notify|note)_?(?:[A-Z]|[a-z_]{0,20}clos)|closed$|(?:^|_)(?:fd_?chk|fd_?check|forget|unregister)(?:_|$)/.test(name))

const taking = /remove|unlink|detach|(?:^|_)del(?:ete)?(?:_|$)|dequeue|take_?out|disconnect/i

/** `list_unlink(node);`: what pointed to it points to its neighbour now. */
function takeOut(state: State, name: string, { to }: Value): void {
  if (to === null || !taking.test(name)) return
  const isTaken = (held: Value): boolean => held.to?.some(({ object }) => to.some((one) => one.object === object)) === true
  for (const [place, held] of state.places())
    if ((place.startsWith('*') || place.startsWith('::')) && isTaken(held)) state.set(place, unknownValue)
}

/** A call may have put anything into this object. */
function changed(run: Run, state: State, object: string): void {
  const known = state.object(object)
  forgetInside(run, state, object)
  if (known?.by === 'stack') state.set(object, unknownOf(run, state, `set ${object} ${state.epoch}`, null))
  // What was freed through it may be another object now.
}

function ownCall(run: Run, state: State, call: ExprOf<'call'>, own: FunctionIr, args: readonly Value[]): Value {
  const summary = run.summaryOf(own)
  if (summary === null) return unknownCall(run, state, call, args)
  run.frame.changesOutside ||= summary.changesOutside
  if (summary.changesOutside) forgetNulls(state)
  if (summary.changesOutside && own.owner !== null) setAgain(state, ownFields)
  freeFields(run, state, call, summary.freedFields, args)
  for (const [at, value] of args.entries()) {
    const argument = call.args[at]
    if (argument === undefined) continue
    const isReference = own.parameters[at]?.type?.isReference === true
    if (value.isUnset && !isReference && argument.op === 'variable' && argument.type?.kind !== 'record')
      reportUnset(run, argument.name, argument)
    settleArgument(state, argument, value)
    const frees = summary.frees.get(at)
    if (summary.refusesNull.has(at) && (value.nil & isUnchecked) !== 0) trust(state, value)
    else if (summary.uses.has(at) && frees === undefined && !(own.hasErrors && value.nil === isNull))
      checkUse(run, state, value, argument)
    else if (frees === undefined && !isReplaced(run, state, value, own, at)) checkGiven(run, state, call, at, value)
    if (frees !== undefined) releaseFields(run, state, own, at, value)
    if (frees === 'always') endObject(run, state, value, 'own', argument)
    else if (frees === 'sometimes') lend(run, state, value)
    if (frees !== undefined) moveHeads(run, state, own, value)
    if (
      summary.keeps.has(at) ||
      isOwner(run, own.parameters[at]?.type, argument) ||
      value.to?.[0]?.object.startsWith('descriptor') === true
    )
      escape(run, state, value)
    if (summary.changesOutside && frees === undefined) takeOut(state, own.name, value)
    if (summary.changesOutside && frees !== 'always') for (const { object } of value.to ?? []) changed(run, state, object)
    argumentMoved(run, state, argument, isReference)
    if (isReference && argument.op === 'variable')
      state.set(
        argument.isLocal ? `&${argument.name}` : `::${argument.name}`,
        unknownOf(run, state, `set ${argument.start} ${state.epoch}`, argument.type),
      )
  }
  answerDemands(run, state, summary.demands, own.parameters, args)
  applyLocks(run, state, call, summary.locks, args)
  applyMoved(run, state, call, own, summary.moves, args)
  fillArguments(run, state, { fills: [...summary.fills] }, args)
  fillReferences(run, state, call, own, summary.fills)
  for (const [key, type] of summary.dataFields) {
    const [at, field] = key.split(' ')
    const [only] = args[Number(at)]?.to ?? []
    if (only === undefined || args[Number(at)]?.to?.length !== 1) continue
    const place = field === undefined || field === '' ? only.object : `${only.object}.${field}`
    state.set(place, unknownOf(run, state, `${place} data ${call.start}`, type, { isData: true }))
  }
  if (summary.neverReturns) state.setObject('end', newObject('end', call))
  if (summary.returnsParameter !== null) {
    const value = args[summary.returnsParameter]
    // `if (!p) INIT(p, .n = 1);`: what was not read may have given it a value.
    if (value !== undefined && !(own.hasErrors && value.nil === isNull)) return value
  }
  if (summary.views !== null) {
    const self = state.value('&this')?.to?.[0]?.object
    if (self !== undefined)
      return { ...viewOf(run, state, `${self}${summary.views}`), nil: summary.mayBeNull ? isNull | isAddress : isAddress }
  }
  const nil = summary.mayBeNull ? isNull | isAddress | isUnchecked : summary.makes === null ? isNull | isAddress : isAddress
  if (summary.makes !== null) {
    const made = freshObject(run, state, call, summary.makes.by, summary.makes.size, nil)
    noteMade(state, made, call, args)
    return made
  }
  return answerOf(run, state, call, { own, summary, nil }, args)
}

/** What a call looks at must exist. */
function checkGiven(run: Run, state: State, call: ExprOf<'call'>, at: number, value: Value): void {
  const argument = call.args[at]
  if (argument !== undefined && argument.op !== 'address' && !isOnlyWritten(call, at, value))
    checkLife(run, state, value, argument)
}

/** What is over there does not matter: the function begins by assigning the parameter. */
function isReplaced(run: Run, state: State, { to }: Value, { parameters, body }: FunctionIr, at: number): boolean {
  if (to?.some(({ object }) => objectOf(state, object).life !== 'live') !== true) return false
  const name = parameters[at]?.name ?? ''
  const first = new RegExp(`\\b${name}\\b(?:\\s{0,9}(=)(?!=))?`).exec(run.text.slice(body.start, body.end))
  return /^\w+$/.test(name) && first?.[1] !== undefined
}

/** What nothing else is known of. */
function answerOf(
  run: Run,
  state: State,
  call: ExprOf<'call'>,
  { own, summary, nil }: { readonly own: FunctionIr; readonly summary: Summary; readonly nil: number },
  args: readonly Value[],
): Value {
  const isSearch = (nil & isUnchecked) !== 0 && !summary.changesOutside && summary.frees.size === 0
  const asked = isSearch ? placeOfSearch(run, state, call, args) : null
  const before = asked === null ? undefined : state.value(asked)
  if (before !== undefined) return before
  const made = unknownOf(run, state, `call ${call.start} ${state.epoch}`, own.returns)
  for (const { object } of made.to ?? []) run.callees.set(object, call.name)
  if (made.number !== null && own.returns?.kind === 'integer') {
    const symbol = `call ${call.start} ${state.epoch}`
    noteOutcomes(run, state, symbol, summary.outcomes, args, call)
    return numberValue(freshSymbol(run.symbols, symbol, { low: summary.low, high: summary.high, isData: summary.isData }))
  }
  const answer = { ...made, nil: own.returns?.name === 'optional' ? isNull | isAddress | isUnchecked : nil }
  if (asked !== null) noteSearch(state, asked, answer)
  return answer
}

/** A callee frees it on some ways. */
function lend(run: Run, state: State, value: Value): void {
  for (const { object } of value.to ?? []) {
    const known = objectOf(state, object)
    if (known.life === 'live') state.setObject(object, { ...known, isLent: true, escaped: true })
  }
  escape(run, state, value)
}
