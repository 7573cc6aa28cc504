/** Ways through a routine, as far as they say what text may be: branches for listed values, and what is given back. */
import type { Ir } from '../ir.js'
import { acceptance, refusedText } from './sql-conditions.js'
import { expression } from './sql-expressions.js'
import type { Reader } from './sql-reader.js'
import type { SqlToken } from './sql-tokens.js'

const maxBranch = 2000
const maxTest = 200
const maxDepth = 40

/** `IF p IN ('a', 'b') THEN ... ELSE ... END IF`, `IF @p IN ('a', 'b') SET @c = @p`. */
export function acceptedBranch(reader: Reader, statement: (reader: Reader) => Ir | null): Ir | null {
  const token = reader.peek()
  const test = reader.depth < maxDepth ? acceptance(reader) : null
  if (token === undefined || test === null) return null
  reader.depth++
  const isBlock = reader.is('THEN') || reader.is('BEGIN')
  if (isBlock) reader.next()
  const then = isBlock ? until(reader, endOfBranch(reader), statement) : statement(reader)
  const made = branched(reader, { test, then, start: token.start }, statement)
  reader.depth--
  return made
}

/** `IF LENGTH(p) > 0 THEN ... ELSE ... END IF`: one way or the other was taken, nobody knows which. */
export function openBranch(reader: Reader, statement: (reader: Reader) => Ir | null): Ir | null {
  const token = reader.peek()
  if (token === undefined || reader.depth >= maxDepth || !/^(?:IF|ELSE?IF)$/i.test(token.text)) return null
  const before = reader.peek(-1)?.text.toUpperCase() ?? ';'
  const then = /^IF$/i.test(token.text) && !startsStatement.has(before) ? null : endOfTest(reader)
  if (then === null) return null
  reader.depth++
  reader.next()
  const from = reader.at
  const asked = until(reader, then, statement)
  reader.at = from
  const opaque: Ir = { op: 'opaque', kind: 'condition', parts: [], start: token.start, end: asked.end }
  const test = refusedText(reader, then) ?? opaque
  reader.at = then + 1
  const made = branched(reader, { test, then: until(reader, endOfBranch(reader), statement), start: token.start }, statement)
  reader.depth--
  return { op: 'block', body: [asked, made], start: token.start, end: made.end }
}

function branched(
  reader: Reader,
  { test, then, start }: { test: Ir; then: Ir | null; start: number },
  statement: (reader: Reader) => Ir | null,
): Ir {
  const otherwise = reader.take('ELSE')
    ? until(reader, endOfBranch(reader), statement)
    : reader.is('ELSIF') || reader.is('ELSEIF')
      ? statement(reader)
      : null
  const end = reader.peek(-1)?.end ?? start
  const nothing: Ir = { op: 'block', body: [], start: end, end }
  return { op: 'if', test, then: then ?? nothing, otherwise, start, end }
}

/** Where the THEN of the condition stands that begins here. */
function endOfTest(reader: Reader): number | null {
  let depth = 0
  for (let ahead = 1; ahead < maxTest; ahead++) {
    const text = reader.peek(ahead)?.text.toUpperCase()
    if (text === undefined || text === ';') return null
    if (text === 'THEN' && depth === 0) return reader.at + ahead
    if (text === 'CASE') depth++
    else if (text === 'END') depth--
  }
  return null
}

function until(reader: Reader, end: number, statement: (reader: Reader) => Ir | null): Ir {
  const start = reader.peek()?.start ?? 0
  const body: Ir[] = []
  while (reader.at < end) {
    const before = reader.at
    const ir = statement(reader)
    if (ir !== null) body.push(ir)
    if (reader.at === before) reader.next()
  }
  return { op: 'block', body, start, end: reader.peek(-1)?.end ?? start }
}

const startsStatement = new Set([';', 'THEN', 'ELSE', 'BEGIN', 'LOOP', 'DO'])

/** Where the ELSE or the END of the branch stands that begins here. */
function endOfBranch(reader: Reader): number {
  let depth = 0
  for (let ahead = 0; ahead < maxBranch; ahead++) {
    const text = reader.peek(ahead)?.text.toUpperCase()
    const before = reader.peek(ahead - 1)?.text.toUpperCase() ?? ''
    if (text === undefined || (depth === 0 && /^(?:ELSE|ELSE?IF|END)$/.test(text))) return reader.at + ahead
    if (text === 'END') depth--
    else if (text === 'IF' ? startsStatement.has(before) : /^(?:CASE|LOOP|BEGIN)$/.test(text) && before !== 'END') depth++
  }
  return reader.at
}

/** `RETURN a || b;`. Whether others are reached behind it is not known here. */
export function returned(reader: Reader, token: SqlToken): Ir | null {
  // The type that a head names, and the rows of a query.
  if (/^(?:QUERY|NEXT|TABLE|SELECT|WITH|;)$/i.test(reader.peek()?.text ?? ';')) return null
  if (/^(?:IS|AS|BEGIN|DETERMINISTIC|PIPELINED|AUTHID|RESULT_CACHE|PARALLEL_ENABLE)$/i.test(reader.peek(1)?.text ?? ''))
    return null
  const value = expression(reader)
  const span = { start: token.start, end: value.end }
  const test: Ir = { op: 'opaque', kind: 'condition', parts: [], ...span }
  return { op: 'if', test, then: { op: 'jump', kind: 'return', value, ...span }, otherwise: null, ...span }
}
