import { partsOf } from '../flow/prepare.js'
import type { Ir } from '../syntax/ir.js'

/** Everything in `body` in the order of the text; functions inside only where `isDeep`. */
export function nodesOf(body: Ir, isDeep = false): Ir[] {
  const nodes: Ir[] = []
  const stack = [body]
  for (let ir = stack.pop(); ir !== undefined; ir = stack.pop()) {
    nodes.push(ir)
    if (isDeep || ir.op !== 'function' || ir === body) stack.push(...partsOf(ir).toReversed())
  }
  return nodes
}

/** The names in it. */
export const namesIn = (ir: Ir, isDeep = false): string[] =>
  nodesOf(ir, isDeep).flatMap((one) => (one.op === 'name' ? [one.name] : []))
