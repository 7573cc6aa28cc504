/** How each shape of a lowering table becomes representation (see shapes.ts): values here, the rest in the files beside. */
import type { Call, Entry, Ir } from '../ir.js'
import { lowerAssign, lowerDeclarations, required } from './lower-assign.js'
import { lowerControl } from './lower-control.js'
import { lowerClass, lowerFunction } from './lower-definition.js'
import type { LoweringState } from './lowering-state.js'
import { postfixed } from './postfix.js'
import type { Shape, ShapeOf } from './shapes.js'
import { parseNumber, unquote } from '../strings.js'

/** The operator goes to the first operand, unless a bracket keeps them together: then what is inside begins behind it. */
const tightly = (operator: string, operand: Ir, begin: number, start: number): Ir =>
  operand.op === 'binary' && operand.start === begin
    ? { ...operand, start, left: tightly(operator, operand.left, begin, start) }
    : operator === '+' && !(operand.op === 'literal' && typeof operand.value === 'number')
      ? plusOf(operand, start)
      : { op: 'unary', operator, operand, start, end: operand.end }

/** A plus in front is a method of what it stands at: Kotlin's builders of pages write text by it. */
const plusOf = (object: Ir, start: number): Ir => {
  const callee: Ir = { op: 'member', object, property: 'unaryPlus', start, end: object.end }
  return { op: 'call', callee, args: [], isNew: false, at: start, start, end: object.end }
}

export function lowerShape(state: LoweringState, node: number, shape: Exclude<Shape, (...args: never[]) => unknown>): Ir {
  if (typeof shape === 'string') return lowerLeaf(state, node, shape)
  const span = { start: state.startOf(node), end: state.endOf(node) }
  switch (shape.is) {
    case 'through':
      return state.optional(node, shape.of) ?? state.make.opaque(node, [])
    case 'literal':
      return state.make.literal(node, shape.value)
    case 'call':
      return lowerCall(state, node, shape)
    case 'member':
      return lowerMember(state, node, shape)
    case 'index':
      return postfixed(state.source, {
        op: 'index',
        object: required(state, node, shape.object),
        index: required(state, node, shape.index),
        ...span,
      })
    case 'binary':
      return lowerBinary(state, node, shape)
    case 'unary': {
      if (shape.unless !== undefined && state.first(node, shape.unless) !== undefined)
        return state.optional(node, '#-1') ?? state.make.opaque(node, [])
      const operand = state.first(node, shape.operand) ?? node
      const operator = state.source.slice(span.start, state.startOf(operand)).trim()
      if (shape.tight === true) return tightly(operator, state.lower(operand), state.startOf(operand), span.start)
      return { op: 'unary', operator: operator === 'not' ? '!' : operator, operand: state.lower(operand), ...span }
    }
    case 'assign':
      return lowerAssign(state, node, shape)
    case 'declarations':
      return lowerDeclarations(state, node, shape)
    case 'list': {
      const items = state.all(node, shape.items)
      const entries = items.flatMap((at, place): Entry[] => {
        const inner = state.shapeOf(at)
        const before = shape.holes === true ? holesBefore(state, node, items[place - 1], at) : 0
        const holes = Array.from({ length: before }, (): Entry => ({
          key: null,
          value: state.make.opaque(node, []),
          spread: false,
        }))
        // `[a, b = 1] = list`: the default belongs to a target.
        const isTarget = typeof inner === 'object' && inner.is === 'assign'
        return [...holes, isTarget ? { key: null, value: state.lower(at), spread: false } : { ...state.entry(at), key: null }]
      })
      return { op: 'collection', kind: 'list', entries, ...span }
    }
    case 'map':
      return { op: 'collection', kind: 'map', entries: state.all(node, shape.entries).map((at) => state.entry(at)), ...span }
    case 'pair':
      return { op: 'collection', kind: 'map', entries: [state.entry(node)], ...span }
    case 'argument':
    case 'spread':
      return state.optional(node, shape.value) ?? state.make.opaque(node, [])
    case 'cast': {
      const type = state.typeName(state.first(node, shape.type)) ?? ''
      return { op: 'cast', type, value: required(state, node, shape.value), ...span }
    }
    case 'function':
      return lowerFunction(state, node, shape)
    case 'param':
      return state.optional(node, shape.name) ?? state.make.opaque(node, [])
    case 'class':
      return lowerClass(state, node, shape)
    default:
      return lowerControl(state, node, shape)
  }
}

function lowerLeaf(state: LoweringState, node: number, shape: Extract<Shape, string>): Ir {
  const span = { start: state.startOf(node), end: state.endOf(node) }
  switch (shape) {
    case 'name':
      return { op: 'name', name: state.name(node), ...span }
    case 'self':
      return { op: 'name', name: 'this', ...span }
    case 'number': {
      const value = parseNumber(state.text(node))
      return value === null ? state.make.opaque(node, []) : state.make.literal(node, value)
    }
    case 'true':
    case 'false':
      return state.make.literal(node, shape === 'true')
    case 'null':
      return state.make.literal(node, null)
    case 'symbol':
      return state.make.literal(node, unquote(state.text(node).replace(/^:/, '').replace(/:$/, '')))
    case 'string':
    case 'raw-string':
      return state.string(node, shape === 'raw-string')
    case 'char':
      return { op: 'literal', kind: 'char', value: unquote(state.text(node)), ...span }
    case 'regex': {
      const interpolated = state.string(node, true)
      if (interpolated.op === 'concat') return interpolated
      return {
        op: 'literal',
        kind: 'regex',
        value: state
          .text(node)
          .replace(/^(?:%r.|\/)/, '')
          .replace(/[/})\]!|][a-z]*$/, ''),
        ...span,
      }
    }
    case 'block':
    case 'args':
      return {
        op: 'block',
        body: state
          .children(node)
          .filter((child) => state.shapeOf(child) !== 'skip')
          .map((child) => state.lower(child)),
        ...span,
      }
    case 'through': {
      const inner = state.children(node).find((child) => state.shapeOf(child) !== 'skip')
      return inner === undefined ? state.make.opaque(node, []) : state.lower(inner)
    }
    case 'break':
    case 'continue':
      return { op: 'jump', kind: shape, value: null, ...span }
    case 'skip':
      return state.make.block(node, [])
  }
}

function lowerCall(state: LoweringState, node: number, shape: ShapeOf<'call'>): Ir {
  const start = state.startOf(node)
  const end = state.endOf(node)
  let callee: Ir
  const method = shape.method === undefined ? undefined : state.first(node, shape.method)
  const object = shape.object === undefined ? null : state.optional(node, shape.object)
  if (shape.named !== undefined) callee = state.make.name(node, shape.named)
  else if (object !== null) {
    const property = method === undefined ? 'call' : state.name(method)
    const memberEnd = method === undefined ? object.end : state.endOf(method)
    callee = { op: 'member', object, property, start, end: memberEnd }
  } else if (method === undefined) callee = required(state, node, shape.callee ?? '#0')
  else callee = state.lower(method).op === 'name' ? state.make.name(method, state.name(method)) : state.lower(method)
  const lists = shape.args === undefined ? [] : state.all(node, shape.args)
  const args = lists.flatMap((list) =>
    state.shapeOf(list) === 'args' ? state.children(list).flatMap((child) => state.argument(child)) : state.argument(list),
  )
  const blocks = shape.block === undefined ? [] : state.all(node, shape.block)
  for (const block of blocks) args.push({ value: state.lower(block) })
  const at = callee.op === 'member' ? Math.max(start, callee.end - callee.property.length) : callee.start
  const call: Call = { op: 'call', callee, args, isNew: shape.isNew ?? false, at, start, end }
  const initializer = shape.initializer === undefined ? null : state.optional(node, shape.initializer)
  const bodies = shape.body === undefined ? [] : state.all(node, shape.body)
  const body = bodies[0]
  if (initializer !== null) return { ...call, args: [...args, { value: initializer, name: '{}' }] }
  if (body === undefined) return postfixed(state.source, call)
  const members = state.children(body).map((child) => state.lower(child))
  const name = callee.op === 'name' ? callee.name : ''
  const anonymous: Ir = { op: 'class', name: `${name}@${start}`, bases: [name], decorators: [], members, start, end }
  return { op: 'opaque', kind: 'anonymous-class', parts: [anonymous, call], start, end }
}

function lowerMember(state: LoweringState, node: number, shape: ShapeOf<'member'>): Ir {
  const property = state.first(node, shape.property)
  const object = state.optional(node, shape.object)
  if (property === undefined) return object ?? state.make.opaque(node, [])
  if (object === null) return state.make.name(node, state.name(property))
  const member = state.make.member(node, object, state.text(property).replace(/^[$@]{1,2}/, ''))
  return member.op === 'member' ? postfixed(state.source, member) : member
}

/** A chain `a + b + c` nests to the left once per operator: unrolled, so that long chains cost no stack. */
function lowerBinary(state: LoweringState, node: number, shape: ShapeOf<'binary'>): Ir {
  const spine: number[] = []
  let at = node
  while (state.typeOf(at) === state.typeOf(node)) {
    const left = state.first(at, shape.left)
    if (left === undefined || state.first(at, shape.right) === undefined) break
    spine.push(at)
    at = left
  }
  if (spine.length === 0) {
    const parts = state.children(node).map((child) => state.lower(child))
    return state.make.opaque(node, parts)
  }
  let result: Ir = state.lower(at)
  for (let up = spine.length - 1; up >= 0; up--) {
    const binary = spine[up] ?? node
    const left = state.first(binary, shape.left) ?? binary
    const right = state.first(binary, shape.right) ?? binary
    const operator = operatorBetween(state, left, right)
    result = {
      op: 'binary',
      operator,
      left: result,
      right: state.lower(right),
      start: state.startOf(binary),
      end: state.endOf(binary),
    }
  }
  return result
}

function operatorBetween(state: LoweringState, left: number, right: number): string {
  const between = state.source.slice(state.endOf(left), state.startOf(right))
  if (/^\s*\/\/\s*$/.test(between)) return '//'
  const bare = between.replaceAll(/[()\s]|\/\*[^*]*\*\/|\/\/[^\n]*|#(?![>-])[^\n]*\n/g, '').toLowerCase()
  return bare === 'and' ? '&&' : bare === 'or' ? '||' : bare
}

/** `[, id] = match` */
function holesBefore(state: LoweringState, list: number, previous: number | undefined, item: number): number {
  const from = previous === undefined ? state.startOf(list) : state.endOf(previous)
  const commas = state.source.slice(from, state.startOf(item)).split(',').length - 1
  return Math.max(0, commas - (previous === undefined ? 0 : 1))
}
