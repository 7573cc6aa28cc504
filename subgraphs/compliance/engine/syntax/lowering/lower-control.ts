/** Branches, loops, handlers and jumps of lowering tables. */
import type { Case, Catch, Ir } from '../ir.js'
import { listOf } from './lower-assign.js'
import type { LoweringState } from './lowering-state.js'
import type { ShapeOf } from './shapes.js'

type Control = ShapeOf<'if' | 'switch' | 'case' | 'loop' | 'try' | 'catch' | 'jump'>

export function lowerControl(state: LoweringState, node: number, shape: Control): Ir {
  switch (shape.is) {
    case 'if':
      return lowerIf(state, node, shape)
    case 'switch':
      return lowerSwitch(state, node, shape)
    case 'case':
      return state.make.opaque(node, [...state.list(node, shape.tests), ...state.list(node, shape.body)])
    case 'loop':
      return lowerLoop(state, node, shape)
    case 'try':
      return lowerTry(state, node, shape)
    case 'catch':
      return state.optional(node, shape.body) ?? state.make.block(node, [])
    case 'jump': {
      const values = state.all(node, shape.value ?? '#0')
      // Ruby's `return a, b` gives a list.
      const value = values.length > 1 ? listOf(state, values, node) : state.optional(node, shape.value ?? '#0')
      return { op: 'jump', kind: shape.kind, value, start: state.startOf(node), end: state.endOf(node) }
    }
  }
}

function lowerLoop(state: LoweringState, node: number, shape: ShapeOf<'loop'>): Ir {
  return {
    op: 'loop',
    init: state.optional(node, shape.init),
    test: state.optional(node, shape.test),
    update: state.optional(node, shape.update),
    target: state.optional(node, shape.target),
    iterable: state.optional(node, shape.iterable),
    body: state.optional(node, shape.body) ?? state.make.block(node, []),
    bodyFirst: shape.bodyFirst ?? false,
    start: state.startOf(node),
    end: state.endOf(node),
  }
}

function lowerIf(state: LoweringState, node: number, shape: ShapeOf<'if'>): Ir {
  const span = { start: state.startOf(node), end: state.endOf(node) }
  const tests = state.list(node, shape.test)
  const plain = tests.reduceRight<Ir | null>(
    (right, left) => (right === null ? left : { op: 'binary', operator: '&&', left, right, ...span }),
    null,
  )
  const positive = plain ?? state.make.literal(node, true)
  const test: Ir = shape.negate === true ? { op: 'unary', operator: '!', operand: positive, ...span } : positive
  const alternatives = shape.otherwise === undefined ? [] : state.all(node, shape.otherwise)
  let otherwise: Ir | null = null
  for (const alternative of alternatives.toReversed()) {
    const lowered = state.lower(alternative)
    otherwise = lowered.op === 'if' && lowered.otherwise === null && otherwise !== null ? { ...lowered, otherwise } : lowered
  }
  const body = state.optional(node, shape.then) ?? state.make.block(node, [])
  const conditional: Ir = { op: 'if', test, then: body, otherwise, ...span }
  const init = state.optional(node, shape.init)
  return init === null ? conditional : { op: 'block', body: [init, conditional], ...span }
}

function lowerSwitch(state: LoweringState, node: number, shape: ShapeOf<'switch'>): Ir {
  const cases = state.all(node, shape.cases).flatMap((at): Case[] => {
    const inner = state.shapeOf(at)
    if (typeof inner !== 'object' || inner.is !== 'case') return [{ tests: [], body: state.lower(at) }]
    const tests = state
      .list(at, inner.tests)
      .filter((test) => !(test.op === 'opaque' && /^_$|^default/.test(sourceOf(state, test))))
    const isWildcard = tests.some((test) => test.op === 'name' && test.name === '_')
    const guard = state.optional(at, inner.guard) ?? undefined
    const body: Ir = { op: 'block', body: state.list(at, inner.body), start: state.startOf(at), end: state.endOf(at) }
    const only = body.op === 'block' && body.body.length === 1 ? body.body[0] : undefined
    return [{ tests: isWildcard ? [] : tests, guard, body: only ?? body }]
  })
  return {
    op: 'switch',
    subject: state.optional(node, shape.subject),
    cases,
    fallsThrough: shape.fallsThrough ?? false,
    start: state.startOf(node),
    end: state.endOf(node),
  }
}

const sourceOf = (state: LoweringState, ir: Ir): string => state.source.slice(ir.start, Math.min(ir.end, ir.start + 40))

function lowerTry(state: LoweringState, node: number, shape: ShapeOf<'try'>): Ir {
  const isPlain = [shape.resources, shape.catches, shape.finalizer].every(
    (selector) => selector === undefined || state.all(node, selector).length === 0,
  )
  // Ruby: any body may rescue.
  if (isPlain) return state.make.block(node, state.list(node, shape.body))
  return {
    op: 'try',
    resources: state.list(node, shape.resources),
    body: state.optional(node, shape.body) ?? state.make.block(node, []),
    catches: shape.catches === undefined ? [] : state.all(node, shape.catches).map((at) => lowerCatch(state, at)),
    finalizer: state.optional(node, shape.finalizer),
    start: state.startOf(node),
    end: state.endOf(node),
  }
}

/** Scala: `case NonFatal(e) => ...`, `case _: IOException => ()`. */
function lowerCaughtCase(
  state: LoweringState,
  node: number,
  shape: ShapeOf<'case'>,
  span: { readonly start: number; readonly end: number },
): Catch {
  const written = (at: number): string => state.source.slice(state.startOf(at), state.endOf(at)).trim()
  const patterns = shape.tests === undefined ? [] : state.all(node, shape.tests).map(written)
  const [first = ''] = patterns
  const body = state.list(node, shape.body).filter((ir) => sourceOf(state, ir).trim() !== '()')
  return {
    parameter: /^(?:NonFatal\()?([a-z]\w*)/.exec(first)?.[1] ?? null,
    types: patterns.map((one) => (one.startsWith('NonFatal') ? 'Exception' : (/:\s*([\w.]+)$/.exec(one)?.[1] ?? 'Throwable'))),
    body: state.make.block(node, body),
    ...span,
  }
}

function lowerCatch(state: LoweringState, node: number): Catch {
  const shape = state.shapeOf(node)
  const span = { start: state.startOf(node), end: state.endOf(node) }
  if (typeof shape === 'object' && shape.is === 'case') return lowerCaughtCase(state, node, shape, span)
  if (typeof shape !== 'object' || shape.is !== 'catch') return { parameter: null, types: [], body: state.lower(node), ...span }
  const parameter = shape.parameter === undefined ? undefined : state.first(node, shape.parameter)
  return {
    parameter: parameter === undefined ? null : state.name(parameter),
    types: shape.types === undefined ? [] : state.all(node, shape.types).map((at) => state.typeName(at) ?? ''),
    body: state.optional(node, shape.body) ?? state.make.block(node, []),
    ...span,
  }
}
