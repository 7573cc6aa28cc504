/** Ways through C functions that the tree does not show: `goto` to a label further down, and memory that a way ends without freeing. */
import type { Ir } from '../ir.js'
import type { Custom, Lowering } from '../lowering/shapes.js'
import { scopeOf } from './c-scope.js'

const maxTail = 3000
const maxCopied = 60_000
const maxHops = 3

/** The statements of a block; a `goto` to the very next statement goes nowhere. */
export function lowerStatements(lowering: Lowering, children: readonly number[]): Ir[] {
  return children.flatMap((child, at): Ir[] => {
    if (lowering.typeOf(child) !== 'goto_statement') return [lowering.lower(child)]
    const next = children[at + 1]
    const isNext = next !== undefined && labelOf(lowering, next) === labelOf(lowering, child)
    return isNext ? [] : [lowering.lower(child)]
  })
}

const labelOf = (lowering: Lowering, node: number): string | null => {
  if (!/^(?:goto|labeled)_statement$/.test(lowering.typeOf(node))) return null
  return lowering.text(lowering.first(node, 'label') ?? node)
}

/**
 * `goto out;` runs what stands behind `out:` and leaves the function. Only labels further down, at the top level of the function, and with little
 * code behind them: that is how C cleans up. Everything else ends the way.
 */
export const gotoStatement: Custom = (lowering, node) => {
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const end: Ir = { op: 'jump', kind: 'return', value: null, ...span }
  const { inside } = scopeOf(lowering)
  const body = inside?.body
  if (inside == null || body === undefined || inside.hops.length >= maxHops) return end
  const label = labelOf(lowering, node)
  const children = lowering.children(body)
  const at = children.findIndex((child) => lowering.typeOf(child) === 'labeled_statement' && labelOf(lowering, child) === label)
  const first = children[at]
  if (first === undefined || lowering.startOf(first) < span.start) return end
  const length = lowering.endOf(body) - lowering.startOf(first)
  if (length > maxTail || inside.copied + length > maxCopied) return end
  inside.copied += length
  inside.hops.push({ from: span.start, to: lowering.startOf(first) })
  const tail = lowerStatements(lowering, children.slice(at))
  inside.hops.pop()
  return lowering.make.block(node, [...tail, end])
}
