/** Macros of Rust, whose arguments the grammar leaves as tokens. */
import type { Ir } from '../ir.js'
import type { Custom, Lowering } from '../lowering/shapes.js'

/** Macro arguments are bare tokens: chains `a.b(c)` and comparisons are put together again, commas separate the arguments. */
export function tokenTree(lowering: Lowering, node: number): Ir[] {
  const args: Ir[] = []
  let operands: Ir[] = []
  let operators: string[] = []
  let end = lowering.startOf(node)
  const push = (): void => {
    if (operands.length > 0) args.push(fold(operands, operators))
    operands = []
    operators = []
  }
  for (const child of lowering.children(node)) {
    const gap = lowering.source.slice(end, lowering.startOf(child))
    const type = lowering.typeOf(child)
    if (gap.includes(',') || gap.includes(';')) push()
    const current = operands.at(-1)
    if (current === undefined) operands.push(type === 'token_tree' ? group(lowering, child) : lowering.lower(child))
    else if (type === 'token_tree' && gap.trim() === '')
      operands[operands.length - 1] = lowering.make.call(child, current, tokenTree(lowering, child))
    else if (/^\s*(?:\.|::)\s*$/.test(gap)) {
      const chained = lowering.make.member(child, current, lowering.text(child))
      operands[operands.length - 1] = { ...chained, start: current.start }
    } else {
      operands.push(type === 'token_tree' ? group(lowering, child) : lowering.lower(child))
      operators.push(gap.trim())
    }
    end = lowering.endOf(child)
  }
  push()
  return args
}

const precedences = [/^\|\|/, /^&&/, /^(?:[<>]=?|[=!]=)/]

/** The loosest operator is the outermost one. */
function fold(operands: readonly Ir[], operators: readonly string[]): Ir {
  const [left] = operands
  if (left !== undefined && operands.length === 1) return left
  const level = precedences.find((one) => operators.some((operator) => one.test(operator)))
  const at = level === undefined ? operators.length - 1 : operators.findLastIndex((operator) => level.test(operator))
  const before = fold(operands.slice(0, at + 1), operators.slice(0, at))
  const after = fold(operands.slice(at + 1), operators.slice(at + 1))
  return { op: 'binary', operator: operators[at] ?? '', left: before, right: after, start: before.start, end: after.end }
}

export const group = (lowering: Lowering, node: number): Ir => {
  const parts = tokenTree(lowering, node)
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : lowering.make.opaque(node, parts)
}

export const macro: Custom = (lowering, node) => {
  const name = lowering.first(node, 'macro')
  const tokens = lowering.first(node, '%token_tree')
  const callee = name === undefined ? lowering.make.name(node, '') : lowering.lower(name)
  const args = tokens === undefined ? [] : tokenTree(lowering, tokens)
  const marked: Ir =
    callee.op === 'member'
      ? { ...callee, property: `${callee.property}!` }
      : callee.op === 'name'
        ? { ...callee, name: `${callee.name}!` }
        : callee
  const isSized = tokens !== undefined && args.length === 2 && args[1]?.op !== 'literal' && lowering.text(tokens).includes(';')
  if (callee.op === 'name' && callee.name === 'vec' && !isSized) {
    const entries = args.map((value) => ({ key: null, value, spread: false }))
    return { op: 'collection', kind: 'list', entries, start: lowering.startOf(node), end: lowering.endOf(node) }
  }
  const call = lowering.make.call(node, marked, [...args, ...inlineArguments(lowering, node, args)])
  return callee.op === 'name' ? asserted(callee.name, args, call) : call
}

const comparisons: Readonly<Record<string, string>> = {
  assert_eq: '==',
  assert_ne: '!=',
  debug_assert_eq: '==',
  debug_assert_ne: '!=',
}

/** After `assert!(a < b)` the condition holds. */
function asserted(name: string, args: readonly Ir[], call: Ir): Ir {
  const [left, right] = args
  const span = { start: call.start, end: call.end }
  const operator = comparisons[name]
  let test: Ir | undefined
  if (name === 'assert' || name === 'debug_assert') test = left
  else if (operator !== undefined && left !== undefined && right !== undefined)
    test = { op: 'binary', operator, left, right, ...span }
  if (test === undefined) return call
  return {
    op: 'if',
    test,
    then: { op: 'block', body: [], ...span },
    otherwise: { op: 'jump', kind: 'throw', value: null, ...span },
    ...span,
  }
}

/** `format!("{name}")` uses variables that stand inside of the string. */
function inlineArguments(lowering: Lowering, node: number, args: readonly Ir[]): Ir[] {
  const format = args.find((arg) => arg.op === 'literal' && typeof arg.value === 'string')
  if (format?.op !== 'literal' || typeof format.value !== 'string') return []
  return [...format.value.matchAll(/\{([a-z_]\w*)(?::[^{}]{0,40})?\}/g)].map((match) => lowering.make.name(node, match[1] ?? ''))
}
