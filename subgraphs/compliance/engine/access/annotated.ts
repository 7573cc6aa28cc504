/** Names for types that also say where their values come from. */
import type { Flow } from '../flow/state.js'
import type { Ir } from '../syntax/ir.js'
import { lastName } from './names.js'

/** `Me = Annotated[Landlord, Depends(current_landlord)]` says for all parameters of the type `Me` where they come from. */
export function annotated({ root }: Flow, type: string | undefined): Ir | null {
  if (type === undefined || root.op !== 'block' || !/^[A-Z]\w*$/.test(type)) return null
  for (const one of root.body) {
    if (one.op !== 'assign' || one.target.op !== 'name' || one.target.name !== type || one.value?.op !== 'index') continue
    const { object, index } = one.value
    if (lastName(object) === 'Annotated' && index.op === 'collection')
      return index.entries.map(({ value }) => value).find(({ op }) => op === 'call') ?? null
  }
  return null
}
