/**
 * What a class keeps in a list or a map and changes under its lock, `accounts[id].balance -= n`, tested and changed elsewhere without it.
 *
 * The objects belong to nobody else than those who look them up, so the lock of the class is theirs. Only a test with a change behind it
 * counts: in between another thread may have changed what was tested.
 */
import type { Flow } from '../flow/state.js'
import type { Ir } from '../syntax/ir.js'
import { nodesOf } from './nodes.js'
import { changed, isChange, rootOf } from './outer-changes.js'

interface Place {
  readonly start: number
  readonly end: number
}

interface Unit {
  readonly nodes: readonly Ir[]
  readonly locked: readonly Place[]
}

interface Step {
  readonly unit: Unit
  readonly ir: Ir
  readonly property: string
  readonly isLocked: boolean
}

export function skippedElements<T extends Unit>(flow: Flow, units: readonly T[], free: ReadonlySet<T>): Ir[] {
  const steps = units.flatMap((unit) => stepsOf(flow, unit))
  const places = (all: readonly Step[]): number => new Set(all.map(({ unit }) => unit)).size
  return [...new Set(steps.map(({ property }) => property))].flatMap((property) => {
    const of = steps.filter((one) => one.property === property)
    const locked = of.filter((one) => one.isLocked)
    const skips = of.filter((one) => !one.isLocked && free.has(one.unit as T) && isTested(one))
    const [first] = skips
    return first === undefined || locked.length === 0 || places(skips) > places(locked) ? [] : [first.ir]
  })
}

/** `account.balance -= n`, of an object that the function has not made itself. */
function stepsOf(flow: Flow, unit: Unit): Step[] {
  return unit.nodes.flatMap((ir) => {
    const place = isChange(flow, ir, false) ? changed(ir) : null
    if (place?.op !== 'member' || isOwn(flow, unit, place.object)) return []
    const isLocked = unit.locked.some((one) => one.start <= ir.start && ir.end <= one.end)
    return [{ unit, ir, property: place.property, isLocked }]
  })
}

/** `this`, something that is made here, and in C++ whatever is no pointer. */
function isOwn(flow: Flow, { nodes }: Unit, object: Ir): boolean {
  if (object.op === 'name' && (object.name === 'this' || flow.table?.self.includes(object.name) === true)) return true
  if (flow.book.language === 'cpp' && !/^\s{0,9}->/.test(flow.text.slice(object.end, object.end + 12))) return true
  const root = rootOf(object)
  return nodes.some(
    (ir) =>
      ir.op === 'assign' &&
      ir.declares &&
      ir.target.op === 'name' &&
      ir.target.name === root &&
      ir.value?.op === 'call' &&
      ir.value.isNew,
  )
}

const isTested = ({ unit, ir, property }: Step): boolean =>
  unit.nodes.some(
    (one) =>
      one.op === 'if' &&
      one.start < ir.start &&
      nodesOf(one.test).some((part) => part.op === 'member' && part.property === property),
  )
