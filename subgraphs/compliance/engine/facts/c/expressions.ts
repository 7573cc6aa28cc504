/** Expressions of C and C++ with their types. */
import { lambdaExpr } from './lambdas.js'
import { readType } from './read-types.js'
import { misreadBinary, unevaluated } from './casts.js'
import { expanded } from './expansions.js'
import type { Expr, Type } from '../program.js'
import { isDesignated, targetBehindMacro } from './open-macros.js'
import { addressOf, charValue, nameExpr, numberExpr, textExpr } from './literals.js'
import { declare, lookup, noteCalled, noteCompared, noteLocalMaker, noteMaker, noteWrite, type Scope } from './scope.js'
import {
  baseType,
  charType,
  declaratorOf,
  descriptorType,
  intType,
  plainType,
  pointerTo,
  recordType,
  resultType,
  sizeOf,
  sizeType,
} from './types.js'

const maxDepth = 200

export function lowerExpr(scope: Scope, node: number): Expr {
  const { cursor } = scope
  const place = cursor.placeOf(node)
  if (scope.depth > maxDepth) return { op: 'opaque', parts: [], type: null, ...place }
  scope.depth++
  const kind = cursor.typeOf(node)
  const result = (lowerings.get(kind) ?? opaque)(scope, node, place, kind)
  scope.depth--
  return result
}

interface At {
  readonly start: number
  readonly end: number
}

const inner = (scope: Scope, node: number, field: string, place: At): Expr => {
  const child = scope.cursor.child(node, field) ?? scope.cursor.childrenOf(node)[0]
  return child === undefined ? { op: 'opaque', parts: [], type: null, ...place } : lowerExpr(scope, child)
}

type Lowering = (scope: Scope, node: number, place: At, kind: string) => Expr

const byName: Lowering = (scope, node, place) => nameExpr(scope, scope.cursor.textOf(node), place)
const byQualifiedName: Lowering = (scope, node, place) => nameExpr(scope, scope.cursor.textOf(node).replace(/^std::/, ''), place)
const truth: Lowering = (_scope, _node, place, kind) => ({
  op: 'number',
  value: kind === 'true' ? 1 : 0,
  type: intType,
  ...place,
})
const nothing: Lowering = (_scope, _node, place) => ({ op: 'null', type: pointerTo(null), ...place })
const wrapped: Lowering = (scope, node, place) => inner(scope, node, 'value', place)
const typeAlone: Lowering = (_scope, _node, place) => ({ op: 'opaque', parts: [], type: null, ...place })
const list: Lowering = (scope, node, place) => ({ op: 'list', items: partsOf(scope, node), type: null, ...place })
/** What has no meaning of its own here still has parts. */
const opaque: Lowering = (scope, node, place) => ({ op: 'opaque', parts: partsOf(scope, node), type: null, ...place })

/** By the grammar's name of the node. */
const lowerings: ReadonlyMap<string, Lowering> = new Map([
  ['identifier', byName],
  ['field_identifier', byName],
  ['this', byName],
  ['qualified_identifier', byQualifiedName],
  ['template_function', byQualifiedName],
  ['number_literal', ({ cursor }, node, place) => numberExpr(cursor.textOf(node), place)],
  ['char_literal', charExpr],
  ['true', truth],
  ['false', truth],
  ['null', nothing],
  ['nullptr', nothing],
  ['string_literal', textExpr],
  ['raw_string_literal', textExpr],
  ['concatenated_string', textExpr],
  ['parenthesized_expression', wrapped],
  ['condition_clause', wrapped],
  ['initializer_pair', wrapped],
  ['subscript_argument_list', wrapped],
  ['cast_expression', castExpr],
  ['pointer_expression', unaryExpr],
  ['unary_expression', unaryExpr],
  ['binary_expression', binaryExpr],
  ['assignment_expression', assignExpr],
  ['update_expression', stepExpr],
  ['call_expression', callExpr],
  ['field_expression', fieldExpr],
  ['subscript_expression', indexExpr],
  ['sizeof_expression', sizeofExpr],
  ['conditional_expression', choiceExpr],
  ['comma_expression', sequenceExpr],
  ['initializer_list', list],
  ['argument_list', list],
  ['compound_literal_expression', compoundExpr],
  ['new_expression', newExpr],
  ['delete_expression', deleteExpr],
  ['lambda_expression', lambdaExpr],
  ['declaration', conditionDeclaration],
  ['type_descriptor', typeAlone],
  ['type_identifier', typeAlone],
  ['primitive_type', typeAlone],
])

const partsOf = (scope: Scope, node: number): Expr[] => scope.cursor.childrenOf(node).map((child) => lowerExpr(scope, child))

function charExpr({ cursor }: Scope, node: number, place: At): Expr {
  return { op: 'number', value: charValue(cursor.textOf(node)), type: charType, ...place }
}

function castExpr(scope: Scope, node: number, place: At): Expr {
  const value = inner(scope, node, 'value', place)
  return { op: 'cast', value, type: descriptorType(scope.cursor, scope.types, scope.cursor.child(node, 'type')), ...place }
}

function choiceExpr(scope: Scope, node: number, place: At): Expr {
  const test = inner(scope, node, 'condition', place)
  const then = inner(scope, node, 'consequence', place)
  const otherwise = inner(scope, node, 'alternative', place)
  return { op: 'choice', test, then, otherwise, type: then.op === 'null' ? otherwise.type : then.type, ...place }
}

function sequenceExpr(scope: Scope, node: number, place: At): Expr {
  const items = partsOf(scope, node)
  return { op: 'sequence', items, type: items.at(-1)?.type ?? null, ...place }
}

function compoundExpr(scope: Scope, node: number, place: At): Expr {
  const parts = [inner(scope, node, 'value', place)]
  return { op: 'opaque', parts, type: descriptorType(scope.cursor, scope.types, scope.cursor.child(node, 'type')), ...place }
}

function deleteExpr(scope: Scope, node: number, place: At): Expr {
  const { cursor } = scope
  const value = cursor.childrenOf(node).at(-1) ?? node
  const isArray = /^(?:::)?\s*delete\s*\[/.test(cursor.textOf(node))
  return { op: 'delete', value: lowerExpr(scope, value), isArray, type: null, ...place }
}

function unaryExpr(scope: Scope, node: number, place: At): Expr {
  const { cursor } = scope
  const argument = cursor.child(node, 'argument') ?? cursor.childrenOf(node)[0]
  if (argument === undefined) return { op: 'opaque', parts: [], type: null, ...place }
  const operator = cursor.text.slice(place.start, cursor.placeOf(argument).start).trim()
  const operand = lowerExpr(scope, argument)
  if (operator === '*') return { op: 'dereference', base: operand, type: operand.type?.of ?? null, ...place }
  if (operator === '&') return addressOf(scope, operand, place)
  if (operator === '-' && operand.op === 'number') return { ...operand, value: -operand.value, ...place }
  if (operator === '!' || operator === 'not') noteCompared(scope, operand)
  return {
    op: 'unary',
    operator: operator === 'not' ? '!' : operator,
    operand,
    type: operator === '!' ? intType : operand.type,
    ...place,
  }
}

/** Long chains nest to the left: unrolled, so that they cost no stack. */
function binaryExpr(scope: Scope, node: number): Expr {
  const { cursor } = scope
  const spine: { node: number; right: number; operator: string }[] = []
  let at = node
  while (cursor.typeOf(at) === 'binary_expression') {
    const [left, right] = [cursor.child(at, 'left'), cursor.child(at, 'right')]
    if (left === undefined || right === undefined) break
    // `CAST(char *, malloc(n))`: a type where an operand should be.
    if (cursor.childrenOf(at).some((child) => cursor.typeOf(child) === 'ERROR')) break
    spine.push({ node: at, right, operator: cursor.between(left, right) })
    at = left
  }
  const isWhole = cursor.typeOf(at) === 'binary_expression'
  let result: Expr = isWhole
    ? { op: 'opaque', parts: partsOf(scope, at), type: null, ...cursor.placeOf(at) }
    : lowerExpr(scope, at)
  for (const [depth, one] of spine.toReversed().entries()) {
    const operand = lowerExpr(scope, one.right)
    const misread = depth === 0 ? misreadBinary(scope, { ...one, left: at }, result, operand) : null
    if (misread !== null) {
      result = misread
      continue
    }
    const operator = one.operator === 'and' ? '&&' : one.operator === 'or' ? '||' : one.operator
    if (operator === '>>') noteCalled(scope, operand)
    if (/^(?:[<>]=?|[!=]=)$/.test(operator)) {
      noteCompared(scope, result)
      noteCompared(scope, operand)
    }
    result = {
      op: 'binary',
      operator,
      left: result,
      right: operand,
      type: resultType(operator, result.type, operand.type),
      ...cursor.placeOf(one.node),
    }
  }
  return result
}

function assignExpr(scope: Scope, node: number, place: At): Expr {
  const { cursor } = scope
  const [left, right] = [cursor.child(node, 'left'), cursor.child(node, 'right')]
  if (left === undefined || right === undefined) return { op: 'opaque', parts: [], type: null, ...place }
  if (isDesignated(cursor, left)) return lowerExpr(scope, right)
  const behind = targetBehindMacro(cursor, node, left)
  const operator = cursor.between(behind ?? left, right).replace(/=$/, '')
  const target = lowerExpr(scope, behind ?? left)
  const value = lowerExpr(scope, right)
  if (operator === '' && target.op === 'field') noteMaker(scope, target.name, value)
  if (operator === '' && target.op === 'variable') noteLocalMaker(scope, target.name, value)
  noteCalled(scope, target)
  const isStep = (operator === '+' || operator === '-') && value.op === 'number'
  noteWrite(scope, target, isStep && value.op === 'number' ? (operator === '+' ? value.value : -value.value) : null)
  return { op: 'assign', operator, target, value, type: target.type, ...place }
}

function stepExpr(scope: Scope, node: number, place: At): Expr {
  const target = inner(scope, node, 'argument', place)
  const text = scope.cursor.textOf(node)
  const by = text.startsWith('--') || text.endsWith('--') ? -1 : 1
  noteWrite(scope, target, by)
  if (target.op === 'field' && by > 0) scope.steppedFields.add(target.name)
  return { op: 'step', by, isBefore: text.startsWith('++') || text.startsWith('--'), target, type: target.type, ...place }
}

const castCalls = /^(?:static|reinterpret|const|dynamic)_cast\s*</

function callExpr(scope: Scope, node: number, place: At): Expr {
  const { cursor } = scope
  const [called, list] = [cursor.child(node, 'function'), cursor.child(node, 'arguments')]
  if (called !== undefined && unevaluated.test(cursor.textOf(called))) return { op: 'opaque', parts: [], type: null, ...place }
  const args = list === undefined ? [] : cursor.childrenOf(list).map((child) => lowerExpr(scope, child))
  for (const argument of args) noteCalled(scope, argument)
  if (called === undefined) return { op: 'opaque', parts: args, type: null, ...place }
  const text = cursor.textOf(called)
  const kind = cursor.typeOf(called)
  const [only] = args
  if (castCalls.test(text) && only !== undefined) {
    const wanted = cursor
      .childrenOf(cursor.child(called, 'arguments') ?? called)
      .find((child) => cursor.typeOf(child) === 'type_descriptor')
    const type = descriptorType(scope.cursor, scope.types, wanted)
    // A cast that asks answers NULL.
    if (text.startsWith('dynamic') && type?.kind === 'pointer')
      return { op: 'call', name: 'dynamic_cast', receiver: null, args, callee: null, type, ...place }
    return { op: 'cast', value: only, type, ...place }
  }
  if (kind === 'primitive_type' && only !== undefined)
    return { op: 'cast', value: only, type: baseType(cursor, scope.types, called), ...place }
  if (kind === 'field_expression') {
    const receiver = inner(scope, called, 'argument', place)
    const field = cursor.child(called, 'field')
    const name = field === undefined ? '' : cursor.textOf(field).replace(/<.*$/s, '')
    noteCalled(scope, receiver, name)
    return { op: 'call', name, receiver, args, callee: null, type: readType(scope, field, name, args), ...place }
  }
  if (kind === 'identifier' || kind === 'qualified_identifier' || kind === 'template_function') {
    const name = text
      .replace(/^(?:::)?(?:std::)?/, '')
      .replace(/<.*$/s, '')
      .trim()
    const local = lookup(scope, name)
    // `major = major(device)`: nobody calls a number, so that it is a macro.
    const isNumber = local?.type?.kind === 'integer' || local?.type?.kind === 'float'
    const callee = local?.isLocal === true && !isNumber ? nameExpr(scope, name, cursor.placeOf(called)) : null
    const macro = callee === null ? scope.expansions.get(name) : undefined
    if (macro !== undefined && macro.calls.length > 0 && macro.parameters.length === args.length)
      return expanded(scope, macro, args, place)
    const isType = /^(?:u?int\d+_t|size_t|char|int|unsigned|long|short|uint|u\d+)$/.test(name)
    if (isType && only !== undefined) return { op: 'cast', value: only, type: baseType(cursor, scope.types, called), ...place }
    if (callee === null) scope.calls.push({ name, args, ...place })
    return { op: 'call', name, receiver: null, args, callee, type: readType(scope, called, name, args), ...place }
  }
  return { op: 'call', name: '', receiver: null, args, callee: lowerExpr(scope, called), type: null, ...place }
}

function fieldExpr(scope: Scope, node: number, place: At): Expr {
  const { cursor } = scope
  const [argument, field] = [cursor.child(node, 'argument'), cursor.child(node, 'field')]
  if (argument === undefined || field === undefined) return { op: 'opaque', parts: [], type: null, ...place }
  const base = lowerExpr(scope, argument)
  const isArrow = cursor.between(argument, field).startsWith('->')
  const name = cursor.textOf(field)
  const record = isArrow ? base.type?.of : base.type
  const fields = record?.name === 'this' ? scope.fields : scope.types.classes.get(record?.name ?? '')?.fields
  return { op: 'field', base, name, isArrow, type: fields?.get(name) ?? null, ...place }
}

function indexExpr(scope: Scope, node: number, place: At): Expr {
  const { cursor } = scope
  const base = inner(scope, node, 'argument', place)
  const at = cursor.child(node, 'index') ?? cursor.child(node, 'indices') ?? cursor.childrenOf(node)[1]
  const index: Expr = at === undefined ? { op: 'opaque', parts: [], type: null, ...place } : lowerExpr(scope, at)
  return { op: 'index', base, index, type: base.type?.of ?? null, ...place }
}

function sizeofExpr(scope: Scope, node: number, place: At): Expr {
  const { cursor } = scope
  const typeNode = cursor.child(node, 'type')
  const valueNode = cursor.child(node, 'value') ?? cursor.childrenOf(node)[0]
  if (typeNode !== undefined) {
    const name = cursor.textOf(typeNode)
    // `sizeof(buf)` reads like a type: names in sight are variables.
    const variable = /^\w+$/.test(name) ? lookup(scope, name) : null
    if (variable !== null)
      return { op: 'sizeof', of: nameExpr(scope, name, place), measured: variable.type, type: sizeType, ...place }
    const measured = descriptorType(scope.cursor, scope.types, typeNode)
    const bytes = measured === null ? null : sizeOf(measured)
    return bytes === null || measured?.kind === 'pointer'
      ? { op: 'sizeof', of: null, measured, type: sizeType, ...place }
      : { op: 'number', value: bytes, type: sizeType, ...place }
  }
  if (valueNode === undefined) return { op: 'opaque', parts: [], type: sizeType, ...place }
  const of = lowerExpr(scope, valueNode)
  // `sizeof(record)` reads like a name.
  const record =
    of.op === 'variable' && !of.isLocal && of.type === null && scope.types.classes.has(of.name)
      ? recordType(scope.types, of.name)
      : null
  if (record?.bytes != null) return { op: 'number', value: record.bytes, type: sizeType, ...place }
  const named = of.op === 'variable' && !of.isLocal && of.type === null ? plainType(scope.types, of.name) : undefined
  if (named?.kind === 'integer' && named.bytes !== null) return { op: 'number', value: named.bytes, type: sizeType, ...place }
  return {
    op: 'sizeof',
    of,
    measured:
      named ??
      (of.op === 'text'
        ? {
            ...charType,
            kind: 'array',
            bytes: null,
            of: charType,
            count: { op: 'number', value: of.value.length + 1, type: intType, ...place },
          }
        : of.type),
    type: sizeType,
    ...place,
  }
}

function newExpr(scope: Scope, node: number, place: At): Expr {
  const { cursor } = scope
  const list = cursor.child(node, 'arguments')
  const placement = cursor.child(node, 'placement')
  const declarator = cursor.child(node, 'declarator')
  const base = baseType(cursor, scope.types, cursor.child(node, 'type'))
  const args = list === undefined ? [] : cursor.childrenOf(list).map((child) => lowerExpr(scope, child))
  const mayBeNull = placement !== undefined && cursor.textOf(placement).includes('nothrow')
  const parts = placement === undefined ? [] : [...args, ...partsOf(scope, placement)]
  if (placement !== undefined && !mayBeNull) return { op: 'opaque', parts, type: pointerTo(base), ...place }
  const length = declarator === undefined ? undefined : (cursor.child(declarator, 'length') ?? cursor.childrenOf(declarator)[0])
  const isArray =
    (declarator !== undefined && cursor.textOf(declarator).includes('[')) ||
    /^(?:::)?new\s*(?:\(\s*std::nothrow\s*\)\s*)?[\w:\s*]+\[/.test(cursor.text.slice(place.start, place.start + 200))
  const stars = cursor.text.slice(place.start, place.end).split(/[[({]/)[0]?.match(/\*/g)?.length ?? 0
  const type = Array.from({ length: stars }).reduce<Type | null>((one) => pointerTo(one), base)
  const bounds =
    declarator !== undefined && length !== undefined && cursor.typeOf(declarator) === 'new_declarator' ? length : undefined
  const count: Expr | null = !isArray
    ? null
    : bounds === undefined
      ? { op: 'opaque', parts: [], type: null, ...place }
      : lowerExpr(scope, bounds)
  return { op: 'new', count, args, mayBeNull, type: pointerTo(type), ...place }
}

/** `if (T *p = find())`. */
function conditionDeclaration(scope: Scope, node: number, place: At): Expr {
  const { cursor } = scope
  const base = baseType(cursor, scope.types, cursor.child(node, 'type'))
  const item = cursor.child(node, 'declarator')
  const valueNode = cursor.child(node, 'value') ?? (item === undefined ? undefined : cursor.child(item, 'value'))
  if (item === undefined || valueNode === undefined) return { op: 'opaque', parts: [], type: null, ...place }
  const value = lowerExpr(scope, valueNode)
  const declarator = declaratorOf(cursor, item, base, (size) => lowerExpr(scope, size))
  if (declarator === null) return value
  const type = declarator.type ?? value.type
  const target: Expr = { op: 'variable', name: declare(scope, declarator.name, type), isLocal: true, type, ...place }
  noteWrite(scope, target, null)
  return { op: 'assign', operator: '', target, value, type, ...place }
}
