/** Memory that was asked for in another size: when the answer is an address, the old one is over. */
import { objectOf } from '../run.js'
import { State, type Value } from '../state.js'

const markOf = (made: string): string => `resized ${made}`

export function noteMoved(state: State, made: Value, old: string): void {
  const [only] = made.to ?? []
  if (only !== undefined && only.object !== old) state.set(markOf(only.object), { ...made, to: [{ object: old, at: null }] })
}

/** The program has seen that it worked. */
export function endResized(state: State, { to }: Value): void {
  const [only] = to ?? []
  const mark = to?.length === 1 && only !== undefined ? markOf(only.object) : null
  const [old] = mark === null ? [] : (state.value(mark)?.to ?? [])
  if (mark === null || old === undefined) return
  state.forget((place) => place === mark)
  const known = objectOf(state, old.object)
  if (known.life === 'unknown') state.setObject(old.object, { ...known, life: 'freed', ended: known.born })
}
