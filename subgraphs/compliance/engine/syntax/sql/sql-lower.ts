/**
 * SQL -> the common representation, as far as dynamic SQL needs it.
 *
 * A routine is a function with its parameters; SET, `:=`, SELECT @x = ... are assignments; EXEC(...), EXECUTE IMMEDIATE,
 * sp_executesql, PREPARE ... FROM, OPEN ... FOR and RETURN QUERY EXECUTE are calls of `EXECUTE`. Everything else is left to token
 * rules.
 */
import type { Argument, Ir, Parameter } from '../ir.js'
import { acceptedBranch, openBranch, returned } from './sql-branches.js'
import { refusal } from './sql-conditions.js'
import { call, expression, typeName } from './sql-expressions.js'
import { Reader, variableName } from './sql-reader.js'
import { fetched, fromFunction, loopOverRows, selectedInto, withStored } from './sql-rows.js'
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
    skipDefiner(reader)
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

/** MySQL: `CREATE DEFINER = 'shop'@'localhost' PROCEDURE ...` */
function skipDefiner(reader: Reader): void {
  if (!reader.take('DEFINER')) return
  for (let count = 0; count < 8 && !/^(?:PROCEDURE|FUNCTION)$/i.test(reader.peek()?.text ?? ''); count++) reader.next()
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
  const accepted = acceptedBranch(reader, oneStatement)
  if (accepted !== null) return accepted
  const open = openBranch(reader, oneStatement)
  if (open !== null) return open
  if (reader.take('EXECUTE', 'IMMEDIATE') || reader.take('RETURN', 'QUERY', 'EXECUTE')) return execute(reader, token)
  if (reader.take('PREPARE')) {
    reader.next()
    return reader.take('FROM') ? execute(reader, token) : null
  }
  if (reader.take('OPEN')) {
    reader.next()
    if (!reader.take('FOR') || reader.is('SELECT') || reader.is('WITH')) return null
    reader.take('EXECUTE')
    return execute(reader, token)
  }
  if (reader.take('EXEC') || reader.take('EXECUTE')) return executeCall(reader, token)
  if (reader.take('RETURN')) return returned(reader, token)
  if (reader.take('SET'))
    return reader.peek(1)?.text === '=' || reader.peek(1)?.text === ':=' || reader.peek(1)?.text === '+='
      ? assignment(reader, token)
      : null
  if (reader.take('SELECT')) return selected(reader, token)
  if (reader.take('DECLARE')) return declared(reader, token)
  if (reader.take('FETCH')) return fetched(reader)
  if (reader.take('FOR')) return loopOverRows(reader)
  if (reader.take('PERFORM') || isPackageCall(reader)) return expression(reader)
  // A table that a function makes: `SELECT ... FROM dblink(...)`.
  if ((reader.is('FROM') || reader.is('JOIN')) && reader.peek(1)?.kind === 'word' && reader.peek(2)?.text === '(') {
    reader.next()
    return expression(reader)
  }
  if (isDeclaration(reader)) return declared(reader, token)
  if (reader.peek(1)?.text === ':=' && (token.kind === 'word' || token.kind === 'variable')) return assignment(reader, token)
  // PL/pgSQL takes `=` for `:=`.
  if (reader.peek(1)?.text === '=' && token.kind === 'word' && beginsStatement.has(reader.peek(-1)?.text.toUpperCase() ?? ''))
    return assignment(reader, token)
  return null
}

const beginsStatement = new Set([';', 'BEGIN', 'THEN', 'ELSE', 'LOOP'])

/** `DBMS_SQL.PARSE(c, q, v)` as a statement. */
const isPackageCall = (reader: Reader): boolean =>
  reader.peek()?.kind === 'word' &&
  reader.peek(1)?.text === '.' &&
  reader.peek(2)?.kind === 'word' &&
  reader.peek(3)?.text === '('

/** `SELECT @x = a FROM t`, `SELECT a INTO x FROM t`. */
function selected(reader: Reader, token: SqlToken): Ir | null {
  if (reader.peek()?.kind !== 'variable') return selectedInto(reader, token)
  const operator = reader.peek(1)?.text
  if (operator !== '=' && operator !== ':=' && operator !== '+=') return null
  const pieces = fromFunction(reader)
  const made = assignment(reader, token)
  if (made?.op !== 'assign' || made.value === null) return made
  const filled = { ...made, value: withStored(reader, made.value) }
  return pieces.length === 0 ? filled : block([...pieces, filled], filled.start, filled.end)
}

const endsDeclaration = new Set([';', 'BEGIN', 'IN', 'FOR', 'THEN', 'ELSE', 'LOOP', 'DO', 'SELECT', 'WHERE', 'SET'])

/** `@x NVARCHAR(50) = a`, `x TEXT DEFAULT a`, `x CONSTANT VARCHAR2(20) := a`: how far the value is. */
function valueOfDeclaration(reader: Reader): number | null {
  for (let ahead = 1; ahead < 12; ahead++) {
    const text = reader.peek(ahead)?.text.toUpperCase()
    if (text === '=' || text === ':=' || (text === 'DEFAULT' && ahead > 1)) return ahead
    if (text === undefined || endsDeclaration.has(text)) return null
  }
  return null
}

function declared(reader: Reader, token: SqlToken): Ir | null {
  const ahead = valueOfDeclaration(reader)
  const name = reader.peek()
  if (ahead === null || name === undefined) return null
  reader.at += ahead + 1
  return assign(reader, name, token, '=')
}

const beginsDeclarations = new Set([';', 'IS', 'AS'])
const beginsStatements =
  /^(?:BEGIN|IF|ELSE|ELSE?IF|END|WHILE|LOOP|REPEAT|FOR|CASE|WHEN|EXCEPTION|RETURN|THEN|CALL|WITH|NOT|NULL)$/i

/** A variable of a block that says DECLARE once, or not at all. */
const isDeclaration = (reader: Reader): boolean =>
  reader.peek()?.kind === 'word' &&
  reader.peek(1)?.kind === 'word' &&
  !beginsStatements.test(reader.peek()?.text ?? '') &&
  beginsDeclarations.has(reader.peek(-1)?.text.toUpperCase() ?? '') &&
  [':=', 'DEFAULT'].includes(reader.peek(valueOfDeclaration(reader) ?? 0)?.text.toUpperCase() ?? '')

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
  const statement = expression(reader)
  // Snowflake writes a variable of its own as `:query`.
  const isBound = statement.op === 'name' && /^:[a-z]\w*$/.test(statement.name)
  const value = isBound ? { ...statement, name: statement.name.slice(1) } : statement
  return call('EXECUTE', [{ value }], token.start, reader.peek(-1)?.end ?? token.end)
}

const endsHeldStatement = new Set([';', 'INTO', 'USING', 'LOOP'])

/** PL/pgSQL's `EXECUTE query;`, `EXECUTE query INTO n USING x`: a variable that holds the statement. A procedure without arguments looks alike. */
const isHeldStatement = (reader: Reader): boolean =>
  reader.peek(-1)?.text.toUpperCase() === 'EXECUTE' &&
  reader.peek()?.kind === 'word' &&
  endsHeldStatement.has(reader.peek(1)?.text.toUpperCase() ?? ';')

/** `EXEC(@sql)`, `EXEC sp_executesql @sql, ...`, `EXEC proc @a, @b`, `EXECUTE format(...) USING x`. */
function executeCall(reader: Reader, token: SqlToken): Ir {
  if (reader.is('(')) return execute(reader, token)
  const head = reader.peek()
  const isVariable = head?.kind === 'variable'
  const isExpression =
    head?.kind === 'string' ||
    isVariable ||
    reader.peek(1)?.text === '(' ||
    reader.peek(1)?.text === '||' ||
    isHeldStatement(reader)
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
