/**
 * Bounds that are tested behind the use that they are for: `s[i] != ';' && i < n`, `x = v[i]; if (i >= n) return -1;`.
 *
 * Only where nothing in front has compared the index, so that the test is the one that was meant to come first.
 */
import type { Flow } from '../flow/state.js'
import type { Conditional, Ir, Lambda } from '../syntax/ir.js'
import { nodesOf } from './nodes.js'

/** What counts elements, or stands behind the last one. */
const limits =
  /^(?:[nN]|len|size|count|num|max|end|last|limit|stop|cap|[A-Z][A-Z0-9_]{2,40}|\w{0,30}(?:_(?:len|size|count|cnt|num|max|end|limit|sz|n)_?|Len|Size|Count|Num|Max|End|Limit|Length|length)|\w[\w.>-]{0,40}(?:\.|->)(?:n|len|size|count|num|capacity|length)_?|\w[\w.>-]{0,40}(?:\.|->)c?(?:size|length|end)\(\))$/
const ends = /end(?:\(\))?$|last$|limit$|stop$/i

interface Test {
  readonly name: string
  readonly isUpper: boolean
}

/** The places where an index or a pointer is used before it is tested. */
export function lateBounds(flow: Flow, lambda: Lambda): readonly Ir[] {
  const nodes = nodesOf(lambda.body)
  const compared = nodes.filter((ir) => ir.op === 'binary' && /^(?:[<>]=?|[!=]=)$/.test(ir.operator))
  const isComparedBefore = (name: string, at: number): boolean =>
    compared.some((ir) => ir.op === 'binary' && ir.start < at && [ir.left, ir.right].some((side) => isName(side, name)))
  const inner = new Set(nodes.flatMap((ir) => (isAnd(ir) ? [ir.left, ir.right].map(plain).filter(isAnd) : [])))
  const found = nodes.flatMap((ir) => {
    const [use, name] =
      isAnd(ir) && !inner.has(ir) ? (lateTerm(flow, lambda, termsOf(ir)) ?? []) : (lateTest(flow, nodes, ir) ?? [])
    return use === undefined || name === undefined || isComparedBefore(name, Math.min(use.start, ir.start)) ? [] : [use]
  })
  return found.slice(0, 1)
}

const isAnd = (ir: Ir): ir is Extract<Ir, { op: 'binary' }> => ir.op === 'binary' && /^(?:&&|and)$/.test(ir.operator)
const isName = (ir: Ir, name: string): boolean => ir.op === 'name' && ir.name === name
const written = ({ text }: Flow, { start, end }: Ir): string => text.slice(start, end).replaceAll(/\s/g, '')

/** What a comparison has proved may stand in front of the next term. */
const plain = (ir: Ir): Ir => (ir.op === 'block' ? (ir.body.at(-1) ?? ir) : ir)
const termsOf = (ir: Ir): Ir[] => (isAnd(ir) ? [...termsOf(plain(ir.left)), ...termsOf(plain(ir.right))] : [ir])

/** `i < n`, `p != end`; `i >= n` says the opposite. */
function testOf(flow: Flow, ir: Ir): Test | null {
  if (ir.op !== 'binary') return null
  const { left, right, operator } = ir
  const [name, limit] = left.op === 'name' && limits.test(written(flow, right)) ? [left.name, right] : []
  if (name === undefined || limit === undefined) return null
  if (operator === '!=') return ends.test(written(flow, limit)) ? { name, isUpper: true } : null
  return /^<=?$/.test(operator) ? { name, isUpper: true } : /^>=?$/.test(operator) ? { name, isUpper: false } : null
}

/** `v[i]`, `*p`, `p->next` */
const usesOf = (ir: Ir, name: string): Ir[] =>
  nodesOf(ir).filter(
    (one) =>
      (one.op === 'index' && isName(one.index, name)) ||
      (one.op === 'unary' && one.operator === '*' && isName(one.operand, name)) ||
      (one.op === 'member' && isName(one.object, name)),
  )

function lateTerm(flow: Flow, lambda: Lambda, terms: readonly Ir[]): [Ir, string] | null {
  for (const [at, term] of terms.entries()) {
    const test = testOf(flow, term)
    if (test?.isUpper !== true) continue
    const before = terms.slice(0, at)
    const [use] = before.flatMap((one) => usesOf(one, test.name))
    if (use === undefined || before.some((one) => endsItself(flow, lambda, one, use))) continue
    return [use, test.name]
  }
  return null
}

/** A text ends with a zero, which is no space and no digit; that of an object may be read. */
function endsItself(flow: Flow, lambda: Lambda, term: Ir, use: Ir): boolean {
  const object = use.op === 'index' ? written(flow, use.object) : ''
  const isOwnText =
    /^\w+$/.test(object) &&
    new RegExp(`\\bstring\\s{0,3}[&*]?\\s{0,3}${object}\\b`).test(flow.text.slice(lambda.start, lambda.end))
  if (isOwnText || isSame(flow, term, use)) return true
  if (term.op === 'unary' && term.operator === '!') return false
  if (term.op === 'call') return !/(?:\.|->)/.test(written(flow, term.callee))
  if (term.op !== 'binary') return false
  const zero = term.right.op === 'literal' ? written(flow, term.right) : ''
  const isZero = zero === "'\\0'" || (zero === '0' && !/\bvector\b|\bspan\b/.test(flow.text.slice(lambda.start, lambda.end)))
  const isLetter = term.right.op === 'literal' && written(flow, term.right).startsWith("'")
  return (
    (term.operator === '!=' && isZero) ||
    (term.operator === '==' && isLetter && !/\bstring_view\b|\bspan\b/.test(flow.text.slice(lambda.start, lambda.end)))
  )
}

const isSame = (flow: Flow, one: Ir, other: Ir): boolean => written(flow, one) === written(flow, other)

/** `x = v[i]; if (i >= n) return -1;` */
function lateTest(flow: Flow, nodes: readonly Ir[], ir: Ir): [Ir, string] | null {
  if (ir.op !== 'if' || !isRefusing(ir)) return null
  const [test] = orTerms(ir.test).flatMap((one) => testOf(flow, one) ?? [])
  if (test === undefined || test.isUpper) return null
  const isInWay = (one: Ir): boolean =>
    (one.op === 'assign' && isName(one.target, test.name)) ||
    (one.op === 'unary' && /^(?:\+\+|--|&)/.test(one.operator) && isName(one.operand, test.name))
  const before = nodes.filter((one) => one.end <= ir.start)
  const use = before.findLast((one) => one.op === 'index' && isName(one.index, test.name))
  if (use === undefined || before.some((one) => one.start >= use.start && isInWay(one))) return null
  // `for (i = 0; text[i]; i++)`: its end is known, and the bound is that of something else.
  if (nodes.some((one) => one.op === 'loop' && one.test !== null && isSame(flow, one.test, use))) return null
  return isBeside(flow, nodes, use, ir) ? [use, test.name] : null
}

const orTerms = (ir: Ir): Ir[] =>
  ir.op === 'binary' && /^(?:\|\||or)$/.test(ir.operator) ? [...orTerms(ir.left), ...orTerms(ir.right)] : [ir]

const isRefusing = ({ then }: Conditional): boolean =>
  nodesOf(then).some((ir) => ir.op === 'jump' && (ir.kind === 'return' || ir.kind === 'throw'))

/** In the same block, not in a branch in front of it. */
function isBeside({ text }: Flow, nodes: readonly Ir[], use: Ir, test: Ir): boolean {
  const around = (ir: Ir): Ir | undefined =>
    nodes.findLast((one) => one.op === 'block' && text[one.start] === '{' && one.start <= ir.start && ir.end <= one.end)
  const branches = nodes.some((one) => one.op === 'if' && one.start <= use.start && use.end <= one.end)
  return !branches && around(use) === around(test)
}
