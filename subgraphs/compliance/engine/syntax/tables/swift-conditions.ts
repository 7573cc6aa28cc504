/** Swift: `if`, `guard` and `while`, whose conditions are lists that bind names. */
import type { Ir } from '../ir.js'
import type { Custom, Lowering } from '../lowering/shapes.js'

/** Conditions are a list that may bind names: `if let a = b, a > 1`, `if let a, a > 1`, `if case .text(let a) = b`. */
function conditions(lowering: Lowering, node: number): Ir {
  const parts: Ir[] = []
  let bound: number | undefined
  // `let a` on its own asks whether there is one.
  const askBound = (): void => {
    if (bound !== undefined) parts.push(lowering.lower(bound))
    bound = undefined
  }
  let pattern: Ir[] | undefined
  let before = lowering.startOf(node)
  for (const child of lowering.children(node)) {
    const type = lowering.typeOf(child)
    if (type === 'statements' || type === 'else') break
    const between = lowering.source.slice(before, lowering.startOf(child))
    before = lowering.endOf(child)
    if (/\bcase\b/.test(between)) pattern = []
    if (pattern !== undefined && !between.includes('=')) {
      if (type === 'pattern') pattern.push(lowering.lower(child))
      continue
    }
    if (type === 'value_binding_pattern' || type === 'type_annotation') continue
    if (lowering.first(node, 'bound_identifier') !== undefined && lowering.all(node, 'bound_identifier*').includes(child)) {
      askBound()
      bound = child
      continue
    }
    if (!between.includes('=')) askBound()
    const value = lowering.lower(child)
    const span = { start: lowering.startOf(child), end: lowering.endOf(child) }
    if (pattern !== undefined && pattern.length > 0) {
      const entries = pattern.map((one) => ({ key: null, value: one, spread: false }))
      const target: Ir = { op: 'collection', kind: 'list', entries, ...span }
      parts.push({ op: 'assign', target, value, operator: '=', declares: true, ...span })
    } else if (bound === undefined) parts.push(value)
    else {
      const target = lowering.lower(bound)
      parts.push({ op: 'assign', target, value, operator: '=', declares: true, ...span })
    }
    bound = undefined
    pattern = undefined
  }
  askBound()
  const [first = lowering.make.opaque(node, []), ...rest] = parts
  return rest.reduce<Ir>(
    (left, right) => ({ op: 'binary', operator: '&&', left, right, start: left.start, end: right.end }),
    first,
  )
}

export const ifStatement: Custom = (lowering, node) => {
  const children = lowering.children(node)
  const elseAt = children.findIndex((child) => lowering.typeOf(child) === 'else')
  const bodies = children.filter((child) => lowering.typeOf(child) === 'statements')
  const then = bodies.find((child) => elseAt === -1 || children.indexOf(child) < elseAt)
  const otherwise = elseAt === -1 ? undefined : children[elseAt + 1]
  return {
    op: 'if',
    test: conditions(lowering, node),
    then: then === undefined ? lowering.make.block(node, []) : lowering.lower(then),
    otherwise: otherwise === undefined ? null : lowering.lower(otherwise),
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
}

export const guardStatement: Custom = (lowering, node) => {
  const body = lowering.first(node, '%statements')
  return {
    op: 'if',
    test: conditions(lowering, node),
    then: lowering.make.block(node, []),
    otherwise: body === undefined ? null : lowering.lower(body),
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
}

export const whileStatement: Custom = (lowering, node) => {
  const body = lowering.first(node, '%statements')
  return {
    op: 'loop',
    init: null,
    test: conditions(lowering, node),
    update: null,
    target: null,
    iterable: null,
    body: body === undefined ? lowering.make.block(node, []) : lowering.lower(body),
    bodyFirst: false,
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
}
