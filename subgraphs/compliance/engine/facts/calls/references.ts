/** C++: what a function of the file reads from outside into what it gets by reference. */
import { spotOf } from '../memory/spots.js'
import type { Expr, ExprOf, FunctionIr } from '../program.js'
import { type Run, forgetInside, functionNamed, objectOf } from '../run.js'
import type { State } from '../state.js'

/** `packet.readHeader(h)` where the file declares one method of this name, and the class of `packet`. */
export function methodOf(run: Run, { name, args }: ExprOf<'call'>, receiver: Expr): FunctionIr | undefined {
  const own = functionNamed(run, name)
  const type = receiver.type?.kind === 'pointer' ? receiver.type.of : receiver.type
  const isMeant = own?.owner != null && own.owner === type?.name && own.parameters.length === args.length
  return isMeant ? own : undefined
}

/** `bool readHeader(Header &h) { ... memcpy(&h, bytes, sizeof h); }` */
export function fillReferences(
  run: Run,
  state: State,
  { args }: ExprOf<'call'>,
  { parameters }: FunctionIr,
  fills: readonly number[],
): void {
  for (const at of fills) {
    const argument = args[at]
    if (parameters[at]?.type?.isReference !== true || argument?.type?.kind !== 'record') continue
    const { place } = spotOf(run, state, argument, 'write')
    if (place === null) continue
    forgetInside(run, state, place)
    state.forget((one) => one.startsWith(`${place}.`))
    state.setObject(place, { ...objectOf(state, place), isData: true })
  }
}
