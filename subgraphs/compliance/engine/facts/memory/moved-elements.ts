/** Functions that move the elements of containers: references that their callers hold are over. */
import type { ExprOf, FunctionIr } from '../program.js'
import type { Exit, Run } from '../run.js'
import { State, type Value } from '../state.js'
import { moveElements } from './elements.js'
import { keyOf, objectAt } from './locks.js'
import { spotOf } from './spots.js'

const suffix = ' generation'

/** Those that it moves on each way: `0|` of the first parameter, `this|.jobs_`. */
export function movedElements(fn: FunctionIr, exits: readonly Exit[]): ReadonlySet<string> {
  const [first] = exits
  const ids = first === undefined ? [] : [...first.state.places()].flatMap(([place]) => (place.endsWith(suffix) ? [place] : []))
  const always = ids.filter((id) => exits.every(({ state }) => (state.value(id)?.number?.constant ?? 0) > 0))
  return new Set(always.flatMap((id) => keyOf(fn, id.slice(0, -suffix.length)) ?? []))
}

export function applyMoved(
  run: Run,
  state: State,
  call: ExprOf<'call'>,
  own: FunctionIr,
  moved: ReadonlySet<string>,
  args: readonly Value[],
): void {
  for (const key of moved) {
    const at = Number(key.slice(0, key.indexOf('|')))
    const given = own.parameters[at]?.type?.isReference === true ? call.args[at] : undefined
    // `add(v)` with a reference gives the container itself.
    const container =
      given === undefined ? objectAt(run, state, key, args) : key.endsWith('|') ? spotOf(run, state, given, 'read').place : null
    if (container !== null) moveElements(state, container, call)
  }
}
