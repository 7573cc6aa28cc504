/** Expressions of SQL: pieces of text that are joined, calls, casts, columns of rows. */
import type { Argument, Ir } from '../ir.js'
import { chosenText } from './sql-conditions.js'
import { type Reader, variableName } from './sql-reader.js'
import type { SqlToken } from './sql-tokens.js'

/** Types whose values hold no free text. */
const harmlessType =
  /^(?:(?:TINY|SMALL|MEDIUM|BIG)?INT|INT[248]|INTEGER|(?:SMALL|BIG)?SERIAL|NUMBER|NUMERIC|DECIMAL|(?:SMALL)?MONEY|REAL|FLOAT[48]?|(?:BINARY|PLS)_INTEGER|NATURAL|POSITIVE|BIT|BOOL|BOOLEAN|REG\w+|OID|UUID|UNIQUEIDENTIFIER|DATE|DATETIME2?|DATETIMEOFFSET|SMALLDATETIME|TIME|TIMETZ|TIMESTAMP|TIMESTAMPTZ|INTERVAL|YEAR|UNSIGNED|SIGNED)$/

/** One name for them all, which the analysis knows as a number. */
export const typeName = (token: SqlToken | undefined): string | undefined =>
  harmlessType.test(token?.text ?? '') ? 'INTEGER' : token?.text

export const call = (name: string, args: readonly Argument[], start: number, end: number): Ir => ({
  op: 'call',
  callee: { op: 'name', name, start, end: start + name.length },
  args,
  isNew: false,
  at: start,
  start,
  end,
})

/** Pieces joined by `||` or `+`; anything else ends the expression. */
export function expression(reader: Reader): Ir {
  let left = operand(reader)
  while (reader.is('||') || reader.is('+')) {
    reader.next()
    const right = operand(reader)
    left = { op: 'binary', operator: '+', left, right, start: left.start, end: right.end }
  }
  return left
}

/** An operand and what PostgreSQL may write behind it: `x::text`. */
function operand(reader: Reader): Ir {
  let value = simpleOperand(reader)
  while (reader.take('::')) value = castTo(reader, value)
  return value
}

function castTo(reader: Reader, value: Ir): Ir {
  const type = reader.next()
  if (reader.take('(')) {
    skipToSeparator(reader)
    while (reader.take(',')) skipToSeparator(reader)
    reader.take(')')
  }
  const end = reader.peek(-1)?.end ?? value.end
  return { op: 'cast', type: typeName(type) ?? '', value, start: value.start, end }
}

/** `CASE ... THEN a ELSE b END` is one of its results. */
function caseExpression(reader: Reader, token: SqlToken): Ir {
  const results: { readonly value: Ir; readonly test: Ir | null }[] = []
  let test: Ir | null = null
  for (let depth = 1; depth > 0 && !reader.isDone;) {
    if (depth === 1 && reader.take('WHEN')) test = chosenText(reader, 'THEN')
    else if (depth === 1 && (reader.take('THEN') || reader.take('ELSE'))) {
      results.push({ value: expression(reader), test })
      test = null
    } else {
      if (reader.is('CASE')) depth++
      if (reader.is('END')) depth--
      reader.next()
    }
  }
  const span = { start: token.start, end: reader.peek(-1)?.end ?? token.end }
  const unknown = (): Ir => ({ op: 'opaque', kind: 'condition', parts: [], ...span })
  const [last, ...others] = results.toReversed()
  return others.reduce<Ir>(
    (otherwise, one) => ({ op: 'if', test: one.test ?? unknown(), then: one.value, otherwise, ...span }),
    last?.value ?? unknown(),
  )
}

function simpleOperand(reader: Reader): Ir {
  const token = reader.next()
  if (token === undefined) return { op: 'opaque', kind: 'end', parts: [], start: 0, end: 0 }
  const span = { start: token.start, end: token.end }
  if (token.kind === 'string' || token.kind === 'block') return { op: 'literal', value: token.text, ...span }
  if (token.kind === 'number') return { op: 'literal', value: Number(token.text), ...span }
  if (token.text === 'CASE') return caseExpression(reader, token)
  if (token.text === '(') {
    const inner = reader.is('SELECT') ? skipParentheses(reader, token) : expression(reader)
    if (!reader.take(')')) skipParentheses(reader, token)
    return inner
  }
  if (token.kind === 'variable' || token.kind === 'word' || token.kind === 'quoted') {
    if (reader.is('(')) return functionCall(reader, token)
    let name = variableName(token)
    while (reader.is('.')) {
      reader.next()
      name = `${name}.${reader.next()?.text.toLowerCase() ?? ''}`
    }
    if (reader.is('(')) {
      const parts = name.toUpperCase().split('.')
      return functionCall(reader, { ...token, text: parts.at(-1) ?? name }, parts.at(-2))
    }
    return isOfRow(reader, name) ? stored(name, token.start, token.end) : { op: 'name', name, ...span }
  }
  return { op: 'opaque', kind: token.text, parts: [], ...span }
}

const typeWord = new RegExp(`${harmlessType.source}|^(?:N?(?:VAR)?CHAR|N?TEXT|SYSNAME|XML|SQL_VARIANT|(?:VAR)?BINARY)$`)
const casts = new Set(['CAST', 'TRY_CAST', 'CONVERT', 'TRY_CONVERT'])

function functionCall(reader: Reader, token: SqlToken, packageName?: string): Ir {
  reader.next()
  const test = token.text === 'IF' || token.text === 'IIF' ? chosenText(reader, ',') : null
  if (test !== null) return choice(reader, token, test)
  const args: Argument[] = []
  const types: SqlToken[] = []
  // T-SQL writes the type first, MySQL the value.
  if (token.text.endsWith('CONVERT') && typeWord.test(reader.peek()?.text ?? '')) readType(reader, types)
  while (!reader.isDone && !reader.is(')') && args.length < 60) {
    args.push({ value: expression(reader) })
    if (reader.take('AS') || reader.take('USING')) readType(reader, types)
    skipToSeparator(reader)
    reader.take(',')
  }
  const close = reader.next()
  const end = close?.end ?? token.end
  const value = args[0]?.value
  if (value !== undefined && types[0] !== undefined && casts.has(token.text))
    return { op: 'cast', type: typeName(types[0]) ?? '', value, start: token.start, end }
  const isFormat = token.text === 'FORMAT' && value?.op === 'literal' && typeof value.value === 'string'
  const given = isFormat ? quotedArguments(args, value.value) : args
  return call(
    token.text.toUpperCase(),
    packageName === undefined ? given : [...given, ofPackage(packageName, token)],
    token.start,
    end,
  )
}

/** `IF(p IN ('a', 'b'), p, 'a')`. */
function choice(reader: Reader, token: SqlToken, test: Ir): Ir {
  reader.take(',')
  const then = expression(reader)
  skipToSeparator(reader)
  const otherwise = reader.take(',') ? expression(reader) : null
  skipToSeparator(reader)
  const end = reader.next()?.end ?? then.end
  return { op: 'if', test, then, otherwise, start: token.start, end }
}

/** Short names such as `P` mean something in their package alone. */
const ofPackage = (name: string, { start, end }: SqlToken): Argument => ({
  name: '%package',
  value: { op: 'literal', value: name, start, end },
})

/** PostgreSQL's `format` quotes what stands at `%I` and `%L`. */
function quotedArguments(args: readonly Argument[], pattern: string): Argument[] {
  const quoting = new Map<number, boolean>()
  let position = 0
  for (const [, number, letter] of pattern.matchAll(/%(?:(\d+)\$)?-?\d{0,4}([sIL%])/g)) {
    if (letter === '%') continue
    position = number === undefined ? position + 1 : Number(number)
    quoting.set(position, (quoting.get(position) ?? true) && letter !== 's')
  }
  return args.map((argument, at) => {
    if (quoting.get(at) !== true) return argument
    const { start, end } = argument.value
    return { value: call('QUOTE_LITERAL', [argument], start, end) }
  })
}

/** `nvarchar(10)` of `CAST(x AS nvarchar(10))` and of `CONVERT(nvarchar(10), x)`. */
function readType(reader: Reader, types: SqlToken[]): void {
  const type = reader.next()
  if (type !== undefined) types.push(type)
  skipToSeparator(reader)
  reader.take(',')
}

/** To the `,` or `)` that ends an argument. */
function skipToSeparator(reader: Reader): void {
  for (let depth = 0; !reader.isDone; reader.next()) {
    if (depth === 0 && (reader.is(',') || reader.is(')'))) return
    if (reader.is('(')) depth++
    if (reader.is(')')) depth--
  }
}

function skipParentheses(reader: Reader, open: SqlToken): Ir {
  let depth = 1
  let last = open
  for (let token = reader.peek(); token !== undefined; token = reader.peek()) {
    if (token.text === '(') depth++
    if (token.text === ')' && --depth === 0) break
    last = token
    reader.next()
  }
  return { op: 'opaque', kind: 'subquery', parts: [], start: open.start, end: last.end }
}

/** What a table holds. Keys, numbers and days are no text that somebody has written. */
export const stored = (column: string, start: number, end: number): Ir =>
  /(?:id|num|number|count|cnt|date|day|month|year|_at|seq|total|amount)$/.test(column)
    ? { op: 'opaque', kind: 'column', parts: [], start, end }
    : call('#stored', [], start, end)

/** A column of a row that was read before, or of the row that a trigger is about. */
function isOfRow(reader: Reader, name: string): boolean {
  const dot = name.indexOf('.')
  const row = name.slice(0, dot)
  return dot > 0 && (reader.rows.has(row) || /^:?(?:new|old)$/.test(row))
}
