/** What calls of libraries write and read, in bytes. */
import type { FunctionModel } from '../../rulebook/function-model.js'
import { checkLength, oneByte } from '../memory/checks.js'
import { type Linear, add, constant, isConstant, scale, symbolic, zero } from '../numbers/linear.js'
import { freshSymbol, rangeOf } from '../numbers/numbers.js'
import type { Expr, ExprOf, Place } from '../program.js'
import { type Run, escape, forgetInside, lengthOf, objectOf, report } from '../run.js'
import { noteShift } from './shifts.js'
import { checkUnasked, isGivenContainer } from '../memory/unasked.js'
import { checkBlank, endBlank } from '../memory/blank.js'
import { checkOpenText, openText } from '../memory/texts.js'
import { State, type Target, type Value, unknownValue } from '../state.js'

/** A number of bytes: an argument or the product of two. */
export function argumentBytes(
  run: Run,
  state: State,
  call: ExprOf<'call'>,
  args: readonly Value[],
  indexes: readonly number[],
): { readonly bytes: Linear; readonly expr: Expr } | null {
  const [first, second] = indexes
  const [a, b] = [first === undefined ? undefined : args[first], second === undefined ? undefined : args[second]]
  const expr = first === undefined ? undefined : call.args[first]
  if (a?.number == null || expr === undefined) return null
  if (second === undefined) return { bytes: a.number, expr }
  if (b?.number == null) return null
  if (isConstant(a.number)) return { bytes: scale(b.number, a.number.constant), expr }
  if (isConstant(b.number)) return { bytes: scale(a.number, b.number.constant), expr }
  const { low } = rangeOf(run.symbols, state, a.number)
  return low < 0 ? null : { bytes: freshSymbol(run.symbols, `bytes ${call.start}`, { low: 0 }), expr }
}

/** What the call reads and writes. */
export function transfers(run: Run, state: State, call: ExprOf<'call'>, model: FunctionModel, args: readonly Value[]): void {
  const { writes, reads } = model
  if (model.allocates !== undefined) return
  noteShift(run, call)
  if (model.scans !== undefined) scanTexts(run, state, call, args, model.scans)
  const sent = model.sends === undefined ? undefined : call.args[model.sends]
  if (model.sends !== undefined && sent !== undefined)
    checkBlank(run, state, args[model.sends] ?? unknownValue, sent, model.sends_from === 'kernel')
  if (reads !== undefined) {
    const found = argumentBytes(run, state, call, args, reads.bytes)
    const given = args[reads.from]?.to ?? []
    // Which of several it is, and how many bytes then, was decided together.
    const isSure = found !== null && (given.length === 1 || isConstant(found.bytes))
    for (const target of isSure ? given : []) {
      if (found === null) continue
      checkLength(run, state, target, scale(found.bytes, reads.width ?? 1), 'read', call, found.expr)
      checkUnasked(run, state, target, found.bytes, call)
    }
  }
  // `write(pipe, &message, sizeof(message))`: whoever reads the pointer there has what it points to.
  if (reads !== undefined && (writes === undefined || isPointersAddress(call.args[reads.from])))
    for (const { object } of args[reads.from]?.to ?? []) {
      const held = state.value(object)
      if (held !== undefined) escape(run, state, held)
    }
  if (writes === undefined) return
  const targets = args[writes.to]?.to ?? []
  const target = targets.length === 1 ? (targets[0] ?? null) : null
  const width = writes.width ?? 1
  if (writes.bytes !== undefined) {
    const found = argumentBytes(run, state, call, args, writes.bytes)
    const expr = call.args[writes.bytes[0] ?? 0]
    if (found !== null && !isSizedByTexts(state, target, writes)) {
      const bytes = scale(add(found.bytes, constant(writes.plus ?? 0)) ?? found.bytes, width)
      checkLength(run, state, target, bytes, 'write', call, found.expr)
      if (writes.ends === false && target !== null && model.fills === undefined) checkEnding(run, state, target, bytes, call)
      noteWritten(state, target, writes, args, found.bytes)
      if (writes.text !== undefined && target !== null)
        noteRead(state, target, isRecord(call.args[writes.to]), call.args[writes.text], args[writes.text])
    }
    if (expr !== undefined) checkPointerSize(run, call, expr, writes.to)
    if (found !== null) return
  }
  const read = writes.text === undefined ? undefined : args[writes.text]
  if (read !== undefined) checkOpenText(run, state, read, call)
  if (writes.text !== undefined) return writeText(run, state, call, args, writes.text, target, writes.appends === true, width)
  if (writes.format !== undefined) return writeFormat(run, state, call, args, writes.format, target)
  for (const { object } of targets) forgetInside(run, state, object)
}

/** `memcpy(own->data, &text, sizeof(text))` */
function isPointersAddress(expr: Expr | undefined): boolean {
  const bare = expr?.op === 'cast' ? expr.value : expr
  return bare?.op === 'address' && bare.base.type?.kind === 'pointer'
}

/** `b = malloc(n); strncat(b, s, n);`: the limit is no number of bytes that are written, and the room was counted by what goes in. */
function isSizedByTexts(state: State, target: Target | null, { plus }: NonNullable<FunctionModel['writes']>): boolean {
  const size = plus === undefined || target === null ? null : objectOf(state, target.object).size
  return size !== null && !isConstant(size)
}

/** `strncpy(b, s, sizeof b)`: full to the last byte, without its zero. */
function checkEnding(run: Run, state: State, target: Target, bytes: Linear, place: Place): void {
  if (isFull(state, target, bytes)) report(run, 'unterminated', place)
}

function isFull(state: State, target: Target, bytes: Linear): boolean {
  const { size } = objectOf(state, target.object)
  const end = target.at === null ? null : add(target.at, bytes)
  const left = size === null || end === null ? null : add(size, end, -1)
  return left !== null && isConstant(left) && left.constant === 0
}

/** `read(fd, b, sizeof b)`: what is no text yet may still get its zero. */
export function noteOpenText(run: Run, state: State, call: ExprOf<'call'>, model: FunctionModel, args: readonly Value[]): void {
  const { writes } = model
  if (writes?.ends !== false || writes.bytes === undefined || model.fills === undefined) return
  const [target] = args[writes.to]?.to ?? []
  const found = argumentBytes(run, state, call, args, writes.bytes)
  if (target !== undefined && found !== null && isFull(state, target, found.bytes)) openText(state, target.object)
}

const isRecord = (argument: Expr | undefined): boolean => {
  const bare = argument?.op === 'cast' ? argument.value : argument
  if (bare?.op !== 'address' || bare.base.type?.kind !== 'record') return false
  return bare.base.op === 'variable' || (bare.base.op === 'dereference' && bare.base.base.op === 'variable')
}

/** `memset(p, 0, sizeof(p))`: the size of the pointer. */
function checkPointerSize(run: Run, call: ExprOf<'call'>, size: Expr, to: number): void {
  const target = call.args[to]
  const bare = target?.op === 'cast' ? target.value : target
  if (size.op !== 'sizeof' || bare?.op !== 'variable' || bare.type?.kind !== 'pointer') return
  if (size.of?.op === 'variable' && size.of.name === bare.name) report(run, 'pointer-size', call)
}

/** `memcpy(&n, bytes, sizeof n)`: a number, or a record of them, out of bytes that the function was given. */
function noteRead(state: State, target: Target, isRecord: boolean, from: Expr | undefined, value: Value | undefined): void {
  const known = objectOf(state, target.object)
  const isHere = known.by === 'stack' || known.by === 'outside'
  const isNumber =
    isHere && (isRecord || (known.by === 'stack' && known.size !== null && isConstant(known.size) && known.size.constant <= 8))
  const bare = from?.op === 'cast' ? from.value : from
  const isBytes = bare?.type?.kind === 'pointer' && bare.type.of?.kind === 'integer' && bare.type.of.bytes === 1
  const isOutside = value?.to?.every(({ object }) => object.startsWith('*') && objectOf(state, object).by === 'outside') === true
  if (isNumber && ((isBytes && isOutside) || isInContainer(state, bare, value)))
    state.setObject(target.object, { ...known, isData: true })
}

/** `packet.data()`, `packet.data() + at` and `&packet[at]` of a parameter or a field: bytes as well. */
function isInContainer(state: State, from: Expr | undefined, value: Value | undefined): boolean {
  const [only] = value?.to?.length === 1 ? value.to : []
  const start = from?.op === 'binary' ? from.left : from
  const isView = (start?.op === 'call' && start.receiver !== null) || (start?.op === 'address' && start.base.op === 'index')
  return isView && only !== undefined && isGivenContainer(state, only)
}

/** What stands in the buffer afterwards: a text of known length, or something unknown. */
function noteWritten(
  state: State,
  target: Target | null,
  writes: NonNullable<FunctionModel['writes']>,
  args: readonly Value[],
  bytes: Linear,
): void {
  if (target === null) return
  const known = objectOf(state, target.object)
  const source = writes.text === undefined ? undefined : args[writes.text]?.to?.[0]
  const sets = writes.sets === undefined ? undefined : args[writes.sets]?.number
  let length: Linear | null = null
  endBlank(state, target.object)
  if (sets != null && isConstant(sets) && target.at !== null) length = sets.constant === 0 ? target.at : add(target.at, bytes)
  else if (source !== undefined && target.at !== null && isConstant(target.at) && target.at.constant === 0)
    length = state.object(source.object)?.length ?? null
  state.forget(
    (place) => place === target.object || place.startsWith(`${target.object}[`) || place.startsWith(`${target.object}.`),
  )
  state.setObject(target.object, {
    ...known,
    length,
    isData: known.isData || (source !== undefined && objectOf(state, source.object).isData),
  })
}

function writeText(
  run: Run,
  state: State,
  call: ExprOf<'call'>,
  args: readonly Value[],
  from: number,
  target: Target | null,
  appends: boolean,
  width: number,
): void {
  const source = args[from]?.to
  const [text] = source ?? []
  if (source?.length !== 1 || text === undefined || target === null) {
    if (target !== null) state.setObject(target.object, { ...objectOf(state, target.object), length: null })
    return
  }
  const whole = lengthOf(run, state, text.object)
  const added = text.at === null ? null : add(whole, text.at, -1)
  const before = appends ? lengthOf(run, state, target.object) : (target.at ?? zero)
  const length = added === null ? null : add(before, added)
  if (length !== null) {
    const bytes = add(length, oneByte)
    const known = objectOf(state, target.object)
    const isOpen = length.terms.some(
      ([symbol]) => symbol.startsWith('length') && !Number.isFinite(rangeOf(run.symbols, state, symbolic(symbol)).high),
    )
    // Texts of unknown length are for the rules about where they come from.
    const start = appends ? before : target.at
    const written = add(added ?? zero, oneByte)
    if (bytes !== null && written !== null && (!isOpen || (known.size !== null && !isConstant(known.size)))) {
      const whole = scale(written, width)
      checkLength(
        run,
        state,
        { object: target.object, at: start === null ? null : appends ? scale(start, width) : start },
        whole,
        'write',
        call,
        null,
      )
    }
    state.setObject(target.object, { ...known, length })
  } else state.setObject(target.object, { ...objectOf(state, target.object), length: null })
}

/** `sscanf(in, "%16s", b)`: as many characters and a zero. */
function scanTexts(run: Run, state: State, call: ExprOf<'call'>, args: readonly Value[], at: number): void {
  const format = call.args[at]
  if (format?.op !== 'text') return
  let next = at
  for (const [piece, width] of format.value.matchAll(/%(\d*)(?:hh|ll|[hlzjtLm])?(?:[a-zA-Z%]|\[\^?\]?[^\]]{0,200}\])|%\*/g)) {
    if (piece.endsWith('%') || piece === '%*') continue
    next++
    const [target] = args[next]?.to ?? []
    if (width === '' || !/[s\]]$/.test(piece) || target === undefined || args[next]?.to?.length !== 1) continue
    checkLength(run, state, target, constant(Number(width) + 1), 'write', call, null)
  }
}

/** `sprintf(b, "%s/x", a)`: its shortest result. */
function writeFormat(
  run: Run,
  state: State,
  call: ExprOf<'call'>,
  args: readonly Value[],
  at: number,
  target: Target | null,
): void {
  const format = call.args[at]
  if (target === null) return
  const known = objectOf(state, target.object)
  state.setObject(target.object, { ...known, length: null })
  if (format?.op !== 'text') return
  let length: Linear | null = constant(0)
  let next = at + 1
  for (const piece of format.value.match(/%[^a-zA-Z%]*(?:hh|ll|[hlzjtL])?[a-zA-Z%]|[^%]+|%/g) ?? []) {
    if (!piece.startsWith('%')) length = length === null ? null : add(length, constant(piece.length))
    else if (piece === '%%') length = length === null ? null : add(length, constant(1))
    else {
      const text = args[next++]?.to
      const minimum = Number(/^%[-+ #0]*(\d+)/.exec(piece)?.[1] ?? (/[diucxXop]$/.test(piece) ? 1 : 0))
      const object = piece === '%s' && text?.length === 1 ? text[0]?.object : undefined
      const part: Linear = object === undefined ? constant(minimum) : lengthOf(run, state, object)
      const isOpen = !isConstant(part)
      length = length === null ? null : add(length, isOpen ? constant(Math.max(0, rangeOf(run.symbols, state, part).low)) : part)
    }
  }
  const bytes = length === null ? null : add(length, oneByte)
  if (bytes !== null) checkLength(run, state, target, bytes, 'write', call, null)
}
