/** Places: where the value of an expression lies, and what stands there. */
import { bytesOf, elementOf } from '../numbers/arithmetic.js'
import { reportUnset } from './unset.js'
import { checkBounds, checkCount, checkLife, checkUse } from './checks.js'
import { noteUse } from './shared.js'
import { checkMoved } from './moves.js'
import { noteNumbered, numberedPlace } from './numbered.js'
import { noteRoom } from './room.js'
import { isGrown } from './grown.js'
import { isWithinByType, noteWithin } from './tables.js'
import { isGivenContainer } from './unasked.js'
import { checkFreeCounter } from './free-counters.js'
import { checkPosition } from './counts.js'
import { isContainer, viewOf } from './elements.js'
import { type Linear, constant, isConstant, scale, zero } from '../numbers/linear.js'
import { pointerTo } from '../c/types.js'
import type { Expr, ExprOf, Type } from '../program.js'
import { atMost } from '../numbers/numbers.js'
import { type Run, modelOf, newObject, objectOf, partOf, unknownOf, step } from '../run.js'
import { State, type Target, type Value, isAddress, moved, unknownValue } from '../state.js'

/** Where a value lies. */
export interface Spot {
  /** The name of the place; `null` when it is not known which one. */
  readonly place: string | null
  readonly targets: readonly Target[] | null
}

const nowhere: Spot = { place: null, targets: null }

/** The place of an expression that can be assigned to. Following an address is checked. */
export function spotOf(run: Run, state: State, expr: Expr, access: 'read' | 'write'): Spot {
  switch (expr.op) {
    case 'variable': {
      const object = expr.isLocal ? `&${expr.name}` : `::${expr.name}`
      if (!expr.isLocal && state.object(object) === undefined)
        state.setObject(object, newObject('static', expr, { escaped: true, size: sizeOfArray(run, state, expr.type) }))
      return { place: object, targets: [{ object, at: zero }] }
    }
    case 'field': {
      if (expr.isArrow) checkMoved(run, state, expr.base)
      const base = expr.isArrow
        ? followed(run, state, run.evaluate(state, expr.base), expr.base)
        : spotOf(run, state, expr.base, access)
      if (!expr.isArrow && expr.base.op === 'call') run.evaluate(state, expr.base)
      return fieldSpot(run, state, base, expr)
    }
    case 'dereference':
      checkMoved(run, state, expr.base)
      return elementSpot(run, state, run.evaluate(state, expr.base), zero, expr, access)
    case 'index': {
      checkMoved(run, state, expr.base)
      const contained = containedElement(run, state, expr, access)
      if (contained !== null) return contained
      const base = run.evaluate(state, expr.base)
      const index = run.evaluate(state, expr.index)
      return elementSpot(run, state, base, index.number, expr, access)
    }
    case 'cast':
      return spotOf(run, state, expr.value, access)
    case 'assign':
    case 'step':
      run.evaluate(state, expr)
      return spotOf(run, state, expr.target, access)
    default:
      run.evaluate(state, expr)
      return nowhere
  }
}

/** `v[0]` of a container points into it. */
function containedElement(run: Run, state: State, expr: ExprOf<'index'>, access: 'read' | 'write'): Spot | null {
  if (!isContainer(expr.base.type)) return null
  const index = run.evaluate(state, expr.index)
  const { place } = spotOf(run, state, expr.base, 'read')
  if (place !== null) checkPosition(run, state, place, expr.base.type, index.number, access, expr)
  return place === null ? nowhere : { place: null, targets: viewOf(run, state, place).to }
}

/** What `p->` reaches. */
function followed(run: Run, state: State, value: Value, expr: Expr): Spot {
  // `&((struct s *)0)->field` asks where the field lies.
  if (!isWrittenNull(expr)) checkUse(run, state, value, expr)
  const [only] = value.to ?? []
  if (value.to?.length !== 1 || only === undefined) return { place: null, targets: value.to }
  const offset = only.at === null ? null : isConstant(only.at) ? only.at.constant : null
  return { place: offset === null ? null : offset === 0 ? only.object : `${only.object}[${offset}]`, targets: value.to }
}

const isWrittenNull = (expr: Expr): boolean =>
  expr.op === 'cast' ? isWrittenNull(expr.value) : expr.op === 'null' || (expr.op === 'number' && expr.value === 0)

function fieldSpot(run: Run, state: State, base: Spot, expr: ExprOf<'field'>): Spot {
  if (base.place === null) return nowhere
  const place = `${base.place}.${expr.name}`
  const parent = base.targets?.[0]?.object
  if (parent !== undefined) partOf(run, parent, place)
  if (state.object(place) === undefined) {
    const whole = parent === undefined ? undefined : state.object(parent)
    state.setObject(
      place,
      newObject('part', expr, {
        size: sizeOfArray(run, state, expr.type),
        isData: whole?.isData === true,
        escaped: whole?.escaped !== false,
      }),
    )
  }
  return { place, targets: [{ object: place, at: zero }] }
}

/** Bytes of a declared array; of other values as well when they are known. */
export function sizeOfArray(run: Run, state: State, type: Type | null): Linear | null {
  if (type?.kind !== 'array') {
    const bytes = type === null || type.kind === 'other' ? null : type.bytes
    return bytes === null || bytes === 0 ? null : constant(bytes)
  }
  const element = sizeOfArray(run, state, type.of)
  if (type.count === null || element === null) return null
  const count = run.evaluate(state, type.count).number
  if (count === null || count.constant === 0)
    return count !== null && !isConstant(count) && isConstant(element) ? scale(count, element.constant) : null
  return isConstant(element) ? scale(count, element.constant) : isConstant(count) ? scale(element, count.constant) : null
}

function elementSpot(
  run: Run,
  state: State,
  base: Value,
  index: Linear | null,
  expr: ExprOf<'dereference' | 'index'>,
  access: 'read' | 'write',
): Spot {
  // `*(volatile int *)0 = 1;`: that is how a program says that it ends here.
  if (!isWrittenNull(expr.base)) checkUse(run, state, base, expr.base)
  const size = bytesOf(elementOf(expr.base.type))
  const isFirst = index !== null && isConstant(index) && index.constant === 0
  const by = isFirst ? zero : index === null || size === null ? null : scale(index, size)
  const isPlain = elementOf(expr.base.type) !== null
  const targets = (base.to ?? []).map((target) => moved(target, by))
  const type = elementOf(expr.base.type)
  const isWithin = expr.op === 'index' && (isWithinByType(expr) || (access === 'write' && isGrown(run, expr)))
  if (isWithin) run.within.add(`${expr.start}:${expr.end}`)
  else if (type?.kind !== 'array')
    for (const target of targets) {
      if (targets.length > 1 && isWritten(run, state, target)) continue
      const counted = expr.op === 'index' ? index : target.at
      if (isPlain) checkBounds(run, state, target, size === null ? null : constant(size), access, expr, counted)
    }
  if (expr.op === 'index' && !isWithin) {
    // Elements of a type of another file are counted one by one.
    const [only, ...others] = base.to ?? []
    const at = index === null ? null : scale(index, size ?? 1)
    const target = only === undefined || others.length > 0 ? null : moved(only, at)
    noteRoom(run, state, target, constant(size ?? 1), { expr: expr.index, number: index }, expr)
  }
  if (access === 'write' && expr.op === 'index') checkFreeCounter(run, expr)
  if (access === 'read' && expr.op === 'index') noteWithin(run, state, expr, index)
  if (size === null && expr.base.type?.kind === 'array' && expr.base.type.count !== null && index !== null) {
    const count = run.evaluate(state, expr.base.type.count).number
    if (count !== null) checkCount(run, state, index, count, access, expr)
  }
  const [only] = targets
  if (targets.length !== 1 || only === undefined) return { place: null, targets: base.to === null ? null : targets }
  const offset = only.at === null || !isConstant(only.at) ? null : only.at.constant
  return { place: offset === null ? null : offset === 0 ? only.object : `${only.object}[${offset}]`, targets }
}

/** `if (!name) name = ""; if (*name == '*') name++;`: what is written there never gets that far, the other text may. */
function isWritten(run: Run, state: State, { object }: Target): boolean {
  const { by, born } = objectOf(state, object)
  return by === 'text' || (by === 'heap' && /^\w{0,12}strdup\s?\(\s?"/.test(run.text.slice(born.start, born.start + 24)))
}

export function readSpot(run: Run, state: State, expr: Expr): Value {
  const spot = spotOf(run, state, expr, 'read')
  const type = expr.type
  if (type?.kind === 'array') return { number: null, to: spot.targets, nil: isAddress, isUnset: false }
  return readPlace(run, state, spot, type, expr)
}

function readPlace(run: Run, state: State, spot: Spot, type: Type | null, expr: Expr): Value {
  const home = spot.targets?.[0]?.object
  const isData = home !== undefined && isInput(run, state, home, expr)
  const shown = spot.place === null ? shownBy(spot, expr) : null
  if (shown !== null) return shownValue(run, state, shown, type, expr)
  const element = spot.place === null && type?.kind === 'integer' ? numberedPlace(spot.targets) : null
  if (element !== null) return readNumber(run, state, home ?? '', element, type, isData)
  if (spot.place === null) return elementSomewhere(run, state, type, expr, isData)
  noteUse(run, state, spot.place, type, false, expr)
  const known = state.value(spot.place)
  if (known !== undefined) {
    if (known.isUnset && expr.op === 'variable' && expr.type?.kind !== 'record') reportUnset(run, expr.name, expr)
    return known
  }
  const isOpen = isData || isOpenField(run, spot.place)
  const initial: Value = { ...unknownOf(run, state, `${spot.place} ${state.epoch}`, type, { isData: isOpen }), isInitial: true }
  const least = expr.op === 'variable' && /^[A-Z]/.test(expr.name) ? modelOf(run, expr.name)?.at_least : undefined
  if (least !== undefined && initial.number !== null)
    atMost(run.symbols, state, { constant: least, terms: [] }, initial.number, false)
  state.set(spot.place, initial)
  return initial
}

/** `h->width` of a parameter that another function fills. */
function isOpenField({ openFields, frame: { fn } }: Run, place: string): boolean {
  const [, variable, field] = openFields.size === 0 ? [] : (/^\*&(\w+) 0\.(\w+)$/.exec(place) ?? [])
  const record = fn.parameters.find(({ name }) => name === variable)?.type?.of?.name
  return record !== undefined && openFields.has(`${record}.${field ?? ''}`)
}

/** `if (p[i] > 7) return; use(table[p[i]]);`: the same number, until somebody writes there. */
function readNumber(run: Run, state: State, home: string, place: string, type: Type | null, isData: boolean): Value {
  const known = state.value(place)
  if (known !== undefined) return known
  const made: Value = { ...unknownOf(run, state, `read ${place} ${state.epoch}`, type, { isData }), isInitial: true }
  state.set(place, made)
  noteNumbered(state, home)
  return made
}

/** `v[i]->name` in each round of a loop: of the element of the round before nothing is known any longer. */
function elementSomewhere(run: Run, state: State, type: Type | null, expr: Expr, isData: boolean): Value {
  const name = `read ${expr.start} ${state.epoch}`
  // A record by a name of another file may be an address.
  if (type?.kind !== 'integer' && type?.kind !== 'float' && run.frame.loops.length > 0) {
    step(run, state.size >> 4)
    // Also what its fields point to, which are named by it.
    state.forget((place) => place.includes(`*${name}.`) || place.includes(`*${name}[`))
  }
  return unknownOf(run, state, name, type, { isData })
}

/** `*it`: which element it is nobody knows, but it stays the same one until `it` goes on. */
function shownBy({ targets }: Spot, expr: Expr): string | null {
  if (expr.op !== 'dereference' || expr.base.op !== 'variable' || !expr.base.isLocal || targets?.length !== 1) return null
  return targets[0]?.object.includes(' elements ') === true ? shownPlace(expr.base.name) : null
}

const shownPlace = (name: string): string => `shown &${name}`

function shownValue(run: Run, state: State, place: string, type: Type | null, expr: Expr): Value {
  const known = state.value(place)
  if (known !== undefined) return known
  const made: Value = unknownOf(run, state, `${place} ${expr.start} ${state.epoch}`, type ?? pointerTo(null))
  state.set(place, made)
  return made
}

/** The iterator goes on, or something is put where it stands. */
export function forgetShown(state: State, name: string): void {
  const place = shownPlace(name)
  if (state.value(place) !== undefined) state.forget((one) => one === place)
}

/** Bytes that came from outside: of a buffer that a call filled, and of a byte pointer that the function got. */
function isInput(run: Run, state: State, object: string, expr: Expr): boolean {
  for (let at: string | undefined = object, hops = 0; at !== undefined && hops < 6; hops++) {
    const known = state.object(at)
    if (known !== undefined && known.isData) return true
    at = run.parents.get(at)
  }
  if (expr.op !== 'index' && expr.op !== 'dereference') return false
  // `bytes_[at]` of a container that is a field or was given.
  if (isContainer(expr.base.type)) return expr.base.type?.of?.bytes === 1 && isGivenContainer(state, { object, at: null })
  const pointer = expr.base.op === 'cast' ? expr.base.value.type : expr.base.type
  const isBytes = pointer?.kind === 'pointer' && pointer.of?.kind === 'integer' && pointer.of.bytes === 1
  return isBytes && object.startsWith('*') && objectOf(state, object).by === 'outside'
}

export function addressOf(run: Run, state: State, expr: ExprOf<'address'>): Value {
  if (expr.base.op === 'dereference' || (expr.base.op === 'index' && !isContainer(expr.base.base.type))) {
    const base = run.evaluate(state, expr.base.base)
    const index = expr.base.op === 'index' ? run.evaluate(state, expr.base.index).number : zero
    const size = bytesOf(elementOf(expr.base.base.type))
    checkLife(run, state, base, expr.base.base)
    if (base.to === null) return { ...unknownValue, nil: isAddress }
    const by =
      index === null || size === null
        ? index !== null && isConstant(index) && index.constant === 0
          ? zero
          : null
        : scale(index, size)
    return { number: null, to: base.to.map((target) => moved(target, by)), nil: isAddress, isUnset: false }
  }
  if (expr.base.op === 'call') {
    // `&v.front()`
    const value = run.evaluate(state, expr.base)
    return value.to?.some(({ object }) => object.includes(' elements ')) === true ? { ...value, nil: isAddress } : unknownValue
  }
  const spot = spotOf(run, state, expr.base, 'write')
  return { number: null, to: spot.targets, nil: isAddress, isUnset: false }
}
