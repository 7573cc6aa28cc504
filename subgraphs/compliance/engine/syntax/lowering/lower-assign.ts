/** Assignments and declarations of lowering tables. */
import type { Ir } from '../ir.js'
import type { LoweringState } from './lowering-state.js'
import type { Selector, ShapeOf } from './shapes.js'

export const required = (state: LoweringState, node: number, selector: Selector): Ir =>
  state.optional(node, selector) ?? state.make.opaque(node, [])

export function lowerAssign(state: LoweringState, node: number, shape: ShapeOf<'assign'>): Ir {
  const targets = state.all(node, shape.target)
  const values = shape.value === undefined ? [] : state.all(node, shape.value)
  const [target] = targets
  if (target === undefined) return state.make.opaque(node, state.list(node, '*'))
  const last = targets.at(-1) ?? target
  const value = values[0]
  let operator = shape.operator
  if (operator === undefined && value !== undefined) {
    const between = state.source.slice(state.endOf(last), state.startOf(value))
    operator = /([^\s=:(]{1,3})=\s*\(*$/.exec(between)?.[1] ?? '='
  }
  const type = state.typeName(shape.type === undefined ? undefined : state.first(node, shape.type))
  const decorators = state.list(node, shape.decorators)
  const modifiers = shape.modifiers === undefined ? [] : state.all(node, shape.modifiers).map((at) => state.text(at))
  const common = { operator: operator ?? '=', declares: shape.declares ?? false, type, decorators, modifiers }
  const span = { start: state.startOf(node), end: state.endOf(node) }
  if (targets.length > 1 && targets.length === values.length) {
    const body = targets.map((one, index): Ir => {
      return { op: 'assign', target: state.lower(one), value: state.lower(values[index] ?? node), ...common, ...span }
    })
    return { op: 'block', body, ...span }
  }
  return pairwise(state, {
    op: 'assign',
    target: targets.length === 1 ? state.lower(target) : listOf(state, targets, node),
    value: values.length === 0 ? null : values.length === 1 ? state.lower(value ?? node) : listOf(state, values, node),
    ...common,
    ...span,
  })
}

export const listOf = (state: LoweringState, nodes: readonly number[], owner: number): Ir => ({
  op: 'collection',
  kind: 'list',
  entries: nodes.map((at) => ({ ...state.entry(at), key: null })),
  start: state.startOf(owner),
  end: state.endOf(owner),
})

/** `a, b = c, d` is two assignments; `a, err := f()` leaves the targets out that never carry data. */
function pairwise(state: LoweringState, assign: Extract<Ir, { op: 'assign' }>): Ir {
  const { target, value } = assign
  if (target.op !== 'collection' || target.kind !== 'list') return assign
  if (value?.op === 'collection' && value.entries.length === target.entries.length) {
    const body = target.entries.map((entry, at): Ir => ({
      ...assign,
      target: entry.value,
      value: value.entries[at]?.value ?? null,
    }))
    return { op: 'block', body, start: assign.start, end: assign.end }
  }
  const ignored = state.table.ignoredTargets ?? []
  const kept = target.entries.filter((entry) => !(entry.value.op === 'name' && ignored.includes(entry.value.name)))
  const [only] = kept
  if (kept.length === target.entries.length) return assign
  const failure = target.entries.find((entry) => !kept.includes(entry) && writtenAs(entry.value) !== '_')
  const besides = value?.op === 'call' && failure !== undefined ? { failure: writtenAs(failure.value) } : {}
  const placeOf = (entry: (typeof kept)[number]): number => target.entries.indexOf(entry)
  if (kept.length === 1 && only !== undefined)
    return { ...assign, ...besides, target: only.value, ...(value?.op === 'call' ? { result: placeOf(only) } : {}) }
  const entries = kept.map((entry): typeof entry => {
    const key: Ir = { op: 'literal', value: placeOf(entry), start: entry.value.start, end: entry.value.start }
    return { ...entry, key }
  })
  return { ...assign, ...besides, target: { ...target, entries } }
}

const writtenAs = (ir: Ir): string => (ir.op === 'name' ? ir.name : '')

export function lowerDeclarations(state: LoweringState, node: number, shape: ShapeOf<'declarations'>): Ir {
  const type = state.typeName(shape.type === undefined ? undefined : state.first(node, shape.type))
  const decorators = state.list(node, shape.decorators)
  const modifiers = shape.modifiers === undefined ? [] : state.all(node, shape.modifiers).map((at) => state.text(at))
  const body = state.all(node, shape.items).map((item): Ir => {
    const target = required(state, item, shape.target)
    const value = state.optional(item, shape.value)
    const span = { start: state.startOf(item), end: state.endOf(item) }
    return { op: 'assign', target, value, operator: '=', declares: true, type, decorators, modifiers, ...span }
  })
  const [only] = body
  return body.length === 1 && only !== undefined ? only : state.make.block(node, body)
}
