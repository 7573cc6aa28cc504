/** Macros that free a variable and set it to NULL. */
import type { FunctionModel } from '../../rulebook/function-model.js'
import { spotOf } from '../memory/spots.js'
import type { ExprOf } from '../program.js'
import type { Run } from '../run.js'
import { type State, unknownValue } from '../state.js'

/** A function of the same name leaves it as it is, so that it may be the one or the other. */
export function clearArgument(run: Run, state: State, { args }: ExprOf<'call'>, { clears }: FunctionModel): void {
  const cleared = clears === undefined ? undefined : args[clears]
  if (cleared?.op !== 'variable' && cleared?.op !== 'field') return
  const { place } = spotOf(run, state, cleared, 'write')
  if (place !== null) state.set(place, unknownValue)
}
