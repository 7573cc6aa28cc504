/**
 * A proof that is only looked at where one was sent: `if (signature) { if (!matches(signature)) refuse() }`, and the work behind that is done
 * without one too. Whoever wants to get around the check leaves the header out.
 */
import type { Flow } from '../flow/state.js'
import type { Call, Ir, Lambda } from '../syntax/ir.js'
import { matchesAnyName, matchesText } from './constraints.js'
import { nodesOf } from './nodes.js'
import { presenceAsked } from './presence.js'
import { writtenName } from './subject.js'

export interface ChecksIfSent {
  /** What is sent as a proof, by the text that brings it or by its name. */
  readonly proofs: string
  /** Calls that compare or verify it. */
  readonly checks: readonly string[]
  /** How the branch refuses, as a text. */
  readonly refuses: string
}

export function checksIfSent(flow: Flow, lambda: Lambda, wanted: ChecksIfSent): readonly Ir[] {
  const nodes = nodesOf(lambda.body)
  const text = (ir: Ir): string => flow.text.slice(ir.start, Math.min(ir.end, ir.start + 600))
  const proofs = new Set(
    nodes.flatMap((ir) =>
      ir.op === 'assign' && ir.target.op === 'name' && ir.value !== null && matchesText(wanted.proofs, text(ir.value))
        ? [ir.target.name]
        : [],
    ),
  )
  if (proofs.size === 0) return []
  const isProof = (ir: Ir): boolean => ir.op === 'name' && proofs.has(ir.name)
  const isCheck = (ir: Ir): ir is Call =>
    ir.op === 'call' && matchesAnyName(wanted.checks, writtenName(ir.callee), flow.book.ignoreCase)
  return nodes.filter((ir) => {
    if (ir.op !== 'if' || ir.otherwise !== null) return false
    const isAsked = isProof(ir.test) || presenceAsked(flow, ir.test, isProof) === 'there'
    if (!isAsked || !nodesOf(ir.then, true).some(isCheck) || !matchesText(wanted.refuses, text(ir.then))) return false
    // Who has none goes on to work that is done, and is not refused by what follows.
    const rest = nodes.filter(({ start }) => start >= ir.end)
    return rest.some(({ op }) => op === 'call') && !rest.some((one) => one.op === 'if' && nodesOf(one.test).some(isProof))
  })
}
