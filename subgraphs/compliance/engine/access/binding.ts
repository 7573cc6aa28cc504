/** Names get their traits. */
import type { Ir } from '../syntax/ir.js'
import { lastName, stringOf } from './names.js'
import { asId, nameTraits, partTraits } from './parts.js'
import type { Walk } from './state.js'
import { has, nothing, ofCarrier, ofClient, ofRole, type Traits } from './traits.js'

/** Gives a name or the names of a pattern their traits. What says by its name that it is the caller stays so. */
export function bind(walk: Walk, target: Ir, traits: Traits, adds = false): void {
  if (target.op === 'name' || target.op === 'member') {
    const key = target.op === 'name' ? target.name : `this.${target.property}`
    const before = adds ? (walk.env.get(key) ?? nothing) : nothing
    if ((traits | before) === nothing && nameTraits(walk, lastName(target)) !== nothing) return
    // `role = req.getParameter('as')`: what the program calls a role is one.
    const isRole = has(traits, ofClient) && walk.words.ranks.is(walk.words.of(lastName(target)))
    // `long id = Long.parseLong(req.getPathInfo().substring(1))`.
    const named = target.op === 'name' && !has(traits, ofCarrier) ? asId(walk, walk.words.of(target.name), traits) : traits
    walk.env.set(key, named | before | (isRole ? ofRole : nothing))
    return
  }
  if (target.op === 'collection')
    for (const { key, value } of target.entries) {
      const name = stringOf(key ?? undefined) ?? (key === null ? lastName(value) : lastName(key))
      bind(walk, value, has(traits, ofCarrier | ofClient) && name !== '' ? partTraits(walk, traits, name) : traits)
    }
  else if (target.op === 'assign') bind(walk, target.target, traits)
  else if (target.op === 'opaque') for (const part of target.parts) bind(walk, part, traits)
}
