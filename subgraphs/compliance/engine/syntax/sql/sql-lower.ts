/**
 * SQL -> the common representation, as far as dynamic SQL needs it.
 *
 * A routine is a function with its parameters; SET, `:=`, SELECT @x = ... are assignments; EXEC(...), EXECUTE IMMEDIATE,
 * sp_executesql, PREPARE ... FROM, OPEN ... FOR and RETURN QUERY EXECUTE are calls of `EXECUTE`. Everything else is left to token
 * rules.
 */
import type { Argument, Ir, Parameter } from '../ir.js'
import { refusal } from './sql-conditions.js'
import { Reader, variableName } from './sql-reader.js'
import { splitSql, type SqlStatement, type SqlToken } from './sql-tokens.js'

export function lowerSql(text: string): { root: Ir; statements: SqlStatement[] } {
  const statements = splitSql(text)
  const body = statements.map((statement) => lowerStatement(statement))
  return { root: { op: 'block', body, start: 0, end: text.length }, statements }
}

const block = (body: readonly Ir[], start: number, end: number): Ir => ({ op: 'block', body, start, end })

function lowerStatement(statement: SqlStatement): Ir {
  const reader = new Reader(statement.tokens)
  const isCreate = reader.take('CREATE') || reader.take('ALTER')
  if (isCreate) {
    if (!reader.take('OR', 'REPLACE')) reader.take('OR', 'ALTER')
    while (
      reader.peek()?.kind === 'word' &&
      !reader.is('PROCEDURE') &&
      !reader.is('PROC') &&
      !reader.is('FUNCTION') &&
      !reader.isDone &&
      reader.at < 8
    )
      reader.next()
    if (reader.take('PROCEDURE') || reader.take('PROC') || reader.take('FUNCTION')) return routine(reader, statement)
  }
  reader.at = 0
  // A routine of a package.
  if (reader.take('FUNCTION') || reader.take('PROCEDURE')) return routine(reader, statement)
  return block(statements(reader), statement.start, statement.end)
}

const directions = new Set(['IN', 'OUT', 'INOUT', 'OUTPUT', 'VARIADIC', 'NOCOPY', 'READONLY'])

function routine(reader: Reader, statement: SqlStatement): Ir {
  const nameToken = reader.next()
  while (reader.peek()?.text === '.') reader.at += 2
  const parameters = readParameters(reader)
  const body = block(statements(reader), statement.start, statement.end)
  return {
    op: 'function',
    name: nameToken?.text ?? '',
    declares: true,
    parameters,
    body,
    decorators: [],
    modifiers: [],
    isExpressionBody: false,
    isConstructor: false,
    start: statement.start,
    end: statement.end,
  }
}

/** `(p_name IN VARCHAR2, @x INT)`, or T-SQL's list without parentheses up to AS. */
function readParameters(reader: Reader): Parameter[] {
  const parameters: Parameter[] = []
  const isParenthesized = reader.take('(')
  if (!isParenthesized && reader.peek()?.kind !== 'variable') return parameters
  let depth = 1
  let current: SqlToken[] = []
  const flush = (): void => {
    const tokens = current.filter((token) => !directions.has(token.text))
    const [name, type] = tokens
    if (name !== undefined) {
      const lowered = variableName(name)
      parameters.push({ name: lowered, type: typeName(type), decorators: [], rest: false, start: name.start, end: name.end })
    }
    current = []
  }
  for (let token = reader.next(); token !== undefined; token = reader.next()) {
    if (token.text === '(') depth++
    if (token.text === ')') depth--
    if (isParenthesized && depth === 0) break
    if (!isParenthesized && (token.text === 'AS' || token.text === 'BEGIN')) break
    if (token.text === ',' && depth === 1) flush()
    else current.push(token)
  }
  flush()
  return parameters
}

/** Types whose values hold no free text. */
const harmlessType =
  /^(?:(?:TINY|SMALL|MEDIUM|BIG)?INT|INT[248]|INTEGER|(?:SMALL|BIG)?SERIAL|NUMBER|NUMERIC|DECIMAL|(?:SMALL)?MONEY|REAL|FLOAT[48]?|(?:BINARY|PLS)_INTEGER|NATURAL|POSITIVE|BIT|BOOL|BOOLEAN|REG\w+|OID|UUID|UNIQUEIDENTIFIER|DATE|DATETIME2?|DATETIMEOFFSET|SMALLDATETIME|TIME|TIMETZ|TIMESTAMP|TIMESTAMPTZ|INTERVAL|YEAR|UNSIGNED|SIGNED)$/

/** One name for them all, which the analysis knows as a number. */
const typeName = (token: SqlToken | undefined): string | undefined =>
  harmlessType.test(token?.text ?? '') ? 'INTEGER' : token?.text

function statements(reader: Reader): Ir[] {
  const body: Ir[] = []
  while (!reader.isDone) {
    const before = reader.at
    const ir = oneStatement(reader)
    if (ir !== null) body.push(ir)
    if (reader.at === before) reader.next()
  }
  return body
}

function oneStatement(reader: Reader): Ir | null {
  const token = reader.peek()
  if (token === undefined) return null
  const refused = refusal(reader)
  if (refused !== null) return refused
  if (reader.take('EXECUTE', 'IMMEDIATE') || reader.take('RETURN', 'QUERY', 'EXECUTE')) return execute(reader, token)
  if (reader.take('PREPARE')) {
    reader.next()
    return reader.take('FROM') ? execute(reader, token) : null
  }
  if (reader.take('OPEN')) {
    reader.next()
    return reader.take('FOR') && !reader.is('SELECT') && !reader.is('WITH') ? execute(reader, token) : null
  }
  if (reader.take('EXEC') || reader.take('EXECUTE')) return executeCall(reader, token)
  if (reader.take('SET'))
    return reader.peek(1)?.text === '=' || reader.peek(1)?.text === ':=' || reader.peek(1)?.text === '+='
      ? assignment(reader, token)
      : null
  if (reader.take('SELECT') || reader.take('DECLARE')) return declaredOrSelected(reader, token)
  if (reader.take('PERFORM') || isPackageCall(reader)) return expression(reader)
  // A table that a function makes: `SELECT ... FROM dblink(...)`.
  if ((reader.is('FROM') || reader.is('JOIN')) && reader.peek(1)?.kind === 'word' && reader.peek(2)?.text === '(') {
    reader.next()
    return expression(reader)
  }
  if (reader.peek(1)?.text === ':=' && (token.kind === 'word' || token.kind === 'variable')) return assignment(reader, token)
  return null
}

/** `DBMS_SQL.PARSE(c, q, v)` as a statement. */
const isPackageCall = (reader: Reader): boolean =>
  reader.peek()?.kind === 'word' &&
  reader.peek(1)?.text === '.' &&
  reader.peek(2)?.kind === 'word' &&
  reader.peek(3)?.text === '('

function declaredOrSelected(reader: Reader, token: SqlToken): Ir | null {
  const operator = reader.peek(1)?.text
  if (reader.peek()?.kind === 'variable' && (operator === '=' || operator === ':=' || operator === '+='))
    return assignment(reader, token)
  if (reader.peek()?.kind !== 'variable' && token.text === 'SELECT') return null
  for (let ahead = 1; ahead < 8; ahead++) {
    const text = reader.peek(ahead)?.text
    if (text === '=' || text === ':=') {
      const name = reader.peek()
      reader.at += ahead
      if (name === undefined) return null
      reader.next()
      return assign(reader, name, token, '=')
    }
    if (text === undefined || text === ';' || text === 'BEGIN') return null
  }
  return null
}

function assignment(reader: Reader, token: SqlToken): Ir | null {
  const name = reader.next()
  const operator = reader.next()?.text === '+=' ? '+' : '='
  return name === undefined ? null : assign(reader, name, token, operator)
}

function assign(reader: Reader, name: SqlToken, token: SqlToken, operator: string): Ir {
  const value = expression(reader)
  const target: Ir = { op: 'name', name: variableName(name), start: name.start, end: name.end }
  return { op: 'assign', target, value, operator, declares: false, start: token.start, end: value.end }
}

function execute(reader: Reader, token: SqlToken): Ir {
  return call('EXECUTE', [{ value: expression(reader) }], token.start, reader.peek(-1)?.end ?? token.end)
}

/** `EXEC(@sql)`, `EXEC sp_executesql @sql, ...`, `EXEC proc @a, @b`, `EXECUTE format(...) USING x`. */
function executeCall(reader: Reader, token: SqlToken): Ir {
  if (reader.is('(')) return execute(reader, token)
  const head = reader.peek()
  const isVariable = head?.kind === 'variable'
  const isExpression = head?.kind === 'string' || isVariable || reader.peek(1)?.text === '(' || reader.peek(1)?.text === '||'
  if (isExpression && reader.peek(1)?.text !== '=') return execute(reader, token)
  let name = reader.next()
  if (isVariable && reader.take('=')) name = reader.next()
  // `master..xp_cmdshell` leaves out the schema.
  while (reader.take('.')) if (!reader.is('.')) name = reader.next()
  const args: Argument[] = []
  while (!reader.isDone && !reader.is(';') && args.length < 40) {
    if (reader.peek(1)?.text === '=' && reader.peek()?.kind === 'variable') reader.at += 2
    args.push({ value: expression(reader) })
    reader.take('OUTPUT')
    if (!reader.take(',')) break
  }
  return call(name?.text.toUpperCase() ?? '', args, token.start, reader.peek(-1)?.end ?? token.end)
}

const call = (name: string, args: readonly Argument[], start: number, end: number): Ir => ({
  op: 'call',
  callee: { op: 'name', name, start, end: start + name.length },
  args,
  isNew: false,
  at: start,
  start,
  end,
})

/** Pieces joined by `||` or `+`; anything else ends the expression. */
function expression(reader: Reader): Ir {
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
  const results: Ir[] = []
  for (let depth = 1; depth > 0 && !reader.isDone;) {
    if (depth === 1 && (reader.take('THEN') || reader.take('ELSE'))) results.push(expression(reader))
    else {
      if (reader.is('CASE')) depth++
      if (reader.is('END')) depth--
      reader.next()
    }
  }
  const span = { start: token.start, end: reader.peek(-1)?.end ?? token.end }
  const unknown = (): Ir => ({ op: 'opaque', kind: 'condition', parts: [], ...span })
  const [first = unknown(), ...others] = results.toReversed()
  return others.reduce<Ir>((otherwise, then) => ({ op: 'if', test: unknown(), then, otherwise, ...span }), first)
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
    if (reader.is('(')) return functionCall(reader, { ...token, text: name.split('.').at(-1)?.toUpperCase() ?? name })
    return { op: 'name', name, ...span }
  }
  return { op: 'opaque', kind: token.text, parts: [], ...span }
}

const typeWord = new RegExp(`${harmlessType.source}|^(?:N?(?:VAR)?CHAR|N?TEXT|SYSNAME|XML|SQL_VARIANT|(?:VAR)?BINARY)$`)
const casts = new Set(['CAST', 'TRY_CAST', 'CONVERT', 'TRY_CONVERT'])

function functionCall(reader: Reader, token: SqlToken): Ir {
  reader.next()
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
  return call(token.text.toUpperCase(), isFormat ? quotedArguments(args, value.value) : args, token.start, end)
}

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
