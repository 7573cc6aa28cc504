/** Judgements: is this access inside of its object, is this pointer one that may be used. */
import { kindOfOver } from './by-one.js'
import { isBehindLast, isHalfTested, isOffset } from './counted.js'
import { type Linear, add, constant, isConstant, zero } from '../numbers/linear.js'
import { isBelowTop, isNamed, openData, rangeOf, rangeOfSymbol, reached } from '../numbers/numbers.js'
import type { Expr, Place } from '../program.js'
import { isAnswer } from '../calls/again.js'
import { noteRoom } from './room.js'
import { checkSign } from './signs.js'
import { type Run, newObject, objectOf, report, reportNull, reportUnchecked, rootOf } from '../run.js'
import type { Demand } from '../summary.js'
import { State, type Target, type Value, isAddress, isNull, isUnchecked } from '../state.js'

/** Marks an address that was followed before anybody compared it; joined with a way that did not, it is another value. */
export const usedValue: Value = { number: null, to: null, nil: isAddress, isUnset: false }

export type Access = 'read' | 'write'

/** An address is followed: it must not be NULL, and what it points to must exist. */
export function checkUse(run: Run, state: State, value: Value, place: Place): void {
  if (value.isUnset) return
  if (value.nil === isNull) reportNull(run, place, true)
  else {
    if ((value.nil & isUnchecked) !== 0) {
      reportUnchecked(run, value, place)
      trust(state, value)
    }
    if ((value.nil & isAddress) !== 0) reportNull(run, place, false)
  }
  checkLife(run, state, value, place)
  const [only] = value.to ?? []
  // Where it may also be another one, NULL may have been replaced by that.
  if (only !== undefined && value.to?.length === 1 && value.nil === (isNull | isAddress))
    state.set(`used ${only.object}`, usedValue)
}

/** Once is enough: from here on the program takes it for an address. */
export function trust(state: State, { to }: Value): void {
  if (to === null || to.length === 0) return
  for (const [place, value] of state.places())
    if (value.to === to && !isAnswer(place)) state.set(place, { ...value, nil: isAddress })
}

/** Only when all that the pointer may point to is over. */
export function checkLife(run: Run, state: State, value: Value, place: Place): void {
  const { to } = value
  if (to === null || to.length === 0) return
  const ends = to.map(({ object }) => lifeOf(run, state, object))
  if (ends.every((life) => life === 'freed')) report(run, 'use-after-free', place, endOf(run, state, to[0]?.object ?? ''))
  else if (ends.every((life) => life === 'gone'))
    report(run, to.some(({ object }) => objectOf(state, object).by === 'erased') ? 'erased' : 'invalidated', place)
  else if (run.frame.inUpdate && to.some(({ object }) => objectOf(state, object).isLent)) report(run, 'use-after-free', place)
}

const endOf = (run: Run, state: State, object: string): number | undefined =>
  (objectOf(state, object).ended ?? objectOf(state, rootOf(run, object)).ended)?.start

export function lifeOf(run: Run, state: State, object: string): string {
  let at = object
  for (let hops = 0; hops < 20; hops++) {
    const { life } = objectOf(state, at)
    const parent = run.parents.get(at)
    if (life !== 'live' || parent === undefined) return life
    at = parent
  }
  return 'live'
}

const largest = 2 ** 40

/** `bytes` at a target, as the access of an element by its number when `isIndex`. */
export function checkBounds(
  run: Run,
  state: State,
  target: Target,
  bytes: Linear | null,
  access: Access,
  place: Place,
  index: Linear | null,
): void {
  const { size, by } = objectOf(state, target.object)
  const { at } = target
  // An address from outside may point into the middle of something.
  if (at !== null && by !== 'outside' && by !== 'container' && rangeOf(run.symbols, state, at).high < 0)
    return report(run, 'underwrite', place)
  const isFailed = index !== null && at !== null && checkFailed(run, state, at, place)
  const isHalf = index !== null && isHalfTested(run, state, index)
  if (isHalf && size === null) return report(run, 'data-index', place)
  if (index !== null && size === null && !isOffset(run, place) && isBehindLast(run, state, target.object, bytes, index))
    return report(run, access === 'write' ? 'overflow' : 'overread', place)
  if (size === null && index !== null && isWalked(run, state, index)) report(run, 'data-index', place)
  if (at === null || bytes === null || size === null) return
  const end = add(at, bytes)
  const over = end === null ? null : add(end, size, -1)
  if (end === null || over === null) return
  const top = reached(run.symbols, state, over)
  const kind = kindOfOver(access, top ?? over, index === null ? null : bytes)
  if (rangeOf(run.symbols, state, over).low > 0) return report(run, kind, place)
  if (top !== null && isConstant(top) && top.constant > 0 && top.constant < largest) return report(run, kind, place)
  if (isFailed) return
  if (isHalf) return report(run, 'data-index', place)
  if (
    top !== null &&
    openData(run.symbols, state, top).length > 0 &&
    rangeOf(run.symbols, state, top).high > 0 &&
    (index === null || !isByteOfUnknown(run, state, index, over))
  )
    return report(run, index === null ? 'data-length' : 'data-index', place)
  if (index !== null && access === 'write' && exceeds(run, state, end) && rangeOf(run.symbols, state, over).high > 0)
    report(run, 'overflow', place)
  else if (index !== null) checkOpen(run, state, index, over, access, place, size)
  else if (access === 'write' && isEndless(run, state, at, place, size)) report(run, 'overflow', place)
}

/** `n = read(...)` may be -1: `buf[n]` before a check of it. */
function checkFailed(run: Run, state: State, at: Linear, place: Place): boolean {
  const [only] = at.terms
  if (at.terms.length !== 1 || only === undefined || at.constant < 0) return false
  if (run.symbols.get(only[0])?.mayFail !== true || at.constant !== 0 || rangeOfSymbol(run.symbols, state, only[0]).low >= 0)
    return false
  report(run, 'unchecked-length', place)
  return true
}

/** `at += m[at]`: each step is as long as the data says. */
const isWalked = (run: Run, state: State, index: Linear): boolean =>
  openData(run.symbols, state, index).some((symbol) => symbol.startsWith('&'))

/** The same in elements, for arrays of structures of unknown size. */
export function checkCount(run: Run, state: State, index: Linear, count: Linear, access: Access, place: Place): void {
  const over = add({ ...index, constant: index.constant + 1 }, count, -1)
  if (over === null) return
  const top = reached(run.symbols, state, over)
  if (
    rangeOf(run.symbols, state, over).low > 0 ||
    (top !== null && isConstant(top) && top.constant > 0 && top.constant < largest)
  )
    return report(run, access === 'write' ? 'overflow' : 'overread', place)
  checkOpen(run, state, index, over, access, place, null)
}

/** An element whose number comes from outside, or grows in a loop that nothing ends in time. */
function checkOpen(run: Run, state: State, index: Linear, over: Linear, access: Access, place: Place, size: Linear | null): void {
  if (openData(run.symbols, state, index).length > 0) {
    const isOver = rangeOf(run.symbols, state, over).high > 0
    if (isOver && !isByteOfUnknown(run, state, index, over)) report(run, 'data-index', place)
    return
  }
  if (access === 'write' && isEndless(run, state, index, place, size)) report(run, 'overflow', place)
  else if (access === 'write' && isFedByData(run, state, index)) report(run, 'data-length', place)
}

/** A table of which nobody knows the size here, and that was made for all values of a byte: `count[text[i]]`. */
function isByteOfUnknown(run: Run, state: State, index: Linear, over: Linear): boolean {
  const { low, high } = rangeOf(run.symbols, state, index)
  const others = over.terms.filter(([symbol]) => !index.terms.some(([one]) => one === symbol))
  return low >= 0 && high <= 255 && others.length > 0
}

/** It steps once a round in a loop that a number of the data ends. */
function isFedByData(run: Run, state: State, index: Linear): boolean {
  const loop = run.frame.loops.at(-1)
  if (loop?.isDataBounded !== true) return false
  return index.terms.some(([symbol]) => {
    const counts = run.symbols.get(symbol)?.counts ?? null
    const range = rangeOfSymbol(run.symbols, state, symbol)
    return (
      counts !== null &&
      loop.counters.get(`&${counts}`)?.symbol === symbol &&
      !Number.isFinite(range.high) &&
      range.most === null &&
      !loop.compared.has(counts)
    )
  })
}

/** The text that is copied is not longer than this. */
function endsIn(run: Run, state: State, walked: Linear | null, size: Linear | null): boolean {
  if (walked === null || size === null) return walked !== null && isConstant(walked) && walked.constant === 0
  const room = add(size, walked, -1)
  return room !== null && rangeOf(run.symbols, state, room).low >= 0
}

/** Its steps are counted in loops that end by what is read, and nobody ever compares it. */
function isEndless(run: Run, state: State, index: Linear, place: Place, size: Linear | null): boolean {
  const { loops, fn } = run.frame
  const base = /^\*?\(?(\w+)/.exec(run.text.slice(place.start, place.start + 60))?.[1] ?? ''
  if (fn.compared.has(`${base}[]`)) return false
  if (loops.length === 0 || loops.some((loop) => loop.isCounted) || (size !== null && !isConstant(size))) return false
  const { compared, written } = loops.at(-1) ?? { compared: new Set(), written: new Map() }
  // `if (++parts > 4) return;` beside it.
  const isCountedBeside = (name: string): boolean =>
    [...written].some(([other, by]) => other !== name && by !== null && by !== 0 && compared.has(other))
  return index.terms.some(([symbol, factor]) => {
    const counts = run.symbols.get(symbol)?.counts ?? null
    if (counts === null || factor < 0 || fn.compared.has(counts) || isCountedBeside(counts)) return false
    const range = rangeOfSymbol(run.symbols, state, symbol)
    if (endsIn(run, state, run.symbols.get(symbol)?.walked ?? null, size)) return false
    return !Number.isFinite(range.high) && range.most === null && !range.isChecked
  })
}

/** A number of bytes that a call writes or reads: against the objects, or for itself where their size is not known. */
export function checkLength(
  run: Run,
  state: State,
  target: Target | null,
  bytes: Linear,
  access: Access,
  place: Place,
  expr: Expr | null,
): void {
  const data = openData(run.symbols, state, bytes)
  if (target !== null) noteDemand(run, state, target, bytes, access, place)
  const fits = access === 'write' && noteRoom(run, state, target, bytes, { expr, number: bytes }, place)
  if (checkSign(run, state, bytes, place, expr)) return
  const size = target === null ? null : objectOf(state, target.object).size
  if (target !== null && size !== null) {
    checkBounds(run, state, target, bytes, access, place, null)
    const end = target.at === null ? null : add(target.at, bytes)
    const over = end === null ? null : add(end, size, -1)
    if (data.length > 0 && over !== null && !isMadeOfData(run, size) && rangeOf(run.symbols, state, over).high > 0)
      report(run, 'data-length', place)
    else if (over !== null && isLimitedByInput(run, state, bytes, over)) report(run, 'data-length', place)
    else if (over !== null && exceeds(run, state, bytes) && rangeOf(run.symbols, state, over).high > 0)
      report(run, access === 'write' ? 'overflow' : 'overread', place)
  } else if (data.length > 0 && access === 'write' && !fits) report(run, 'data-length', place)
}

/** `n = snprintf(b, sizeof b, ...); write(fd, b, n);`: as long as the text would have been. */
const exceeds = (run: Run, state: State, bytes: Linear): boolean =>
  bytes.terms.some(([symbol, factor]) => {
    const range = rangeOfSymbol(run.symbols, state, symbol)
    return (
      factor > 0 &&
      run.symbols.get(symbol)?.mayExceed === true &&
      range.most === null &&
      !range.isChecked &&
      range.high >= 2 ** 31 - 1
    )
  })

/** As large as the data says: what is wrong about that was said where it was allocated. */
const isMadeOfData = (run: Run, size: Linear): boolean =>
  size.terms.some(([symbol]) => run.symbols.get(symbol)?.isData === true || run.symbols.get(symbol)?.isWrapped === true)

/** A number out of data that was only compared with what is left of the data, for a buffer of fixed size. */
function isLimitedByInput(run: Run, state: State, bytes: Linear, over: Linear): boolean {
  const [only] = bytes.terms
  if (bytes.terms.length !== 1 || only === undefined || only[1] < 0 || run.symbols.get(only[0])?.isData !== true) return false
  const range = rangeOfSymbol(run.symbols, state, only[0])
  const isOpen = range.most !== null && !isNamed(range.most) && rangeOf(run.symbols, state, range.most).high >= 2 ** 31
  return (
    isOpen &&
    over.terms.length === 1 &&
    range.high === run.symbols.get(only[0])?.high &&
    rangeOf(run.symbols, state, over).high > 0
  )
}

/** Lengths that come in by a parameter and that nobody here looks at, for places that come in by another one. */
function noteDemand(run: Run, state: State, target: Target, bytes: Linear, access: Access, place: Place): void {
  const { fn, demands } = run.frame
  if (target.at === null || bytes.terms.length === 0 || demands.length >= 20) return
  const isParameter = (symbol: string): boolean =>
    fn.parameters.some(({ name }) => symbol === `&${name} 0`) && state.range(symbol) === undefined
  const { size } = objectOf(state, target.object)
  if (![...bytes.terms, ...target.at.terms].every(([symbol]) => isParameter(symbol))) return
  if (size !== null && isConstant(size) && size.constant > 0 && !target.object.startsWith('*'))
    demands.push({ parameter: null, path: '', size, at: target.at, bytes, access, place })
  for (const [parameter, { name }] of fn.parameters.entries()) {
    const start = `*&${name} 0`
    if (target.object !== start && !target.object.startsWith(`${start}.`)) continue
    demands.push({
      parameter,
      path: target.object.slice(start.length),
      size: objectOf(state, target.object).size,
      at: target.at,
      bytes,
      access,
      place,
    })
  }
}

/** With the arguments in the place of the parameters. */
export function answerDemands(
  run: Run,
  state: State,
  demands: readonly Demand[],
  parameters: readonly { readonly name: string }[],
  args: readonly Value[],
): void {
  const given = (value: Linear): Linear | null =>
    value.terms.reduce<Linear | null>(
      (sum, [symbol, factor]) => {
        const number = args[parameters.findIndex(({ name }) => symbol === `&${name} 0`)]?.number ?? null
        return sum === null || number === null ? null : add(sum, number, factor)
      },
      { constant: value.constant, terms: [] },
    )
  for (const { parameter, path, size, at, bytes, access, place } of demands) {
    if (parameter === null) {
      answerOwn(run, state, given(at), given(bytes), size, place)
      continue
    }
    const [only] = args[parameter]?.to ?? []
    const [start, length] = [given(at), given(bytes)]
    if (only?.at == null || args[parameter]?.to?.length !== 1 || start === null || length === null) continue
    const object = `${only.object}${path}`
    const known = objectOf(state, object)
    if (known.size === null && (size === null || !isConstant(size))) continue
    if (known.size === null) state.setObject(object, { ...known, by: 'part', size })
    checkLength(run, state, { object, at: path === '' ? add(only.at, start) : start }, length, access, place, null)
  }
}

/** `read_note(in, header.size)` and in it `char note[256]; fread(note, 1, size, in);` */
function answerOwn(run: Run, state: State, at: Linear | null, bytes: Linear | null, size: Linear | null, place: Place): void {
  const end = at === null || bytes === null ? null : add(at, bytes)
  const over = end === null || size === null ? null : add(end, size, -1)
  if (end === null || over === null || openData(run.symbols, state, end).length === 0) return
  if (rangeOf(run.symbols, state, over).high > 0) report(run, 'data-length', place)
}

/** More than that for a number out of data is too much. */
export const mostOnHeap = 2 ** 28

/** As much memory as the data says. */
export function checkAmount(run: Run, state: State, bytes: Linear, expr: Expr, most: number): void {
  const isWrapped = bytes.terms.some(([symbol]) => run.symbols.get(symbol)?.isWrapped === true)
  if (!isWrapped && openData(run.symbols, state, bytes).length > 0 && rangeOf(run.symbols, state, bytes).high > most)
    report(run, 'data-size', expr)
}

/** Bytes of an allocation that may have wrapped around. */
export function checkSize(run: Run, state: State, bytes: Linear, expr: Expr): void {
  const isWrapped = bytes.terms.some(([symbol]) => run.symbols.get(symbol)?.isWrapped === true)
  const width = expr.type?.kind === 'integer' ? (expr.type.bytes ?? 8) : 8
  const isNarrow =
    width <= 4 &&
    openData(run.symbols, state, bytes).length > 0 &&
    bytes.terms.some(([symbol, factor]) => factor > 1 || bytes.constant > (isBelowTop(state, symbol) ? 1 : 0))
  if (isWrapped || (isNarrow && rangeOf(run.symbols, state, bytes).high > 2 ** (8 * width) - 1)) report(run, 'wrapped-size', expr)
}

/** The object ends here; what was wrong about it is reported. */
export function endObject(run: Run, state: State, value: Value, family: string, place: Place): void {
  if (value.nil === isNull) return
  const { to } = value
  if (to === null) return
  const [only] = to
  if (to.length > 1 && to.every(({ object }) => lifeOf(run, state, object) === 'freed')) report(run, 'double-free', place)
  if (to.length !== 1 || only === undefined) {
    for (const { object } of to) state.setObject(object, { ...objectOf(state, object), life: 'unknown', escaped: true })
    endPointer(state, to, place)
    return
  }
  const known = objectOf(state, only.object)
  const life = lifeOf(run, state, only.object)
  if (life === 'freed' || (life === 'gone' && known.by !== 'container')) report(run, 'double-free', place)
  else if (
    ['stack', 'static', 'text', 'alloca'].includes(known.by) &&
    family !== 'file' &&
    rootOf(run, only.object) === only.object
  )
    report(run, 'free-of-other', place)
  else if (known.isOwned && family !== known.by && isOtherFamily(known.by, family))
    report(run, known.by === 'new[]' && family === 'new' && isBytes(run, place) ? 'mismatched-bytes' : 'mismatched-free', place)
  else if (known.isOwned && only.at !== null && isMoved(run, state, only.at)) report(run, 'free-of-middle', place)
  state.setObject(only.object, { ...known, life: 'freed', ended: { start: place.start, end: place.end } })
}

/** `delete reinterpret_cast<BYTE *>(reply)`: bytes need no destructor, so that each of both gives the same memory back. */
const isBytes = ({ text }: Run, { start }: Place): boolean =>
  /^reinterpret_cast\s*<\s*(?:(?:unsigned|signed)\s+)?(?:char|void|VOID|BYTE|byte|std::byte|u?int8_t|UCHAR)\s*\*/.test(
    text.slice(start, start + 80),
  )

/** Whichever of them it was: what holds this pointer holds it no longer. */
function endPointer(state: State, to: readonly Target[], { start, end }: Place): void {
  const object = `ended ${start}`
  state.setObject(object, newObject('outside', { start, end }, { life: 'freed', escaped: true, ended: { start, end } }))
  for (const [held, value] of state.places())
    if (value.to === to && to.length > 0) state.set(held, { ...value, to: [{ object, at: zero }] })
}

const families = new Set(['heap', 'new', 'new[]'])

const isOtherFamily = (made: string, freed: string): boolean => families.has(made) && families.has(freed)

const isMoved = (run: Run, state: State, at: Linear): boolean => {
  const { low, high } = rangeOf(run.symbols, state, at)
  return (
    low > 0 || high < 0 || at.terms.some(([symbol, factor]) => factor > 0 && run.symbols.get(symbol)?.counts != null && low === 0)
  )
}

export const oneByte = constant(1)
