/** Names for types that also say where their values come from. */
import type { Flow } from '../flow/state.js'
import type { Ir } from '../syntax/ir.js'
import { lastName } from './names.js'

/** By file: it is asked for every parameter. */
const known = new WeakMap<Ir, ReadonlyMap<string, Ir>>()

/** `Me = Annotated[Landlord, Depends(current_landlord)]` says for all parameters of the type `Me` where they come from. */
export function annotated({ root }: Flow, type: string | undefined): Ir | null {
  if (type === undefined) return null
  let calls = known.get(root)
  if (calls === undefined) known.set(root, (calls = annotatedIn(root)))
  return calls.get(type) ?? null
}

function annotatedIn(root: Ir): ReadonlyMap<string, Ir> {
  const calls = new Map<string, Ir>()
  if (root.op !== 'block') return calls
  for (const one of root.body) {
    if (one.op !== 'assign' || one.target.op !== 'name' || one.value?.op !== 'index') continue
    const { object, index } = one.value
    if (lastName(object) !== 'Annotated' || index.op !== 'collection') continue
    const call = index.entries.map(({ value }) => value).find(({ op }) => op === 'call')
    if (call !== undefined && !calls.has(one.target.name)) calls.set(one.target.name, call)
  }
  return calls
}
