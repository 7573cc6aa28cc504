/** What a try clause is for: the call that stands alone at its end, so that nothing but its failure tells what it found. */
import type { Flow } from '../flow/state.js'
import type { Ir } from '../syntax/ir.js'
import { matchesAnyName } from './constraints.js'
import { writtenName } from './subject.js'

export function endsWithCall(flow: Flow, body: Ir, names: readonly string[]): boolean {
  const last = body.op === 'block' ? body.body.at(-1) : body
  return last?.op === 'call' && matchesAnyName(names, writtenName(last.callee), flow.book.ignoreCase)
}
