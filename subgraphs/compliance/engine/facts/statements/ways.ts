/** Ways through a function: which states may be joined, and which a call has ended. */
import { joinAll } from '../numbers/arithmetic.js'
import { type Run, step } from '../run.js'
import { State, unknownValue } from '../state.js'

const maxStates = 6

/** Joins what may be joined. */
export function settle(run: Run, states: readonly State[], at: string): State[] {
  if (states.length < 2) return [...states]
  const groups = new Map<string, State[]>()
  for (const state of states) {
    step(run, state.size >> 4)
    const key = state.key()
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [state])
    else group.push(state)
  }
  const joined = [...groups.values()].map((group) => joinAll(run, group, at))
  return joined.length <= maxStates ? joined : [...joined.slice(0, maxStates - 1), joinAll(run, joined.slice(maxStates - 1), at)]
}

/** What one alternative of `#if` sets counts as set: the program knows which one it is compiled with. */
export function eitherWay(alternatives: readonly State[][], isSet = false): State[] {
  const states = alternatives.flat()
  const unset = new Set(
    states.flatMap((state) => [...state.places()].filter(([, value]) => value.isUnset).map(([place]) => place)),
  )
  for (const place of unset) {
    if (!isSet && states.every((state) => state.value(place)?.isUnset === true)) continue
    for (const state of states) if (state.value(place)?.isUnset === true) state.set(place, unknownValue)
  }
  return states
}

/** States that a call did not end. */
export function alive(states: readonly State[], each: (state: State) => void): State[] {
  return states.filter((state) => {
    each(state)
    return state.object('end') === undefined
  })
}
