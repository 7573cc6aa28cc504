/** Buffers that input has filled to their last byte: no texts until somebody puts a zero into them. */
import type { Place } from '../program.js'
import { type Run, report } from '../run.js'
import { State, type Value, unknownValue } from '../state.js'

const markOf = (object: string): string => `open ${object}`

export const openText = (state: State, object: string): void => state.set(markOf(object), unknownValue)

export function closeText(state: State, object: string): void {
  if (state.value(markOf(object)) !== undefined) state.forget((place) => place === markOf(object))
}

/** A call reads a text there. */
export function checkOpenText(run: Run, state: State, { to }: Value, place: Place): void {
  const [only] = to ?? []
  if (to?.length === 1 && only !== undefined && state.value(markOf(only.object)) !== undefined)
    report(run, 'unterminated-input', place)
}
