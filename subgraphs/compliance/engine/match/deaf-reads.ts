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
  if (loop.test !== null && holdsAtEnd(loop.test, filled) === false) return []
  if (inside.some((ir) => ir.op === 'if' && leavesAtEnd(ir, filled))) return []
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
  if (/eof\b|\bnone\b|\bnull\b|\bnil\b|[!=<>]=?\s*-\s?1\b/i.test(text)) return true
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

/**
 * What a test says of the answer that means the end: it is none of the texts and numbers that a test names, and nothing of the kind that
 * a function looks for. `null` where that is not known.
 */
function holdsAtEnd(test: Ir, filled: ReadonlySet<string>): boolean | null {
  if (test.op === 'unary' && /^(?:!|not)$/.test(test.operator)) return opposite(holdsAtEnd(test.operand, filled))
  if (test.op === 'call') return test.args.some(({ value }) => namesIn(value).some((name) => filled.has(name))) ? false : null
  if (test.op !== 'binary') return null
  const sides = [test.left, test.right].map((side) => holdsAtEnd(side, filled))
  if (/^(?:&&|and)$/.test(test.operator)) return sides.includes(false) ? false : sides.includes(null) ? null : true
  if (/^(?:\|\||or)$/.test(test.operator)) return sides.includes(true) ? true : sides.includes(null) ? null : false
  const isOfAnswer = test.left.op === 'name' && filled.has(test.left.name) && isCharacter(test.right)
  return isOfAnswer && /^[!=]==?$/.test(test.operator) ? test.operator.startsWith('!') : null
}

const opposite = (known: boolean | null): boolean | null => (known === null ? null : !known)

/** `'\n'`, `32`, `-2`: 0 and -1 may be the end itself. */
const isCharacter = (ir: Ir): boolean =>
  ir.op === 'unary'
    ? isCharacter(ir.operand)
    : ir.op === 'literal' && (typeof ir.value === 'number' ? ir.value > 1 : typeof ir.value === 'string' && ir.value !== '')

/** `if (!isToken(c)) break;` */
function leavesAtEnd({ test, then }: Extract<Ir, { op: 'if' }>, filled: ReadonlySet<string>): boolean {
  const isLeaving = nodesOf(then).some((ir) => ir.op === 'jump' && ir.kind !== 'continue' && ir.kind !== 'yield')
  return isLeaving && holdsAtEnd(test, filled) === true
}

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
