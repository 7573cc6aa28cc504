/** Functions of shell scripts: their value is what they print. */
import type { Ir } from '../ir.js'
import type { Custom, Lowering } from '../lowering/shapes.js'

/**
 * A function that is called in `$(...)` returns what it prints. Text made of its own arguments is left out: what they are depends
 * on the place of the call.
 */
export const functionDefinition: Custom = (lowering, node) => {
  const nameNode = lowering.first(node, 'name')
  const bodyNode = lowering.first(node, 'body')
  const name = nameNode === undefined ? '' : lowering.text(nameNode)
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const body = bodyNode === undefined ? lowering.make.block(node, []) : lowering.lower(bodyNode)
  const isSubstituted =
    /^[\w:.-]+$/.test(name) && new RegExp(`(?:\\$\\(|\`)\\s{0,9}${name.replaceAll('.', '\\.')}[\\s)\`]`).test(lowering.source)
  const output = (): Ir => lowering.make.name(node, '%output')
  const lowered = isSubstituted
    ? lowering.make.block(node, [
        { op: 'assign', target: output(), value: lowering.make.literal(node, ''), operator: '=', declares: true, ...span },
        returningOutput(lowering, body, ownArguments(lowering, node), output),
        { op: 'jump', kind: 'return', value: output(), ...span },
      ])
    : body
  return {
    op: 'function',
    name,
    declares: true,
    parameters: [],
    body: lowered,
    decorators: [],
    modifiers: [],
    isExpressionBody: false,
    isConstructor: false,
    ...span,
  }
}

/** Finds `$1`, `$@` and the variables that the function fills from them. */
function ownArguments(lowering: Lowering, node: number): RegExp {
  const text = lowering.text(node)
  const names = new Set<string>()
  for (const [, name, value] of text.matchAll(/\b([A-Za-z_]\w*)\+?=([^\n;]{0,200})/g))
    if (name !== undefined && mentions(names).test(value ?? '')) names.add(name)
  return mentions(names)
}

const mentions = (names: ReadonlySet<string>): RegExp =>
  new RegExp(`\\$\\{?!?(?:[0-9@*]${[...names].map((one) => `|${one}\\b`).join('')})`)

const printers = new Set(['echo', 'printf', 'print', 'cat', '|'])

function returningOutput(lowering: Lowering, ir: Ir, own: RegExp, output: () => Ir): Ir {
  const inner = (one: Ir): Ir => returningOutput(lowering, one, own, output)
  if (ir.op === 'block') return { ...ir, body: ir.body.map((one) => inner(one)) }
  if (ir.op === 'loop') return { ...ir, body: inner(ir.body) }
  if (ir.op === 'if') return { ...ir, then: inner(ir.then), otherwise: ir.otherwise === null ? null : inner(ir.otherwise) }
  if (ir.op === 'switch') return { ...ir, cases: ir.cases.map((one) => ({ ...one, body: inner(one.body) })) }
  if (ir.op === 'jump' && ir.kind === 'return') return { ...ir, value: output() }
  if (ir.op !== 'call' || ir.callee.op !== 'name' || !printers.has(ir.callee.name)) return ir
  const [first] = ir.args
  const isElsewhere = first?.value.op === 'literal' && first.value.value === '-v'
  if (isElsewhere || own.test(lowering.source.slice(ir.start, ir.end))) return ir
  return { op: 'assign', target: output(), value: ir, operator: '+', declares: false, start: ir.start, end: ir.end }
}
