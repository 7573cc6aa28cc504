/** Calls of libraries, by their models. */
import type { FunctionModel } from '../../rulebook/function-model.js'
import { reportUnset } from '../memory/unset.js'
import { compileRegex } from '../../rulebook/safe-regex.js'
import { numberValue } from '../numbers/arithmetic.js'
import { checkAmount, checkLife, mostOnHeap, checkSize, checkUse, endObject, lifeOf, oneByte, trust } from '../memory/checks.js'
import { type Linear, add, constant, isConstant, scale, symbolic, zero } from '../numbers/linear.js'
import { freshSymbol, openData, rangeOf } from '../numbers/numbers.js'
import type { Expr, ExprOf, Place, Type } from '../program.js'
import {
  type Run,
  escape,
  forgetInside,
  lengthOf,
  newObject,
  objectOf,
  report,
  settleAddressed,
  settleArgument,
  unknownOf,
} from '../run.js'
import { State, type Value, isAddress, isNull, isUnchecked, moved } from '../state.js'
import { giveLock, lockResult, takeLock } from '../memory/locks.js'
import { releaseElements } from '../memory/elements.js'
import { argumentMoved } from '../memory/moves.js'
import { beginBlank } from '../memory/blank.js'
import { holdsCharacter, noteJoined } from '../memory/begun.js'
import { noteMoved } from '../memory/resized.js'
import { checkOpenText } from '../memory/texts.js'
import { answeredBefore, noteAnswer, notePart } from './again.js'
import { noteFailing } from './outcomes.js'
import { isOnlyWritten } from './printed.js'
import { clearArgument } from './cleared.js'
import { isZero, noteDropped, restoresIds } from './restored-ids.js'
import { argumentBytes, noteOpenText, transfers } from './transfers.js'

export function freshObject(
  run: Run,
  state: State,
  place: Place,
  by: string,
  size: Linear | null,
  nil: number,
  isOwned = true,
): Value {
  const object = `${by} ${place.start}`
  keepOlder(state, object)
  forgetInside(run, state, object)
  state.setObject(object, newObject(by, place, { isOwned, size, escaped: !isOwned }))
  if (by === 'descriptor') freshSymbol(run.symbols, object, { low: -1, high: 2 ** 31 - 1 })
  return { number: by === 'descriptor' ? symbolic(object) : null, to: [{ object, at: zero }], nil, isUnset: false }
}

/** A loop came here before: what still points to the object of an earlier round means that one. */
function keepOlder(state: State, object: string): void {
  const old = state.object(object)
  if (old === undefined) return
  const older = `${object} before`
  let isHeld = false
  for (const [place, value] of state.places()) {
    if (value.to?.some((one) => one.object === object) !== true) continue
    isHeld = true
    state.set(place, { ...value, to: value.to.map((one) => (one.object === object ? { ...one, object: older } : one)) })
  }
  if (isHeld) state.setObject(older, { ...old, isOwned: false, escaped: true, life: old.life === 'live' ? 'live' : 'unknown' })
}

export function modelledCall(run: Run, state: State, call: ExprOf<'call'>, model: FunctionModel, args: readonly Value[]): Value {
  for (const at of model.needs ?? []) {
    const [value, argument] = [args[at], call.args[at]]
    if (value === undefined || argument === undefined || argument.op === 'address') continue
    // `fclose(f)` twice: told as that.
    if (at === model.frees && value.to?.length === 1 && lifeOf(run, state, value.to[0]?.object ?? '') === 'freed') continue
    checkUse(run, state, value, argument)
  }
  for (const [at, value] of args.entries()) {
    const argument = call.args[at]
    if (argument === undefined) continue
    if (isTargetOf(model, at) && (value.to ?? []).some(({ object }) => objectOf(state, object).by === 'outside'))
      run.frame.changesOutside = true
    const isTarget = isTargetOf(model, at)
    argumentMoved(run, state, argument.op === 'address' ? argument.base : argument, isTarget || argument.op === 'address')
    if (bareOf(argument).op === 'address' && model.reads?.from !== at) settleAddressed(state, value)
    if (value.isUnset && argument.op === 'variable') {
      if (!isTarget || argument.type?.kind === 'pointer') reportUnset(run, argument.name, argument)
      settleArgument(state, argument, value)
    }
    const isReached = at !== model.frees && value.to !== null && argument.op !== 'address' && !isOnlyWritten(call, at, value)
    if (isReached) checkLife(run, state, value, argument)
    if (model.keeps?.includes(at) === true || isKeptFor(call, model, at) || isPacked(call, model, at)) escape(run, state, value)
  }
  for (const at of model.refuses_null ?? []) {
    const refused = args[at]
    if (refused !== undefined && (refused.nil & isUnchecked) !== 0) trust(state, refused)
  }
  const [sized, expr] = model.sizes === undefined ? [] : [args[model.sizes], call.args[model.sizes]]
  if (sized?.number != null && expr !== undefined && call.args.length === 1) checkSize(run, state, sized.number, expr)
  if (model.drops === 'group' && state.value('user dropped') !== undefined && !restoresIds(run, call))
    report(run, 'late-privileges', call)
  if (model.drops === 'user') noteDropped(state, call)
  transfers(run, state, call, model, args)
  fillArguments(run, state, model, args, call.args)
  noteOpenText(run, state, call, model, args)
  lockArguments(run, state, call, model, args)
  if (model.never_returns === true || isExit(call, model)) state.setObject('end', newObject('end', call))
  if (model.frees !== undefined && model.allocates === undefined) {
    const [value, argument] = [args[model.frees], call.args[model.frees]]
    if (value !== undefined && argument !== undefined && !isStandardStream(model, argument)) {
      endObject(run, state, value, model.family ?? 'heap', argument)
      releaseElements(run, state, argument)
    }
  }
  clearArgument(run, state, call, model)
  const before = answeredBefore(run, state, call, model, args)
  if (before !== null) return before
  const answer = resultOf(run, state, call, model, args)
  noteAnswer(run, state, call, model, args, answer)
  const ended = model.frees === undefined || model.result?.fails !== true ? undefined : args[model.frees]
  if (ended !== undefined) noteFailing(run, state, answer, ended, call)
  noteJoined(state, call, model, args, answer)
  return answer
}

/** `close(STDIN_FILENO)`: a constant of another file is a number, and something else is opened under it. */
const isStandardStream = ({ family }: FunctionModel, argument: Expr): boolean =>
  family === 'descriptor' && argument.op === 'variable' && !argument.isLocal && /^[A-Z][A-Z0-9_]*$/.test(argument.name)

/** `errc(1, errno, "cannot read")`, `elog(ERROR, "cannot read")` */
function isExit({ args }: ExprOf<'call'>, { exits_with: at, exit_levels: levels = [] }: FunctionModel): boolean {
  const status = at === undefined ? undefined : args[at]
  if (status?.op === 'variable') return levels.includes(status.name)
  return status?.op === 'number' && status.value !== 0
}

/** `curl_easy_setopt(handle, CURLOPT_PRIVATE, job)` */
function isKeptFor({ args }: ExprOf<'call'>, { keeps_for: kept }: FunctionModel, at: number): boolean {
  const option = kept?.kept === at ? args[kept.option] : undefined
  return kept !== undefined && option?.op === 'variable' && compileRegex(kept.name).test(option.name)
}

/** `curl_easy_getinfo(handle, CURLINFO_PRIVATE, (char **) &job)` */
const bareOf = (argument: Expr): Expr => (argument.op === 'cast' ? argument.value : argument)

/** `json_pack("{s:s, s:o}", "name", name, "all", all)`: an `o` takes the object over, all else is copied. */
function isPacked({ args }: ExprOf<'call'>, { packs }: FunctionModel, at: number): boolean {
  const format = packs === undefined ? undefined : args[packs]
  if (packs === undefined || format?.op !== 'text' || at <= packs) return false
  const taken = format.value.match(/[a-zA-Z#%+]/g)?.filter((one) => one !== 'n')
  return taken?.[at - packs - 1] === 'o'
}

const isTargetOf = (model: FunctionModel, at: number): boolean =>
  model.writes?.to === at || model.fills?.includes(at) === true || model.changes?.includes(at) === true

function lockArguments(run: Run, state: State, call: ExprOf<'call'>, model: FunctionModel, args: readonly Value[]): void {
  const at = model.locks ?? model.unlocks
  const [only] = at === undefined || at === 'receiver' ? [] : (args[at]?.to ?? [])
  // `pthread_mutex_lock(&all[n].lock)`: of which element it is nobody knows.
  const isElement = only !== undefined && (only.at === null || !isConstant(only.at))
  if ((only === undefined || isElement) && typeof at === 'number') run.lockCareful.add(run.frame.fn)
  if (only === undefined || isElement) return
  if (model.locks === undefined) giveLock(run, state, only.object, call)
  else takeLock(run, state, only.object, call)
}

/** Of the variable whose place is given, where that is an address. */
function addressIn(given: Expr | undefined): Type | null {
  const held = given?.op === 'address' ? given.base.type : given?.type?.kind === 'pointer' ? given.type.of : null
  return held?.kind === 'pointer' ? held : null
}

export function fillArguments(
  run: Run,
  state: State,
  model: FunctionModel,
  args: readonly Value[],
  given: readonly Expr[] = [],
): void {
  for (const at of [...(model.fills ?? []), ...(model.changes ?? [])]) {
    const isData = model.fills?.includes(at) === true
    const line = isData ? addressIn(given[at]) : null
    // `getline(&line, &size, f)`: the text is data, the address of it is not.
    if (line !== null) {
      for (const { object } of args[at]?.to ?? [])
        state.set(object, unknownOf(run, state, `filled ${object} ${state.epoch}`, line))
      continue
    }
    for (const { object } of args[at]?.to ?? []) {
      forgetInside(run, state, object)
      const known = objectOf(state, object)
      state.setObject(object, { ...known, isData: isData || known.isData })
      state.set(object, unknownOf(run, state, `filled ${object} ${state.epoch}`, filledType(given[at]), { isData }))
      state.forget((place) => isData && place === object && known.size === null)
    }
  }
}

/** `read(fd, &n, 4)`: a variable keeps to what its type can hold. */
function filledType(argument: Expr | undefined): Type | null {
  const bare = argument === undefined ? null : bareOf(argument)
  return bare?.op === 'address' && bare.base.type?.kind === 'integer' ? bare.base.type : null
}

export function resultOf(run: Run, state: State, call: ExprOf<'call'>, model: FunctionModel, args: readonly Value[]): Value {
  if (model.allocates !== undefined) return allocated(run, state, call, model, args)
  if (typeof model.locks === 'number') return lockResult(run, args[model.locks]?.to?.[0]?.object ?? '')
  if (model.returns_argument !== undefined) {
    const value = args[model.returns_argument]
    const argument = call.args[model.returns_argument]
    if (value !== undefined && argument !== undefined) {
      // Every text has its end: `strchr(s, 0)`.
      const isThere =
        model.finds !== undefined &&
        (isZero(call.args[model.finds]) || holdsCharacter(state, value, args[model.finds]?.number ?? null))
      const nil = model.may_be_null === true && !isThere ? isNull | isAddress | isUnchecked : value.nil
      const by = model.may_be_null === true ? foundBehind(run, state, call, model, value) : zero
      return { number: null, to: value.to?.map((target) => moved(target, by)) ?? null, nil, isUnset: false }
    }
  }
  const { result } = model
  const name = turnedNumber(call, model, args) ?? `call ${call.start} ${state.epoch}`
  if (result?.length_of !== undefined) {
    const measured = args[result.length_of]
    if (measured !== undefined) checkOpenText(run, state, measured, call)
    const [text] = measured?.to ?? []
    const length = text === undefined ? null : lengthOf(run, state, text.object)
    const number = length === null || text?.at == null ? null : add(length, text.at, -1)
    return numberValue(number ?? freshSymbol(run.symbols, name, { low: 0 }))
  }
  if (result?.exceeds === true) {
    const hasTexts = call.args.some((one) => one.op === 'text' && /%-?s/.test(one.value))
    return numberValue(freshSymbol(run.symbols, name, { low: -1, high: 2 ** 31 - 1, mayExceed: hasTexts }))
  }
  if (result !== undefined) {
    const bits = 8 * (result.bytes ?? 8)
    const isSigned = result.signed === true || result.fails === true
    const low =
      result.fails === true
        ? -1
        : isSigned
          ? -(2 ** (bits - 1))
          : result.data === true || result.most !== undefined
            ? 0
            : -Infinity
    const number = freshSymbol(run.symbols, name, {
      low,
      high: isSigned ? 2 ** (bits - 1) - 1 : 2 ** bits - 1,
      isData: result.data === true,
      mayFail: result.fails === true,
      isParsed: result.parsed === true,
    })
    const most = result.most === undefined ? null : (args[result.most]?.number ?? null)
    if (most !== null)
      state.setRange(name, {
        low,
        high: rangeOf(run.symbols, state, most).high,
        isTight: isConstant(most),
        most: isConstant(most) ? null : most,
        isChecked: false,
      })
    return numberValue(number)
  }
  const made = unknownOf(run, state, name, call.type)
  if (model.may_be_null !== true) return made
  const answer = { ...made, number: null, nil: isAsked(run, call, model) ? isAddress : isNull | isAddress | isUnchecked }
  if (model.parts === true) notePart(state, call, answer)
  return answer
}

/** `if (ntohs(head->length) > room) return;`: what is asked of a number in another byte order holds wherever it is turned again. */
function turnedNumber({ name }: ExprOf<'call'>, { same_again: isSame }: FunctionModel, args: readonly Value[]): string | null {
  const { constant: by, terms } = args[0]?.number ?? zero
  return isSame === true && args.length === 1 && terms.length > 0 ? `${name} ${by} ${terms.flat().join(' ')}` : null
}

/** `if (!json_is_string(part)) return -1; ... strlen(json_string_value(part))` */
function isAsked(
  run: Run,
  { args, start, end }: ExprOf<'call'>,
  { asked_by: askers, asks_kind: isAboutKind }: FunctionModel,
): boolean {
  // `if (dynamic_cast<Button *>(w)) dynamic_cast<Button *>(w)->press();`
  const isAsking = (guard: Place): boolean =>
    kind.test(headOf(run.text, guard)) ||
    (guard.start < start && headOf(run.text, { start: guard.start, end: start }).includes(run.text.slice(start, end)))
  if (isAboutKind === true && run.frame.guards.some((guard) => isAsking(guard))) return true
  const [about] = args
  if (askers === undefined || about === undefined) return false
  const text = run.text.slice(about.start, about.end)
  return run.frame.fn.calls.some(
    (one) =>
      one.start < start && askers.includes(one.name) && one.args.some((arg) => run.text.slice(arg.start, arg.end) === text),
  )
}

/** `if (value->type == Type::text)`, `switch (node.kind())`, `if (isLeaf(node))` */
const kind = /(?:[kK]ind|[tT]ype|[tT]ag)\w*|\bis_?[a-zA-Z]\w*/

/** The condition, without what stands in its branches. */
const headOf = (text: string, { start, end }: Place): string =>
  text.slice(start, Math.min(end, start + 200)).split(/[{;]/, 1)[0] ?? ''

/** How far behind its beginning a search has found something; the same in all that is computed from its result. */
function foundBehind(run: Run, state: State, { start, args }: ExprOf<'call'>, { finds }: FunctionModel, { to }: Value): Linear {
  const name = `found ${start} ${state.epoch}`
  const [only, ...others] = to ?? []
  const isText = finds !== undefined && only?.at != null && others.length === 0
  const most = isText ? add(lengthOf(run, state, only.object), only.at, -1) : null
  // What is no zero itself stands in front of the one at the end.
  const sought = finds === undefined ? undefined : args[finds]
  const last = most !== null && sought?.op === 'number' && sought.value !== 0 ? add(most, oneByte, -1) : most
  state.setRange(name, { low: 0, high: Infinity, isTight: false, most: last, isChecked: false })
  return freshSymbol(run.symbols, name, { low: 0 })
}

const mostOnStack = 2 ** 15

function allocated(run: Run, state: State, call: ExprOf<'call'>, model: FunctionModel, args: readonly Value[]): Value {
  const found = model.size === undefined ? null : argumentBytes(run, state, call, args, model.size)
  if (found !== null && model.size?.length === 1) checkSize(run, state, found.bytes, found.expr)
  const by = model.allocates ?? 'heap'
  if (found !== null) checkAmount(run, state, found.bytes, found.expr, by === 'alloca' ? mostOnStack : mostOnHeap)
  if (found !== null && openData(run.symbols, state, found.bytes).length > 0) run.amounts.set(`${by} ${call.start}`, 'data')
  else if (found !== null && model.frees === undefined && !isFixed(found.bytes)) run.amounts.set(`${by} ${call.start}`, 'open')
  const isSure = model.never_null_with !== undefined && run.text.slice(call.start, call.end).includes(model.never_null_with)
  const nil = model.may_be_null === true && !isSure ? isNull | isAddress | isUnchecked : isAddress
  let size = found?.bytes ?? null
  // `strdup(s)`
  if (model.writes?.text !== undefined && size === null) {
    const copied = args[model.writes.text]
    if (copied !== undefined) checkOpenText(run, state, copied, call)
    const [text, other] = copied?.to ?? []
    size = text === undefined || other !== undefined ? null : add(lengthOf(run, state, text.object), oneByte)
  }
  const old = model.frees === undefined ? undefined : args[model.frees]
  if (old !== undefined) {
    const [only] = old.to ?? []
    if (only !== undefined && lifeOf(run, state, only.object) === 'freed') report(run, 'use-after-free', call)
    // When it fails the old memory is still there: nobody knows which of both is.
    for (const { object } of old.to ?? []) state.setObject(object, { ...objectOf(state, object), life: 'unknown', escaped: true })
    const made = freshObject(run, state, call, by, size, nil, true)
    if (old.to?.length === 1 && only !== undefined) noteMoved(state, made, only.object)
    return made
  }
  const made = freshObject(run, state, call, by, size, nil, by !== 'stack' && by !== 'alloca')
  if (by === 'heap' && model.zeroed !== true && model.writes === undefined) beginBlank(state, `${by} ${call.start}`)
  return made
}

/** `new QTreeWidgetItem(ui->tree, columns)`: toolkits of windows keep a part in what it is put into. */
function isPartOfWindow({ type, args: [into] }: ExprOf<'new'>): boolean {
  if (!/^(?:Q|wx)[A-Z]/.test(type?.of?.name ?? '') || into === undefined) return false
  return into.op === 'variable' ? into.type?.kind === 'pointer' : into.op === 'field' && into.base.op === 'dereference'
}

/** Constants and sizes of types. */
const isFixed = ({ terms }: Linear): boolean => terms.every(([symbol]) => symbol.startsWith('sizeof '))

export function evaluateNew(run: Run, state: State, expr: ExprOf<'new'>): Value {
  for (const argument of expr.args) escape(run, state, run.evaluate(state, argument))
  const count = expr.count === null ? null : run.evaluate(state, expr.count).number
  const bytes = expr.type?.of?.bytes ?? null
  const isChild =
    expr.args.some((one) => one.op === 'variable' && /^this$|parent_?$|owner_?$/i.test(one.name)) || isPartOfWindow(expr)
  if (count !== null && expr.count !== null) checkSize(run, state, count, expr.count)
  const size =
    expr.count === null
      ? bytes === null || bytes === 0
        ? null
        : constant(bytes)
      : count === null || bytes === null
        ? null
        : scale(count, bytes)
  return freshObject(
    run,
    state,
    expr,
    expr.count === null ? 'new' : 'new[]',
    size,
    expr.mayBeNull ? isNull | isAddress | isUnchecked : isAddress,
    // Whoever is named to it as its parent ends it.
    !isChild,
  )
}
