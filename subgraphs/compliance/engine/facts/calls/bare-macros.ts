/** `HASH_CALC;`, `CLEANUP;`: a macro that is given nothing works with the variables around it. */
import type { ExprOf } from '../program.js'
import { type Run, escape, objectOf, rootOf } from '../run.js'
import { type State, isNull, unknownValue } from '../state.js'

/** Those that only say where the program is, or something to the compiler. */
const saying = /TRACE|LOG|DEBUG|DBG|ENTER|PROF|FALL|UNREACH|NOTREACH|UNUSED|DECL|ASSERT|WARN/

/** What a macro of this file names, or everything in sight of one of another file. */
export function touchedBy(run: Run, state: State, { name, args }: ExprOf<'call'>): void {
  const words = run.program.plainMacros.get(name)
  if (args.length > 0 || run.program.expansions.has(name) || (words === undefined && saying.test(name))) return
  for (const [place, value] of state.places()) {
    const variable = /^&(\w+)(?:'\d+)?$/.exec(place)?.[1]
    if (variable === undefined || words?.has(variable) === false) continue
    escape(run, state, value)
    for (const { object } of value.to ?? []) {
      const root = rootOf(run, object)
      if (objectOf(state, root).life === 'freed') state.setObject(root, { ...objectOf(state, root), life: 'unknown' })
    }
    if (value.isUnset || value.nil === isNull) state.set(place, unknownValue)
  }
}
