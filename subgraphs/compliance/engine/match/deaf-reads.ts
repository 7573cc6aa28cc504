/**
 * Loops that only ask what the data says: `loop { r.read_line(&mut line)?; if line == END { break } }`. Past its end the data is an empty
 * line for ever.
 */
import type { Flow } from '../flow/state.js'
import { type Assign, type Call, type Ir, isReference, type Loop } from '../syntax/ir.js'
import { isRead } from './endless-reads.js'
import { namesIn, nodesOf } from './nodes.js'

/** Reads whose end the loop never hears of: nothing asks what they answer, and what they filled is only asked for what it says. */
export function deafReads(flow: Flow, loop: Loop, reads: readonly string[], own: ReadonlySet<string>): readonly Ir[] {
  if (isDeafTest(flow, loop, reads, own)) return loop.test === null ? [] : [loop.test]
  const inside = nodesOf(loop.body)
  const calls = inside.filter((ir): ir is Call => ir.op === 'call' && isRead(flow, ir, reads, own))
  const [read] = calls
  if (read === undefined || calls.length > 1) return []
  const filled = filledBy(flow, inside, read)
  if (filled === null) return []
  if (loop.test !== null && isOneAnswer(loop.test, filled)) return []
  const tests = [
    ...(loop.test === null || loop.test.op === 'literal' ? [] : [loop.test]),
    ...inside.flatMap((ir) => (ir.op === 'if' && leavesLoop(ir) ? [ir.test] : ir.op === 'switch' ? (ir.subject ?? []) : [])),
  ]
  // Whoever counts, or asks for anything else, ends some day; who never ends serves.
  const isDeaf =
    tests.length > 0 && tests.every((test) => namesIn(test).some((name) => filled.has(name)) && !asksForEnd(flow, test, filled))
  return isDeaf ? [read] : []
}

/** The variables that a read fills; `null` where something looks at what it answers. */
function filledBy(flow: Flow, inside: readonly Ir[], read: Call): ReadonlySet<string> | null {
  const given = read.args.flatMap(({ value }) =>
    value.op === 'unary' && isReference(value.operator) ? namesIn(value.operand) : value.op === 'name' ? [value.name] : [],
  )
  if (flow.unusedCalls.has(read)) return new Set(given)
  const holders = inside.filter((ir): ir is Assign => ir.op === 'assign' && ir.value !== null && holds(ir.value, read))
  // `data += sock.recv(n)`: nothing else hears of the piece.
  const grows = holders.find((ir) => /^[+.]$/.test(ir.operator) && ir.target.op === 'name')
  if (grows !== undefined) return new Set(namesIn(grows.target))
  // Go: `line, _ := r.ReadString('\n')`.
  const [target] = holders
  if (target === undefined || target.value !== read || (target.result !== undefined && !isAlone(flow, target))) return null
  return new Set(namesIn(target.target))
}

const holds = (value: Ir, read: Call): boolean => value === read || nodesOf(value).includes(read)

/** Whether the error that comes beside the piece is thrown away. */
const isAlone = ({ text }: Flow, { start, end }: Assign): boolean =>
  /^\s{0,4}\w{1,40}\s?,\s?_\s?:?=/.test(text.slice(text.lastIndexOf('\n', start) + 1, end).replace(/^[^;{]*[;{]/, ''))

const leavesLoop = (test: Extract<Ir, { op: 'if' }>): boolean =>
  [test.then, test.otherwise].some(
    (way) => way !== null && nodesOf(way).some((ir) => ir.op === 'jump' && ir.kind !== 'continue' && ir.kind !== 'yield'),
  )

/** `line.is_empty()`, `len(line) == 0`, `not line`, `line == ""` */
function asksForEnd(flow: Flow, test: Ir, filled: ReadonlySet<string>): boolean {
  const measured = /(?:is_?)?empty|\blen\b|length|\bsize\b|count|(?:""|''|b"")(?!\w)|[!=<>]=?\s*0\b/i
  const text = flow.text.slice(test.start, test.end)
  if (/eof\b|\bnone\b|\bnull\b|\bnil\b/i.test(text)) return true
  if (measured.test(text)) return !isSizeOfAll(test, filled)
  // `b";" not in piece and piece`
  if (test.op === 'binary' && /^(?:&&|\|\|)$/.test(test.operator))
    return [test.left, test.right].some((side) => asksForEnd(flow, side, filled))
  return (
    test.op === 'name' ||
    nodesOf(test).some(
      (ir) => ir.op === 'unary' && /^(?:!|not)$/.test(ir.operator) && ir.operand.op === 'name' && filled.has(ir.operand.name),
    )
  )
}

/** `len(data) < n`: how much there is by now says nothing of the last piece. */
const isSizeOfAll = (test: Ir, filled: ReadonlySet<string>): boolean =>
  test.op === 'binary' &&
  /^(?:[<>]=?|!=)$/.test(test.operator) &&
  test.right.op !== 'literal' &&
  namesIn(test.left).some((name) => filled.has(name))

/** `while (got == -1 && errno == EINTR)`: the loop goes on for one answer alone, and the end is another one. */
const isOneAnswer = (test: Ir, filled: ReadonlySet<string>): boolean =>
  test.op === 'binary' &&
  (test.operator === '&&'
    ? isOneAnswer(test.left, filled) || isOneAnswer(test.right, filled)
    : /^===?$/.test(test.operator) && test.left.op === 'name' && filled.has(test.left.name) && isNumber(test.right))

const isNumber = (ir: Ir): boolean =>
  ir.op === 'unary' ? isNumber(ir.operand) : ir.op === 'literal' && typeof ir.value === 'number' && ir.value !== 0

/** C: `while (read(fd, b, n) != 0)` never hears of -1, which is what a connection that broke answers for ever. */
function isDeafToErrors({ book: { language } }: Flow, test: Ir | null): boolean {
  if ((language !== 'c' && language !== 'cpp') || test === null) return false
  const isZero = test.op === 'binary' && test.operator === '!=' && test.right.op === 'literal' && test.right.value === 0
  const tested = isZero ? test.left : test
  const read = tested.op === 'assign' ? tested.value : tested
  return (
    read?.op === 'call' &&
    read.callee.op === 'name' &&
    /^(?:read|recv|recvfrom|recvmsg|SSL_read|BIO_read)$/.test(read.callee.name)
  )
}

/** `while ((c = in.read()) != '\\n')`: the end is another number than that. */
function isDeafTest(flow: Flow, { test, body }: Loop, reads: readonly string[], own: ReadonlySet<string>): boolean {
  if (isDeafToErrors(flow, test) && !nodesOf(body).some((ir) => ir.op === 'jump' && ir.kind !== 'continue')) return true
  if (test?.op !== 'binary' || !/^!==?$/.test(test.operator) || test.right.op !== 'literal') return false
  const { value } = test.right
  if (value === null || value === '' || value === 0 || typeof value === 'boolean') return false
  const read = test.left.op === 'assign' ? test.left.value : test.left
  if (read?.op !== 'call' || !isRead(flow, read, reads, own)) return false
  return !nodesOf(body).some((ir) => ir.op === 'jump' && ir.kind !== 'continue')
}
