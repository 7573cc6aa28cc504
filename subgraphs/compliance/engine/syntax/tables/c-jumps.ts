/** Ways through C functions that the tree does not show: `goto` to a label further down, and memory that a way ends without freeing. */
import type { Ir } from '../ir.js'
import type { Custom, Lowering } from '../shapes.js'
import { isGivenAway } from './c-owners.js'
import { unset } from './c-results.js'
import { bare, type FunctionScope, helper, mentions, scopeOf } from './c-scope.js'

const maxTail = 3000
const maxCopied = 60_000
const maxHops = 3

/** The statements of a block; a `goto` to the very next statement goes nowhere. */
export function lowerStatements(lowering: Lowering, children: readonly number[]): Ir[] {
  return children.flatMap((child, at): Ir[] => {
    const last = children[at - 1]
    const before = last === undefined ? [] : unset(lowering, last, child)
    if (lowering.typeOf(child) !== 'goto_statement') return [...before, lowering.lower(child)]
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
  const tail = [...lowerStatements(lowering, children.slice(at)), ...unfreed(lowering, body, '')]
  inside.hops.pop()
  return lowering.make.block(node, [...tail, end])
}

/** `#unfreed(p)` for everything allocated before, where a way ends with `leaving` as its value. */
export function unfreed(lowering: Lowering, node: number, leaving: string): Ir[] {
  const { inside } = scopeOf(lowering)
  return inside === null ? [] : [...leftBehind(lowering, inside, node, leaving), ...forgotten(lowering, inside)]
}

/** What a function frees of others is only known to be free until it ends: the next one begins anew. */
const forgotten = (lowering: Lowering, inside: FunctionScope): Ir[] =>
  [...inside.freed.values()]
    .filter((place) => inside.names.get(/\w+/.exec(lowering.text(place))?.[0] ?? '') === undefined)
    .map((place) => helper(lowering, place, '#refilled', [lowering.lower(bare(lowering, place))]))

function leftBehind(lowering: Lowering, inside: FunctionScope, node: number, leaving: string): Ir[] {
  const at = lowering.typeOf(node) === 'compound_statement' ? lowering.endOf(node) : lowering.startOf(node)
  return [...inside.owned].flatMap(([name, allocated]) => {
    if (allocated > at || new RegExp(`\\b${name}\\b(?!\\s*(?:->|\\[|\\.))`).test(leaving)) return []
    const found = mentions(lowering, name)
    if (found === null) return []
    if (lowering.typeOf(node) === 'throw_statement' && /\bcatch\b[^]*\bdelete\b/.test(found.text)) return []
    const before = found.at.filter((place) => place + inside.start < at && !isSkipped(inside, place + inside.start))
    if (isGivenAway(found.text, name, before, true)) return []
    return [helper(lowering, node, '#unfreed', [lowering.make.name(node, name)])]
  })
}

/** Places that the jumps on the way here leapt over. */
const isSkipped = (inside: FunctionScope, place: number): boolean =>
  inside.hops.some(({ from, to }) => place > from && place < to)
