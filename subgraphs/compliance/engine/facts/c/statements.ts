/** Statements of C and C++. `#if` alternatives are all taken, jumps keep their labels. */
import type { Case, Expr, Statement, Type } from '../program.js'
import { nameExpr } from './literals.js'
import { collecting, declare, lookup, noteCompared, noteLocalMaker, noteWrite, type Scope } from './scope.js'
import { arrayType } from './arrays.js'
import { lowerExpr } from './expressions.js'
import { baseType, declaratorOf, otherType } from './types.js'

interface At {
  readonly start: number
  readonly end: number
}

const maxDepth = 150

const nothing = (place: At): Statement => ({ op: 'block', body: [], declared: [], ...place })

/** Nearly always one statement; a declaration of several variables is several. */
export function lowerStatement(scope: Scope, node: number): Statement[] {
  const { cursor } = scope
  const place = cursor.placeOf(node)
  if (scope.depth > maxDepth) return []
  scope.depth++
  const result = lowerKind(scope, node, cursor.typeOf(node), place)
  scope.depth--
  return result
}

function lowerKind(scope: Scope, node: number, kind: string, place: At): Statement[] {
  const { cursor } = scope
  switch (kind) {
    case 'compound_statement':
      return [blockOf(scope, cursor.childrenOf(node), place)]
    case 'expression_statement': {
      const [inner] = cursor.childrenOf(node)
      return inner === undefined ? [] : [{ op: 'expression', value: lowerExpr(scope, inner), ...place }]
    }
    case 'declaration':
      return declarations(scope, node, place)
    case 'if_statement':
      return [ifStatement(scope, node, place)]
    case 'else_clause':
      return cursor.childrenOf(node).flatMap((child) => lowerStatement(scope, child))
    case 'switch_statement':
      return [switchStatement(scope, node, place)]
    case 'while_statement':
    case 'do_statement':
    case 'for_statement':
      return [inBlock(scope, place, () => loopStatement(scope, node, kind, place))]
    case 'for_range_loop':
      return [inBlock(scope, place, () => [rangeLoop(scope, node, place)])]
    case 'return_statement':
    case 'co_return_statement': {
      const [value] = cursor.childrenOf(node)
      return [{ op: 'return', value: value === undefined ? null : lowerExpr(scope, value), ...place }]
    }
    case 'throw_statement': {
      const [value] = cursor.childrenOf(node)
      return [{ op: 'throw', value: value === undefined ? null : lowerExpr(scope, value), ...place }]
    }
    case 'break_statement':
      return [{ op: 'break', ...place }]
    case 'continue_statement':
      return [{ op: 'continue', ...place }]
    case 'goto_statement':
      return [{ op: 'goto', label: cursor.textOf(cursor.child(node, 'label') ?? node), ...place }]
    case 'labeled_statement': {
      const [label, ...rest] = cursor.childrenOf(node)
      const body = rest.flatMap((child) => lowerStatement(scope, child))
      return [{ op: 'label', label: label === undefined ? '' : cursor.textOf(label), body: sequence(body, place), ...place }]
    }
    case 'try_statement':
      return [tryStatement(scope, node, place)]
    case 'preproc_if':
    case 'preproc_ifdef':
      return [{ op: 'either', branches: alternatives(scope, node), ...place }]
    default:
      return otherStatement(scope, node, kind, place)
  }
}

const ignored =
  /^(?:preproc_(?:include|def|function_def|call|directive)|type_definition|alias_declaration|using_declaration|struct_specifier|enum_specifier|union_specifier|class_specifier|static_assert_declaration|attributed_declarator|statement_identifier|comment|;)$/

function otherStatement(scope: Scope, node: number, kind: string, place: At): Statement[] {
  const { cursor } = scope
  if (ignored.test(kind)) return []
  if (kind.endsWith('_statement') || kind === 'ERROR' || kind.startsWith('preproc'))
    return cursor.childrenOf(node).flatMap((child) => lowerStatement(scope, child))
  return [{ op: 'expression', value: lowerExpr(scope, node), ...place }]
}

const sequence = (body: readonly Statement[], place: At): Statement =>
  body.length === 1 && body[0] !== undefined ? body[0] : { op: 'block', body, declared: [], ...place }

function inBlock(scope: Scope, place: At, lower: () => readonly Statement[]): Statement {
  const block = new Map<string, { readonly name: string; readonly type: Type | null }>()
  scope.blocks.push(block)
  const body = lower()
  scope.blocks.pop()
  return { op: 'block', body, declared: [...block.values()].map((one) => one.name), ...place }
}

const blockOf = (scope: Scope, nodes: readonly number[], place: At): Statement =>
  inBlock(scope, place, () => nodes.flatMap((child) => lowerStatement(scope, child)))

/** The statement of one field in a block of its own. */
function part(scope: Scope, node: number, field: string): Statement | null {
  const child = scope.cursor.child(node, field)
  if (child === undefined) return null
  const place = scope.cursor.placeOf(child)
  return scope.cursor.typeOf(child) === 'compound_statement'
    ? (lowerStatement(scope, child)[0] ?? nothing(place))
    : blockOf(scope, [child], place)
}

function test(scope: Scope, node: number, place: At): { readonly before: readonly Statement[]; readonly test: Expr } {
  const { cursor } = scope
  const condition = cursor.child(node, 'condition')
  if (condition === undefined) return { before: [], test: { op: 'opaque', parts: [], type: null, ...place } }
  const initializer = cursor.child(condition, 'initializer')
  const before = initializer === undefined ? [] : cursor.childrenOf(initializer).flatMap((child) => lowerStatement(scope, child))
  return { before, test: lowerExpr(scope, cursor.child(condition, 'value') ?? condition) }
}

function ifStatement(scope: Scope, node: number, place: At): Statement {
  return inBlock(scope, place, () => {
    const { before, test: tested } = test(scope, node, place)
    const then = part(scope, node, 'consequence') ?? nothing(place)
    return [...before, { op: 'if', test: tested, then, otherwise: part(scope, node, 'alternative'), ...place }]
  })
}

function switchStatement(scope: Scope, node: number, place: At): Statement {
  const { cursor } = scope
  return inBlock(scope, place, () => {
    const { before, test: subject } = test(scope, node, place)
    const body = cursor.child(node, 'body')
    const cases: Case[] = []
    for (const child of body === undefined ? [] : cursor.childrenOf(body)) {
      if (cursor.typeOf(child) !== 'case_statement') {
        const last = cases.at(-1)
        const more = lowerStatement(scope, child)
        if (last !== undefined) cases[cases.length - 1] = { ...last, body: [...last.body, ...more] }
        continue
      }
      const value = cursor.child(child, 'value')
      const rest = cursor.childrenOf(child).filter((one) => one !== value)
      cases.push({
        tests: value === undefined ? [] : [lowerExpr(scope, value)],
        body: rest.flatMap((one) => lowerStatement(scope, one)),
      })
    }
    return [...before, { op: 'switch', subject, cases, ...place }]
  })
}

function loopStatement(scope: Scope, node: number, kind: string, place: At): Statement[] {
  const { cursor } = scope
  const initializer = kind === 'for_statement' ? cursor.child(node, 'initializer') : undefined
  const before =
    initializer === undefined
      ? []
      : cursor.typeOf(initializer) === 'declaration'
        ? lowerStatement(scope, initializer)
        : [{ op: 'expression' as const, value: lowerExpr(scope, initializer), ...cursor.placeOf(initializer) }]
  const { result, writes } = collecting(scope, () => {
    const condition = cursor.child(node, 'condition')
    const tested = condition === undefined ? null : lowerExpr(scope, cursor.child(condition, 'value') ?? condition)
    if (tested?.op === 'dereference' || tested?.op === 'index') noteCompared(scope, tested)
    const body = part(scope, node, 'body') ?? nothing(place)
    const update = cursor.child(node, 'update')
    return { test: tested, body, update: update === undefined ? null : lowerExpr(scope, update) }
  })
  return [
    ...before,
    {
      op: 'loop',
      ...result,
      bodyFirst: kind === 'do_statement',
      each: null,
      writes: { ...writes, isCounted: isCounted(result.test) },
      ...place,
    },
  ]
}

/** A condition by size: `i < n`, `left > 0`, `n--`. */
function isCounted(expr: Expr | null): boolean {
  if (expr === null) return false
  if (expr.op === 'step') return true
  if (expr.op === 'variable') return expr.type?.kind === 'integer' && (expr.type.bytes ?? 1) > 1
  if (expr.op === 'assign') return expr.operator !== ''
  if (expr.op === 'unary') return isCounted(expr.operand)
  if (expr.op !== 'binary') return false
  if (expr.operator === '&&' || expr.operator === '||') return isCounted(expr.left) || isCounted(expr.right)
  if (/^[<>]=?$/.test(expr.operator)) return true
  return (
    /^[!=]=$/.test(expr.operator) &&
    [expr.left, expr.right].some(
      (side) =>
        side.op === 'step' ||
        (side.op === 'variable' &&
          side.type?.kind === 'integer' &&
          (side.type.bytes ?? 1) > 1 &&
          expr.right.op !== 'number' &&
          expr.right.op !== 'variable'),
    )
  )
}

function rangeLoop(scope: Scope, node: number, place: At): Statement {
  const { cursor } = scope
  const right = cursor.child(node, 'right')
  const over: Expr = right === undefined ? { op: 'opaque', parts: [], type: null, ...place } : lowerExpr(scope, right)
  const declarator = cursor.child(node, 'declarator')
  const base = baseType(cursor, scope.types, cursor.child(node, 'type'))
  const found = declarator === undefined ? null : declaratorOf(cursor, declarator, base, (size) => lowerExpr(scope, size))
  const { result, writes } = collecting(scope, () => {
    const type = found?.type ?? otherType('auto')
    const variable = { name: found === null ? '' : declare(scope, found.name, type), type }
    return { variable, body: part(scope, node, 'body') ?? nothing(place) }
  })
  return {
    op: 'loop',
    test: null,
    update: null,
    body: result.body,
    bodyFirst: false,
    each: { variable: result.variable, over },
    writes: { ...writes, isCounted: true },
    ...place,
  }
}

function tryStatement(scope: Scope, node: number, place: At): Statement {
  const { cursor } = scope
  const handlers = cursor.childrenOf(node).filter((child) => cursor.typeOf(child) === 'catch_clause')
  return {
    op: 'try',
    body: part(scope, node, 'body') ?? nothing(place),
    handlers: handlers.map((one) => part(scope, one, 'body') ?? nothing(place)),
    ...place,
  }
}

/** The parts of `#if ... #elif ... #else`; without `#else` also none of them. */
function alternatives(scope: Scope, node: number): Statement[] {
  const { cursor } = scope
  const place = cursor.placeOf(node)
  const other = cursor.child(node, 'alternative')
  const [condition, name] = [cursor.child(node, 'condition'), cursor.child(node, 'name')]
  const nodes = cursor.childrenOf(node).filter((child) => child !== other && child !== condition && child !== name)
  const before = new Map(scope.declared)
  const first: Statement = { op: 'block', body: nodes.flatMap((child) => lowerStatement(scope, child)), declared: [], ...place }
  if (other === undefined) return [first, nothing(place)]
  // Only one of them is compiled: what each of them declares is the same variable.
  for (const [declared, count] of before) scope.declared.set(declared, count)
  for (const declared of scope.declared.keys()) if (!before.has(declared)) scope.declared.delete(declared)
  return [
    first,
    ...(cursor.typeOf(other) === 'preproc_else'
      ? [
          {
            op: 'block' as const,
            body: cursor.childrenOf(other).flatMap((child) => lowerStatement(scope, child)),
            declared: [],
            ...place,
          },
        ]
      : alternatives(scope, other)),
  ]
}

function declarations(scope: Scope, node: number, place: At): Statement[] {
  const { cursor } = scope
  const typeNode = cursor.child(node, 'type')
  const base = baseType(cursor, scope.types, typeNode)
  const head = cursor.text.slice(place.start, typeNode === undefined ? place.start : cursor.placeOf(typeNode).start)
  const isStatic = /\b(?:static|extern|thread_local)\b/.test(head)
  return cursor.childrenIn(node, 'declarator').flatMap((item): Statement[] => {
    const isInit = cursor.typeOf(item) === 'init_declarator'
    const declarator = declaratorOf(cursor, isInit ? (cursor.child(item, 'declarator') ?? item) : item, base, (size) =>
      lowerExpr(scope, size),
    )
    if (declarator === null) return []
    const valueNode = isInit ? cursor.child(item, 'value') : undefined
    // The name is in sight in its own value: `T *p = malloc(sizeof(*p))`.
    const early =
      (declarator.type?.name === 'array' && !declarator.type.isReference ? arrayType(scope, node) : null) ??
      declarator.type ??
      null
    const name = declare(scope, declarator.name, early)
    let value = valueNode === undefined ? null : lowerExpr(scope, valueNode)
    if (declarator.parameters !== undefined && declarator.type?.kind !== 'pointer' && value === null)
      value = constructed(scope, declarator.parameters, place)
    noteLocalMaker(scope, name, value)
    const type = early ?? (value === null ? null : value.type)
    if (early === null) scope.blocks.at(-1)?.set(declarator.name, { name, type })
    noteWrite(scope, { op: 'variable', name, isLocal: true, type, ...place }, null, value === null)
    return [{ op: 'declare', variable: { name, type }, value, isStatic, ...cursor.placeOf(item) }]
  })
}

/** `T name(args);` reads like the declaration of a function. */
function constructed(scope: Scope, parameters: number, place: At): Expr {
  const { cursor } = scope
  const parts = cursor.childrenOf(parameters).map((child) => {
    const text = cursor.textOf(child)
    const isName = /^\w+$/.test(text) && (lookup(scope, text) !== null || scope.fields?.has(text) === true || text.endsWith('_'))
    return isName ? nameExpr(scope, text, cursor.placeOf(child)) : lowerExpr(scope, child)
  })
  return { op: 'opaque', parts, type: null, ...place }
}
