/** Shell scripts: `echo "$x" | grep -q '^[0-9]*$'` and `grep -q ... <<< "$x"` compare a variable with a pattern. */
import type { Ir } from '../ir.js'

type Call = Extract<Ir, { op: 'call' }>

const calledAs = (ir: Ir | undefined, names: RegExp): Call | null =>
  ir?.op === 'call' && ir.callee.op === 'name' && names.test(ir.callee.name) ? ir : null

/** `"$x"` and `$x`, with nothing beside it. */
function variableOf(ir: Ir | undefined): Ir | null {
  const only = ir?.op === 'concat' && ir.parts.length === 1 ? ir.parts[0] : ir
  return only?.op === 'name' && /^\$[A-Za-z_]\w*$/.test(only.name) ? only : null
}

const textOf = (ir: Ir | undefined): string | null => (ir?.op === 'literal' && typeof ir.value === 'string' ? ir.value : null)

/** What `echo "$x"`, `echo -n "$x"` and `printf '%s\n' "$x"` print. */
function printedBy(ir: Ir | undefined): Ir | null {
  const call = calledAs(ir, /^(?:echo|printf)$/)
  if (call === null || call.args.length === 0 || call.args.length > 2) return null
  const first = textOf(call.args[0]?.value)
  if (call.args.length === 2 && (first === null || !/^(?:-[neE]{1,3}|%s(?:\\n)?)$/.test(first))) return null
  return variableOf(call.args.at(-1)?.value)
}

/** The basic syntax writes `\+` and `\(` where the extended one writes `+` and `(`. */
const extended = (pattern: string): string =>
  pattern.replaceAll(/\\([+?|(){}])|([+?|(){}])/g, (_, sign, plain) => sign ?? `\\${plain}`)

/** The pattern of a `grep` that only answers whether the text meets it. */
function patternOf(ir: Ir | undefined): string | null {
  const call = calledAs(ir, /^[ef]?grep$/)
  if (call === null || call.args.length < 2) return null
  const [pattern, ...options] = call.args.map(({ value }) => textOf(value)).toReversed()
  if (pattern === null || pattern === undefined || pattern.startsWith('-')) return null
  const letters = options.map((one) => /^-([qsiExP]{1,5})$/.exec(one ?? '')?.[1] ?? (one === '-e' ? '' : null))
  const name = call.callee.op === 'name' ? call.callee.name : ''
  if (letters.includes(null) || !letters.join('').includes('q') || name === 'fgrep') return null
  const isExtended = name === 'egrep' || /[EP]/.test(letters.join(''))
  const written = isExtended ? pattern : extended(pattern)
  return letters.join('').includes('x') ? `^(?:${written})$` : written
}

const both = (made: Ir, value: Ir, pattern: string): Ir => {
  const span = { start: made.start, end: made.end }
  const right: Ir = { op: 'literal', kind: 'regex', value: pattern, ...span }
  return {
    op: 'binary',
    operator: '&&',
    left: made,
    right: { op: 'binary', operator: '=~', left: value, right, ...span },
    ...span,
  }
}

/** The commands of a pipeline, and beside them what they compare; the grammar reads `! a | b` as `(! a) | b`. */
export function filtered(made: Ir, stages: readonly Ir[]): Ir {
  const [first, second] = stages
  const isNegated = first?.op === 'unary' && first.operator === '!'
  const value = printedBy(isNegated ? first.operand : first)
  const pattern = patternOf(second)
  if (stages.length !== 2 || value === null || pattern === null) return made
  const compared = both(made, value, pattern)
  return isNegated ? { op: 'unary', operator: '!', operand: compared, start: made.start, end: made.end } : compared
}

/** The same where the text is the input of the command. */
export function filteredInput(made: Ir, command: Ir, texts: readonly Ir[]): Ir {
  const value = texts.length === 1 && texts[0]?.op === 'call' ? variableOf(texts[0].args[0]?.value) : null
  const pattern = patternOf(command)
  return value === null || pattern === null ? made : both(made, value, pattern)
}
