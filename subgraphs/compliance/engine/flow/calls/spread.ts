/** Lists that are spread into the arguments of a call, as far as their parts are known. */
import type { Call, Ir } from '../../syntax/ir.js'
import type { Place } from '../sink-hits.js'
import type { Flow, Frame } from '../state.js'
import { elementsOf } from '../values/parts.js'
import type { Value } from '../values/value.js'
import type { SiteArgument } from './call-site.js'

/** Python: `f(**options)` gives the parts of a map as named arguments. Shells: `"$@"` is words, each an argument of its own. */
export function spreadParts(flow: Flow, ir: Ir, value: Value): SiteArgument[] {
  if (value.fields === undefined || value.origins.length > 0) return []
  if (flow.book.language === 'bash')
    return (elementsOf(value) ?? []).map((word) => ({ name: undefined, subject: { value: word, ir: null } }))
  if (flow.text.slice(ir.start - 2, ir.start) !== '**') return []
  return [...value.fields].map(([name, one]) => ({ name, subject: { value: one, ir: null } }))
}

/** A command that only gets `"$@"` passed on is what the caller of the function runs: there stands what is wrong with it. */
export const placeOfCall = (flow: Flow, { calledAt }: Frame, { at, end }: Call, args: readonly SiteArgument[]): Place =>
  calledAt !== null && flow.book.language === 'bash' && args.some(({ subject }) => subject.ir === null)
    ? calledAt
    : { start: at, end }
