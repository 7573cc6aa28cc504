/** Statements of C and C++. `#if` alternatives are all taken, jumps keep their labels. */
import { askedBy, holds, holdsOutsideReaders } from './conditionals.js'
import type { Case, Expr, Statement, Type } from '../program.js'
import { nameExpr } from './literals.js'
import { collecting, declare, noteCompared, noteWrite, type Scope } from './scope.js'
import { asMacro, isUnder } from './open-macros.js'
import { declarations } from './declarations.js'
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
      return inner === undefined ? [] : [{ op: 'expression', value: asMacro(scope, lowerExpr(scope, inner)), ...place }]
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
      if (label !== undefined) scope.labels.add(cursor.textOf(label))
      const body = rest.flatMap((child) => lowerStatement(scope, child))
      return [{ op: 'label', label: label === undefined ? '' : cursor.textOf(label), body: sequence(body, place), ...place }]
    }
    case 'try_statement':
      return [tryStatement(scope, node, place)]
    case 'preproc_if':
    case 'preproc_ifdef':
      return [either(scope, node, place)]
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
  inBlock(scope, place, () => lowerAll(scope, nodes))

function lowerAll(scope: Scope, nodes: readonly number[]): Statement[] {
  const statements: Statement[] = []
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at]
    if (node === undefined) continue
    const walk = walkMacro(scope, node, nodes[at + 1])
    if (walk === null) statements.push(...lowerStatement(scope, node))
    else {
      statements.push(walk.statement)
      if (walk.takesNext) at++
    }
  }
  return statements
}

interface Walk {
  readonly name: string
  readonly args: readonly Expr[]
  readonly body: number
  readonly call: At
  readonly takesNext: boolean
}

/** `list_for_each(p, &list) { ... }` and `map_foreach(map, p, { ... });`: a macro that walks something with a statement of its own. */
function walkMacro(
  scope: Scope,
  node: number,
  next: number | undefined,
): { readonly statement: Statement; readonly takesNext: boolean } | null {
  const { cursor } = scope
  const { result, writes } = collecting(scope, () => {
    const walk = walkOf(scope, node, next)
    if (walk === null) return null
    scope.macros.add(walk.name)
    for (const one of walk.args) noteWrite(scope, one, null)
    return { walk, body: sequence(lowerStatement(scope, walk.body), cursor.placeOf(walk.body)) }
  })
  if (result === null) return null
  const { name, args, call, takesNext } = result.walk
  const over: Expr = { op: 'call', name, receiver: null, args, callee: null, type: null, ...call }
  const shape = {
    op: 'loop' as const,
    test: null,
    update: null,
    bodyFirst: false,
    each: { variable: { name: '', type: null }, pieces: [], over },
  }
  return {
    statement: { ...shape, body: result.body, writes: { ...writes, isCounted: true }, ...cursor.placeOf(node) },
    takesNext,
  }
}

function walkOf(scope: Scope, node: number, next: number | undefined): Walk | null {
  const { cursor } = scope
  const kind = cursor.typeOf(node)
  // The grammar of C++ takes it for a function without a type.
  const head =
    kind === 'function_definition' && cursor.child(node, 'type') === undefined ? cursor.child(node, 'declarator') : undefined
  const [inside] = kind === 'expression_statement' ? cursor.childrenOf(node) : []
  const call = head ?? (inside !== undefined && cursor.typeOf(inside) === 'call_expression' ? inside : undefined)
  const called = call === undefined ? undefined : cursor.child(call, head === undefined ? 'function' : 'declarator')
  const list = call === undefined ? undefined : cursor.child(call, head === undefined ? 'arguments' : 'parameters')
  if (call === undefined || called === undefined || list === undefined || cursor.typeOf(called) !== 'identifier') return null
  const parts = cursor.childrenOf(list)
  const given = parts.find((child) => cursor.typeOf(child) === 'compound_statement')
  const isOpen = head === undefined && next !== undefined && !cursor.textOf(node).endsWith(';') && isUnder(cursor, next, node)
  const body = head === undefined ? (given ?? (isOpen ? next : undefined)) : cursor.child(node, 'body')
  if (body === undefined) return null
  const args = parts.filter((child) => child !== given).map((child) => givenExpr(scope, child))
  return { name: cursor.textOf(called), args, body, call: cursor.placeOf(call), takesNext: isOpen && given === undefined }
}

/** An argument that may read like the declaration of a parameter. */
function givenExpr(scope: Scope, node: number): Expr {
  const text = scope.cursor.textOf(node)
  return /^\w+$/.test(text) ? nameExpr(scope, text, scope.cursor.placeOf(node)) : lowerExpr(scope, node)
}

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

const isMacroCall = ({ cursor, macros }: Scope, node: number): boolean =>
  macros.has(/^\w+(?=\s*\()/.exec(cursor.textOf(node))?.[0] ?? '')

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
        // `CASE(1, text);`: a macro that is a case, which nobody knows.
        else if (isMacroCall(scope, child)) cases.push({ tests: [], body: more })
        continue
      }
      const value = cursor.child(child, 'value')
      const rest = cursor.childrenOf(child).filter((one) => one !== value)
      cases.push({
        tests: value === undefined ? [] : [lowerExpr(scope, value)],
        body: lowerAll(scope, rest),
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
    const pieces =
      declarator === undefined ? [] : boundNames(scope, declarator).map((name) => declare(scope, name, otherType('auto')))
    return { variable, pieces, body: part(scope, node, 'body') ?? nothing(place) }
  })
  return {
    op: 'loop',
    test: null,
    update: null,
    body: result.body,
    bodyFirst: false,
    each: { variable: result.variable, pieces: result.pieces, over },
    writes: { ...writes, isCounted: true },
    ...place,
  }
}

/** `auto &[key, value]` */
function boundNames({ cursor }: Scope, declarator: number): string[] {
  const inner = cursor.typeOf(declarator) === 'reference_declarator' ? cursor.childrenOf(declarator)[0] : declarator
  if (inner === undefined || cursor.typeOf(inner) !== 'structured_binding_declarator') return []
  return cursor.childrenOf(inner).map((name) => cursor.textOf(name))
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

function either(scope: Scope, node: number, place: At): Statement {
  const branches = alternatives(scope, node)
  const asked = branches.length === 1 ? null : askedBy(scope.cursor, node, scope.cursor.child(node, 'alternative'))
  if (asked !== null) scope.conditions.push(asked.text)
  return { op: 'either', branches, asked, ...place }
}

/** The parts of `#if ... #elif ... #else` that may be compiled; without `#else` also none of them. */
function alternatives(scope: Scope, node: number): Statement[] {
  const { cursor } = scope
  const place = cursor.placeOf(node)
  const other = cursor.child(node, 'alternative')
  const [condition, name] = [cursor.child(node, 'condition'), cursor.child(node, 'name')]
  const isCompiled =
    holdsOutsideReaders(askedBy(cursor, node, undefined), other !== undefined) ??
    (condition === undefined ? null : holds(scope.constants, cursor.textOf(condition)))
  if (isCompiled === false) return other === undefined ? [nothing(place)] : otherwise(scope, other, place)
  const nodes = cursor.childrenOf(node).filter((child) => child !== other && child !== condition && child !== name)
  const before = new Map(scope.declared)
  const first: Statement = { op: 'block', body: lowerAll(scope, nodes), declared: [], ...place }
  if (isCompiled === true) return [first]
  if (other === undefined) return [first, nothing(place)]
  // Only one of them is compiled: what each of them declares is the same variable.
  for (const [declared, count] of before) scope.declared.set(declared, count)
  for (const declared of scope.declared.keys()) if (!before.has(declared)) scope.declared.delete(declared)
  return [first, ...otherwise(scope, other, place)]
}

const otherwise = (scope: Scope, other: number, place: At): Statement[] =>
  scope.cursor.typeOf(other) === 'preproc_else'
    ? [{ op: 'block', body: lowerAll(scope, scope.cursor.childrenOf(other)), declared: [], ...place }]
    : alternatives(scope, other)
