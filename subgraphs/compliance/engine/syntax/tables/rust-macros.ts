/** Macros of Rust, whose arguments the grammar leaves as tokens. */
import { type Ir, plainFunction } from '../ir.js'
import type { Custom, Lowering } from '../lowering/shapes.js'

/** Macro arguments are bare tokens: chains `a.b(c)` and comparisons are put together again, commas separate the arguments. */
export const tokenTree = (lowering: Lowering, node: number): Ir[] =>
  tokens(lowering, lowering.children(node), lowering.startOf(node))

function tokens(lowering: Lowering, nodes: readonly number[], from: number): Ir[] {
  const args: Ir[] = []
  let operands: Ir[] = []
  let operators: string[] = []
  let end = from
  const push = (): void => {
    if (operands.length > 0) args.push(fold(operands, operators))
    operands = []
    operators = []
  }
  const add = (operand: Ir, gap: string): void => {
    if (operands.length > 0) operators.push(gap)
    operands.push(operand)
  }
  for (let at = 0; at < nodes.length; at++) {
    // `rng.gen()`: a method by the name of a keyword is no node.
    const word = /^\s*\.\s*(?!await\b)([a-z]\w*)/.exec(lowering.source.slice(end, lowering.startOf(nodes[at] ?? 0)))
    const owner = operands.at(-1)
    if (word !== null && owner !== undefined) {
      end += word[0].length
      operands[operands.length - 1] = { ...lowering.make.member(nodes[at] ?? 0, owner, word[1] ?? ''), start: owner.start, end }
    }
    end = pastTypes(lowering.source, end)
    while (at < nodes.length - 1 && lowering.startOf(nodes[at] ?? 0) < end) at++
    const child = nodes[at] ?? 0
    if (lowering.startOf(child) < end) break
    const gap = lowering.source.slice(end, lowering.startOf(child))
    const isTree = lowering.typeOf(child) === 'token_tree'
    if (gap.includes(',') || gap.includes(';')) push()
    const current = operands.at(-1)
    const block = control(lowering, nodes, at, gap)
    if (block !== null) {
      add(block.ir, '')
      at = block.last
    } else if (current !== undefined && isTree && isCalled(lowering, child, current, gap))
      operands[operands.length - 1] = lowering.make.call(child, current, tokenTree(lowering, child))
    else if (current !== undefined && /^\s*(?:\.|::)\s*$/.test(gap)) {
      const chained = lowering.make.member(child, current, lowering.text(child))
      operands[operands.length - 1] = { ...chained, start: current.start }
    } else add(isTree ? group(lowering, child) : lowering.lower(child), gap.trim())
    end = lowering.endOf(nodes[at] ?? child)
  }
  push()
  return args
}

/** The end of the types in `.parse::<Vec<u8>>()`, which are no part of the value; without any the place itself. */
function pastTypes(source: string, from: number): number {
  if (!source.startsWith('::<', from)) return from
  let depth = 1
  for (let at = from + 3; at < source.length && at < from + maxTypes; at++) {
    if (source[at] === '<') depth++
    else if (source[at] === '>' && source[at - 1] !== '-') depth--
    if (depth === 0) return at + 1
  }
  return from
}

const maxTypes = 200

/** Braces behind a small letter hold statements or markup, behind a capital one the fields of a struct. */
const isCalled = (lowering: Lowering, tree: number, callee: Ir, gap: string): boolean =>
  isBlock(lowering, tree) ? gap.trim() === '' && callee.op === 'name' && /^[A-Z]/.test(callee.name) : gap === ''

const isBlock = (lowering: Lowering, node: number): boolean =>
  lowering.typeOf(node) === 'token_tree' && lowering.source.startsWith('{', lowering.startOf(node))

/** `if a { b } else { c }`, `for a in b { c }` and `fn a(b: c) { d }`, which stand in macros as bare tokens too. */
function control(lowering: Lowering, nodes: readonly number[], at: number, gap: string): { ir: Ir; last: number } | null {
  const word = /(?:^|\W)(if|for|fn)\s*$/.exec(gap)?.[1]
  const last = word === undefined ? -1 : nodes.findIndex((node, index) => index > at && isBlock(lowering, node))
  if (last < 0) return null
  const body = nodes[last] ?? 0
  const start = lowering.startOf(nodes[at] ?? body)
  if (word === 'fn' && lowering.typeOf(nodes[at] ?? body) !== 'identifier') return null
  if (word === 'fn') return { ir: functionOf(lowering, nodes.slice(at, last), body), last }
  if (word === 'for') {
    const [target, iterable] = halves(lowering, nodes.slice(at, last))
    if (target === undefined || iterable === undefined) return null
    const loop = {
      init: null,
      test: null,
      update: null,
      bodyFirst: false,
      target,
      iterable,
      body: group(lowering, body),
    } as const
    return { ir: { op: 'loop', ...loop, start, end: lowering.endOf(body) }, last }
  }
  const test = one(lowering, nodes.slice(at, last), start)
  const next = alternative(lowering, nodes, last + 1)
  const end = lowering.endOf(nodes[next?.last ?? last] ?? body)
  const ir: Ir = { op: 'if', test, then: group(lowering, body), otherwise: next?.ir ?? null, start, end }
  return { ir, last: next?.last ?? last }
}

/** Its parameters are names of its own, which the function beside it may use again. */
function functionOf(lowering: Lowering, head: readonly number[], body: number): Ir {
  const [name = body, ...rest] = head
  const list = rest.find((node) => lowering.typeOf(node) === 'token_tree')
  const parameters = (list === undefined ? [] : lowering.children(list))
    .filter((node) => lowering.typeOf(node) === 'identifier' && isTyped(lowering, node))
    .map((node) => {
      const place = { start: lowering.startOf(node), end: lowering.endOf(node) }
      return { name: lowering.text(node), decorators: [], rest: false, ...place }
    })
  return plainFunction({
    name: lowering.text(name),
    declares: true,
    parameters,
    body: group(lowering, body),
    isExpressionBody: false,
    start: lowering.startOf(name),
    end: lowering.endOf(body),
  })
}

/** `code` of `code: std::io::Error`, and neither `std` nor `io`. */
const isTyped = (lowering: Lowering, node: number): boolean =>
  /^\s{0,9}:(?!:)/.test(lowering.source.slice(lowering.endOf(node), lowering.endOf(node) + 12))

/** `else` and `in` are names to the grammar. */
const isWord = (lowering: Lowering, node: number | undefined, word: string): boolean =>
  node !== undefined && lowering.text(node) === word

function alternative(lowering: Lowering, nodes: readonly number[], at: number): { ir: Ir; last: number } | null {
  const [word, node] = nodes.slice(at, at + 2)
  if (word === undefined || node === undefined || !isWord(lowering, word, 'else')) return null
  if (isBlock(lowering, node)) return { ir: group(lowering, node), last: at + 1 }
  return control(lowering, nodes, at + 1, lowering.source.slice(lowering.endOf(word), lowering.startOf(node)))
}

/** What stands in front of `in` and behind it. */
function halves(lowering: Lowering, nodes: readonly number[]): Ir[] {
  const middle = nodes.findIndex((node) => isWord(lowering, node, 'in'))
  if (middle < 1 || middle === nodes.length - 1) return []
  return [nodes.slice(0, middle), nodes.slice(middle + 1)].map((half) => one(lowering, half, lowering.startOf(half[0] ?? 0)))
}

function one(lowering: Lowering, nodes: readonly number[], start: number): Ir {
  const parts = tokens(lowering, nodes, start)
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : lowering.make.opaque(nodes[0] ?? 0, parts)
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
}

/** After `assert!(a < b)` the condition holds; after `debug_assert!(a < b)` only in builds that nobody ships. */
function asserted(name: string, args: readonly Ir[], call: Ir): Ir {
  const [left, right] = args
  const span = { start: call.start, end: call.end }
  const operator = comparisons[name]
  let test: Ir | undefined
  if (name === 'assert') test = left
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
