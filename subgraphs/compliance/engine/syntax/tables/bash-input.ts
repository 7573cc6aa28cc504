/** Shell scripts: what commands read and where they write. */
import type { Ir } from '../ir.js'
import type { Custom, Lowering } from '../lowering/shapes.js'
import { filtered } from './bash-filter.js'

/** What stands in the script as the input of a command is the argument `text`. */
export const withText = (redirect: Ir, texts: readonly Ir[]): Ir =>
  redirect.op === 'call'
    ? { ...redirect, args: [...redirect.args, ...texts.map((value) => ({ name: 'text', value }))] }
    : redirect

export const isHereString = (ir: Ir): boolean => ir.op === 'call' && ir.callee.op === 'name' && ir.callee.name === 'herestring'

/** What commands read that get no file: the output of the command before the pipe, or text that stands in the script. */
const standardInput = '%stdin'

/** `read` takes a line of its standard input, which the script itself may give. */
export function readFrom(lowering: Lowering, node: number, call: Ir, redirects: readonly Ir[]): Ir {
  const text = redirects.find(isHereString)
  if (text !== undefined) return lowering.make.call(node, lowering.make.name(node, '%substitution'), [text])
  const input = lowering.make.name(node, standardInput)
  return pipes.get(lowering) === true ? lowering.make.call(node, lowering.make.name(node, '%substitution'), [call, input]) : call
}

/** Whether a stage of a pipeline is lowered, or what a here string is given to. */
const pipes = new WeakMap<Lowering, boolean>()

function withInput(lowering: Lowering, lower: () => Ir): Ir {
  const before = pipes.get(lowering) === true
  pipes.set(lowering, true)
  const made = lower()
  pipes.set(lowering, before)
  return made
}

const asInput = (lowering: Lowering, value: Ir, node: number): Ir => ({
  op: 'assign',
  target: lowering.make.name(node, standardInput),
  value,
  operator: '=',
  declares: true,
  start: value.start,
  end: value.end,
})

const reads = (lowering: Lowering, node: number): boolean => /\bread\b/.test(lowering.text(node))

/** `a | while read -r x`: what is read is what `a` prints. */
export const pipeline: Custom = (lowering, node) => {
  const stages = lowering.children(node)
  const lowered = stages.map((stage, at) => {
    const isRead = stages.slice(at + 1).some((later) => reads(lowering, later))
    const made = at > 0 && reads(lowering, stage) ? withInput(lowering, () => lowering.lower(stage)) : lowering.lower(stage)
    return isRead ? asInput(lowering, made, stage) : made
  })
  return filtered(lowering.make.call(node, lowering.make.name(node, '|'), lowered), lowered)
}

/** The calls that `read` stands for where nobody types what it reads: `while read` goes over what other commands print, `read x < file`. */
type Reading = '#stream' | '#system_file'

const readings = new WeakMap<Lowering, Reading | null>()

function withReading(lowering: Lowering, reading: Reading | null, lower: () => Ir): Ir {
  const before = readings.get(lowering) ?? null
  readings.set(lowering, reading ?? before)
  const made = lower()
  readings.set(lowering, before)
  return made
}

export const whileStatement: Custom = (lowering, node) => {
  const condition = lowering.first(node, 'condition')
  const body = lowering.first(node, 'body')
  const test = condition === undefined ? null : withReading(lowering, '#stream', () => lowering.lower(condition))
  return {
    op: 'loop',
    init: null,
    test,
    update: null,
    target: null,
    iterable: null,
    body: body === undefined ? lowering.make.block(node, []) : lowering.lower(body),
    bodyFirst: false,
    start: lowering.startOf(node),
    end: lowering.endOf(node),
  }
}

/** `read -r name` assigns what it reads to `$name`. */
export function readInto(lowering: Lowering, node: number, call: Ir): Ir[] {
  const text = lowering.text(node)
  if (lowering.typeOf(node) !== 'word' || !/^[A-Za-z_]\w*$/.test(text)) return []
  const target = lowering.make.name(node, `$${text}`)
  return [{ op: 'assign', target, value: call, operator: '=', declares: false, start: call.start, end: call.end }]
}

/** `printf -v name format ...` assigns the text to `$name`; an element of a map is one of several. */
export function printedInto(lowering: Lowering, node: number, call: Ir): Ir[] {
  const [option, into] = lowering.all(node, 'argument*').map((at) => lowering.text(at))
  const found = option === '-v' ? /^["']?([A-Za-z_]\w*)(\[.*\])?["']?$/s.exec(into ?? '') : null
  if (found === null || call.op !== 'call') return []
  const text: Ir = { ...call, args: call.args.slice(2) }
  const target = lowering.make.name(node, `$${found[1]}`)
  const operator = found[2] === undefined ? '=' : '||'
  return [{ op: 'assign', target, value: text, operator, declares: false, start: call.start, end: call.end }]
}

/** What only the system and its administrator write. */
const ofSystem = /^0?<\s*["']?\/(?:etc|proc|sys|usr|run|boot|var\/lib)\//

/** Whose text `read` gets out of a file; a terminal is no file. */
function readingFrom(text: string): Reading | null {
  if (ofSystem.test(text)) return '#system_file'
  return /^0?<(?!\s*(?:[<&(]|["']?\/dev\/(?:tty|stdin|fd|console)))/.test(text) ? '#stream' : null
}

/** `body > file <<EOF`: a call of `redirect` with the body and the targets. */
export const redirected: Custom = (lowering, node) => {
  const body = lowering.first(node, 'body')
  const rest = lowering.children(node).filter((child) => child !== body)
  const targets = rest.map((at) => lowering.lower(at))
  const input = rest.findIndex((at) => /^<<<|^<\s*<\(/.test(lowering.text(at)))
  const given = targets[input]
  const isRead = body !== undefined && given !== undefined && reads(lowering, body)
  const lower = (): Ir => (body === undefined ? lowering.make.block(node, []) : lowering.lower(body))
  const reading = rest.map((at) => readingFrom(lowering.text(at))).find((one) => one !== null) ?? null
  const isText = (ir: Ir): boolean =>
    isHereString(ir) || (ir.op === 'call' && ir.callee.op === 'name' && ir.callee.name === 'heredoc')
  const redirect = withText(
    lowering.make.call(node, lowering.make.name(node, 'redirect'), [
      withReading(lowering, reading, () => (isRead ? withInput(lowering, lower) : lower())),
      ...targets.filter((one) => !isText(one)),
    ]),
    targets.filter(isText),
  )
  return isRead ? lowering.make.block(node, [asInput(lowering, given, node), redirect]) : redirect
}

/** `> x` writes a file, `< x` reads one, `>&2` neither. */
export const redirectName = (text: string): string =>
  /^\d*[<>]&\s*[\d-]/.test(text) ? 'descriptor' : /^\d*<(?!>)/.test(text) ? 'input' : 'file'

export const readingOf = (lowering: Lowering): Reading | null => readings.get(lowering) ?? null

/** What `$(head -n1 f || echo 0)` may print: each of the commands, of which the others run where the first one failed. */
export function printedBy(lowering: Lowering, node: number): Ir[] {
  const [left, right] = lowering.children(node)
  const isList = lowering.typeOf(node) === 'list' && left !== undefined && right !== undefined
  if (!isList || lowering.source.slice(lowering.endOf(left), lowering.startOf(right)).trim() !== '||')
    return [lowering.lower(node)]
  const span = { start: lowering.startOf(right), end: lowering.endOf(right) }
  const test = lowering.make.name(right, '%status')
  return [...printedBy(lowering, left), { op: 'if', test, then: lowering.lower(right), otherwise: null, ...span }]
}

/** `for f in "$dir"/*.csv`: the names of files, which whoever made them has chosen. */
export function namesOf(lowering: Lowering, node: number): Ir {
  const value = lowering.lower(node)
  const isPattern = /[*?]/.test(lowering.text(node).replaceAll(/"[^"]*"|'[^']*'|\$\{[^}]*\}|\$\([^)]*\)|\$[*?]|\\./g, ''))
  return isPattern ? lowering.make.call(node, lowering.make.name(node, '#names'), [value]) : value
}
