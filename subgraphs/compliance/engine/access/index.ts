/**
 * Who may do what: an analysis of the handlers of a file.
 *
 * It finds what handlers load or change by an id that the client chose, and whether anything on the way asks if the caller may: a query that
 * is scoped to him, a comparison with the owner, a helper that is given both, a guard of the route. What most handlers of a file ask and one
 * does not is missing there. Names are data (`rulebook/access-words.ts`); where something may be a check, it counts as one.
 */
import type { Fact } from '../facts/run.js'
import type { Flow } from '../flow/state.js'
import { accessFacts } from './judge.js'

export function findAccess(flow: Flow): readonly Fact[] {
  const words = flow.book.access
  return words === null || flow.isTruncated ? [] : accessFacts(flow, words)
}
