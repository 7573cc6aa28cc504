/** Ways that meet: one has handed an object on from one place to another, the other has not. */
import type { Obj, State, Target, Value } from '../state.js'

interface Holders {
  readonly here: string[]
  readonly there: string[]
}

/** `host = either; either = NULL;` on one way only: each object has one owner, so what both places hold afterwards is never the same. */
export function partHolders(joined: State, a: State, b: State): void {
  for (const [object, { here, there }] of holdersOf(a, b)) {
    const known = joined.object(object)
    if (known === undefined || here.length === 0 || there.length === 0) continue
    nameAnew(joined, object, known, `${object}, here`, here)
    nameAnew(joined, object, known, `${object}, there`, there)
    joined.setObject(object, { ...known, escaped: true, life: 'unknown' })
  }
}

/** Of owned objects, where they lie on one way only. */
function holdersOf(a: State, b: State): ReadonlyMap<string, Holders> {
  const found = new Map<string, Holders>()
  const note = (value: Value, other: Value, place: string, side: keyof Holders): void => {
    for (const { object } of value.to ?? []) {
      const isMoved = isFollowed(a.object(object)) && isFollowed(b.object(object))
      if (!isMoved || other.to?.some((one) => one.object === object) !== false) continue
      const holders = found.get(object) ?? { here: [], there: [] }
      holders[side].push(place)
      found.set(object, holders)
    }
  }
  for (const [place, value] of a.places()) {
    const other = b.value(place)
    if (other === undefined || other.to === value.to) continue
    note(value, other, place, 'here')
    note(other, value, place, 'there')
  }
  return found
}

const isFollowed = (object: Obj | undefined): boolean =>
  object !== undefined && object.isOwned && !object.escaped && object.life === 'live'

function nameAnew(joined: State, object: string, known: Obj, name: string, places: readonly string[]): void {
  joined.setObject(name, { ...known, isOwned: false, escaped: true })
  const renamed = new Map<readonly Target[], readonly Target[]>()
  for (const place of places) {
    const value = joined.value(place)
    if (value?.to == null) continue
    const to = renamed.get(value.to) ?? value.to.map((one) => (one.object === object ? { ...one, object: name } : one))
    renamed.set(value.to, to)
    joined.set(place, { ...value, to })
  }
}
