/** What a function leaves open on purpose. */
import { rangeOfSymbol } from '../numbers/numbers.js'
import type { FunctionIr } from '../program.js'
import type { Exit, Run } from '../run.js'
import { type State, isNull } from '../state.js'

/** `if (fd > STDERR_FILENO) close(fd);`: a standard stream has to stay open. */
export function isStandard(run: Run, state: State, id: string): boolean {
  const { high, most } = rangeOfSymbol(run.symbols, state, id)
  return (
    high <= LAST_STREAM || (most !== null && most.terms.length === 1 && /^::[A-Z][A-Z0-9_]*\b/.test(most.terms[0]?.[0] ?? ''))
  )
}

/** Standard input, output and errors. */
const LAST_STREAM = 2

/** `if (out != NULL) *out = p; return 0;`: on the way on which nobody wants it. */
export function isDeclined(run: Run, { parameters }: FunctionIr, { state, place }: Exit, id: string): boolean {
  const isUnwanted = (one: State): boolean =>
    parameters.some(({ name, type }) => type?.kind === 'pointer' && one.value(`&${name}`)?.nil === isNull)
  return (
    isUnwanted(state) &&
    run.frame.exits.some(
      (other) => other.place.start === place.start && other.state.object(id)?.escaped === true && !isUnwanted(other.state),
    )
  )
}

const freedByFlag = /\bif\s*\(\s*(?:\w+(?:->|\.))?\w*(?:alloc|heap|free|own|dynamic)\w*\s*\)\s*\{?\s*\w*free\s*\(\s*(\w+)\s*\)/gi

/** `if (is_allocated) free(p);`: the variable beside it says whether it is memory of the heap. */
export function isFreedByFlag({ text }: Run, { start, end }: FunctionIr, { state, place }: Exit, id: string): boolean {
  for (const { index, 1: name = '' } of text.slice(start, end).matchAll(freedByFlag))
    if (start + index < place.start && state.value(`&${name}`)?.to?.some(({ object }) => object === id) === true) return true
  return false
}
