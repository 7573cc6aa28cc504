/** Functions of shell scripts: their parameters are `$1`, `$2`, ... and `$@`, their value is what they print. */
import { type Ir, type Parameter, plainFunction } from '../ir.js'
import type { Custom, Lowering } from '../lowering/shapes.js'

/** The function around a command, where variables may be local and `shift` moves its own parameters. */
const open = new WeakMap<Lowering, number>()

export const isInFunction = (lowering: Lowering): boolean => (open.get(lowering) ?? 0) > 0

/** How many parameters have a name of their own; what stands behind them is in `$@`. */
const named = 9

/** A function that is called in `$(...)` returns what it prints. */
export const functionDefinition: Custom = (lowering, node) => {
  const nameNode = lowering.first(node, 'name')
  const bodyNode = lowering.first(node, 'body')
  const name = nameNode === undefined ? '' : lowering.text(nameNode)
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  open.set(lowering, (open.get(lowering) ?? 0) + 1)
  const body = bodyNode === undefined ? lowering.make.block(node, []) : lowering.lower(bodyNode)
  open.set(lowering, (open.get(lowering) ?? 1) - 1)
  const output = (): Ir => lowering.make.name(node, '%output')
  const printed = returningOutput(lowering, body, output)
  const lowered =
    printed === body
      ? body
      : lowering.make.block(node, [
          { op: 'assign', target: output(), value: lowering.make.literal(node, ''), operator: '=', declares: true, ...span },
          printed,
          {
            op: 'jump',
            kind: 'return',
            value: output(),
            status: lastStatus(lowering, bodyNode, body) ?? unsaid(lowering, node),
            ...span,
          },
        ])
  return plainFunction({
    name,
    declares: true,
    parameters: parametersOf(lowering, node),
    body: lowered,
    isExpressionBody: false,
    ...span,
  })
}

const unsaid = (lowering: Lowering, node: number): Ir => lowering.make.name(node, '%status')

/** What the last command of a function answers is what the function answers. */
function lastStatus(lowering: Lowering, bodyNode: number | undefined, body: Ir): Ir | null {
  const last = bodyNode === undefined ? undefined : lowering.children(bodyNode).at(-1)
  const ir = body.op === 'block' ? body.body.at(-1) : undefined
  return last === undefined || ir === undefined ? null : statusOf(lowering, last, ir)
}

function statusOf(lowering: Lowering, node: number, ir: Ir): Ir | null {
  const type = lowering.typeOf(node)
  if (type === 'list' && ir.op === 'if') {
    const [left, right] = lowering.children(node)
    if (left === undefined || right === undefined) return null
    const isOr = ir.otherwise !== null
    const [one, other] = [statusOf(lowering, left, ir.test), statusOf(lowering, right, ir.otherwise ?? ir.then)]
    return one === null || other === null
      ? null
      : { op: 'binary', operator: isOr ? '||' : '&&', left: one, right: other, start: ir.start, end: ir.end }
  }
  if (!/^(?:test_command|negated_command|command|pipeline)$/.test(type)) return null
  const test = ir.op === 'block' ? ir.body.at(-1) : ir
  return test !== undefined && ['binary', 'unary', 'call'].includes(test.op) ? test : null
}

/** `$1` up to the last one that the function names, then `$@`. */
function parametersOf(lowering: Lowering, node: number): Parameter[] {
  const text = lowering.text(node)
  const isShifting = /\bshift\b/.test(text)
  const count = isShifting ? named : Math.max(0, ...[...text.matchAll(/\$\{?[!#]?([1-9])/g)].map((match) => Number(match[1])))
  const base = { decorators: [], start: lowering.startOf(node), end: lowering.startOf(node) }
  // Nobody gives all nine.
  const empty = isShifting ? { fallback: lowering.make.literal(node, '') } : {}
  const own = Array.from({ length: count }, (_, at): Parameter => ({ ...base, name: `$${at + 1}`, rest: false, ...empty }))
  return [...own, { ...base, name: '$@', rest: true, whole: true }]
}

/** `shift 2` moves the parameters of the function two to the left, and takes them from all of them. */
export function shifted(lowering: Lowering, node: number): Ir[] {
  const count = Number(/^shift\s+(\d+)$/.exec(lowering.text(node))?.[1] ?? 1)
  const span = { start: lowering.startOf(node), end: lowering.endOf(node) }
  const all = (): Ir => lowering.make.name(node, '$@')
  const set = (name: string, value: Ir): Ir => {
    return { op: 'assign', target: lowering.make.name(node, name), value, operator: '=', declares: true, ...span }
  }
  const own = Array.from({ length: named }, (_, at): Ir => {
    const from = at + 1 + count
    return set(`$${at + 1}`, from > named ? all() : lowering.make.name(node, `$${from}`))
  })
  const rest = lowering.make.call(node, lowering.make.name(node, '%slice'), [all(), lowering.make.literal(node, count)])
  return [...own, set('$@', rest)]
}

/** Commands that print what they are given or read. */
const printing =
  'echo printf print cat | %dynamic sed awk gawk cut tr grep egrep head tail sort uniq jq yq rev tac fold xargs basename dirname realpath readlink curl wget base64'
const printers = new WeakMap<Lowering, ReadonlySet<string>>()

/** The same, with the functions of the file: what they print is printed by whoever calls them. */
function printersOf(lowering: Lowering): ReadonlySet<string> {
  const known = printers.get(lowering)
  if (known !== undefined) return known
  const defined = lowering.source.matchAll(/(?:^|\n)[ \t]{0,40}(?:function[ \t]+)?([A-Za-z_][\w:.-]{0,80})[ \t]*(?:\(\)|\{)/g)
  const all = new Set([...printing.split(' '), ...[...defined].map(([, name]) => name ?? '')])
  printers.set(lowering, all)
  return all
}

function returningOutput(lowering: Lowering, ir: Ir, output: () => Ir): Ir {
  const inner = (one: Ir): Ir => returningOutput(lowering, one, output)
  if (ir.op === 'block' && isToFile(ir)) return ir
  if (ir.op === 'block') return { ...ir, body: ir.body.map((one) => inner(one)) }
  if (ir.op === 'loop') return { ...ir, body: inner(ir.body) }
  if (ir.op === 'if') return { ...ir, then: inner(ir.then), otherwise: ir.otherwise === null ? null : inner(ir.otherwise) }
  if (ir.op === 'switch') return { ...ir, cases: ir.cases.map((one) => ({ ...one, body: inner(one.body) })) }
  if (ir.op === 'jump' && ir.kind === 'return') {
    const value = output()
    return { ...ir, value, status: ir.status ?? { ...value, op: 'name', name: '%status' } }
  }
  if (!prints(lowering, ir)) return ir
  return { op: 'assign', target: output(), value: ir, operator: '+', declares: false, start: ir.start, end: ir.end }
}

/** What goes into a file or to another descriptor is not printed; input that stands in the script changes nothing. */
function prints(lowering: Lowering, ir: Ir): boolean {
  if (ir.op !== 'call' || ir.callee.op !== 'name') return false
  const [first, ...rest] = ir.args.map(({ value }) => value)
  if (ir.callee.name === 'redirect')
    return (
      first !== undefined && prints(lowering, first) && rest.every((one) => calls(one, 'herestring') || calls(one, 'heredoc'))
    )
  return printersOf(lowering).has(ir.callee.name) && !(first?.op === 'literal' && first.value === '-v')
}

/** `command > file`. */
const isToFile = ({ body }: Extract<Ir, { op: 'block' }>): boolean => body.length === 2 && body.some((one) => calls(one, 'file'))

const calls = (ir: Ir, name: string): boolean => ir.op === 'call' && ir.callee.op === 'name' && ir.callee.name === name
