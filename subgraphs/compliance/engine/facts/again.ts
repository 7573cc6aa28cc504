/** One mistake, one fact. */
import type { FactKind } from '../rulebook/fact-kinds.js'
import type { Fact } from './run.js'

/** Accesses: where a function reaches there again by the same words, that is the same mistake, told where it happens first. */
const ofAccess: ReadonlySet<FactKind> = new Set<FactKind>([
  'overflow',
  'overread',
  'overflow-by-one',
  'overread-by-one',
  'underwrite',
  'data-index',
  'data-length',
  'use-after-free',
  'null-dereference',
  'invalidated',
  'uninitialized',
])

export function withoutAgain(text: string, facts: readonly Fact[]): readonly Fact[] {
  const seen = new Set<string>()
  return facts.filter(({ kind, start, end, inside, cause }) => {
    const again = `${kind} ${inside} ${cause ?? ''} ${text.slice(start, Math.min(end, start + 200))}`
    const isAgain = ofAccess.has(kind) && seen.has(again)
    seen.add(again)
    return !isAgain
  })
}
