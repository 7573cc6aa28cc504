/** What routines read of tables into variables: SELECT ... INTO, FETCH, loops over rows. What somebody once wrote stands there. */
import type { Ir } from '../ir.js'
import { expression, stored } from './sql-expressions.js'
import { type Reader, variableName } from './sql-reader.js'
import type { SqlToken } from './sql-tokens.js'

/** A list of columns that is longer than this is not read. */
const maxList = 60

/** Tables in which the database describes itself. */
const catalog =
  /^(?:pg_\w+|information_schema|sys|sys\w+|msdb|master|all_\w+|dba_\w+|user_(?:tab|obj|con|ind|seq|syn|vie|part)\w*|v\$\w+|dual)$/i

const isWord = (token: SqlToken | undefined): boolean =>
  token?.kind === 'word' || token?.kind === 'variable' || token?.kind === 'quoted'

/** How far the next of these words is in this statement. */
function distanceTo(reader: Reader, ...words: string[]): number | null {
  for (let ahead = 0; ahead < maxList; ahead++) {
    const text = reader.peek(ahead)?.text.toUpperCase()
    if (text === undefined || text === ';') return null
    if (words.includes(text)) return ahead
  }
  return null
}

/** Whether a table of people's data is read from here on; what the database says of itself is not theirs. */
function readsTable(reader: Reader): boolean {
  const ahead = distanceTo(reader, 'FROM')
  if (ahead === null) return false
  const table = reader.peek(ahead + 1)
  return isWord(table) && !catalog.test(table?.text ?? '') && reader.peek(ahead + 2)?.text !== '('
}

/** `SELECT name, 'x' || p INTO v_name, v_text FROM t` */
export function selectedInto(reader: Reader, token: SqlToken): Ir | null {
  const from = reader.at
  const into = distanceTo(reader, 'INTO', 'FROM')
  if (into === null || reader.peek(into)?.text.toUpperCase() !== 'INTO') return null
  const values: Ir[] = []
  const isWhole = reader.take('*')
  if (!isWhole)
    do {
      values.push(expression(reader))
      if (reader.take('AS')) reader.next()
    } while (reader.take(','))
  if (!reader.take('INTO')) {
    reader.at = from
    return null
  }
  reader.take('STRICT')
  const names = namesOf(reader)
  const isStored = readsTable(reader)
  if (isStored && (isWhole || names.length < values.length)) for (const name of names) reader.rows.add(variableName(name))
  const body = values.slice(0, names.length).flatMap((value, at): Ir[] => {
    const name = names[at]
    return name === undefined || names.length < values.length ? [] : [assigned(name, isStored ? orStored(value) : value)]
  })
  return { op: 'block', body, start: token.start, end: reader.peek(-1)?.end ?? token.end }
}

function namesOf(reader: Reader): SqlToken[] {
  const names: SqlToken[] = []
  do {
    const name = reader.peek()
    if (name === undefined || !isWord(name)) break
    reader.next()
    names.push(name)
  } while (reader.take(','))
  return names
}

const assigned = (name: SqlToken, value: Ir): Ir => {
  const span = { start: name.start, end: name.end }
  return {
    op: 'assign',
    target: { op: 'name', name: variableName(name), ...span },
    value,
    operator: '=',
    declares: false,
    ...span,
  }
}

/** A name is a column, unless it is a variable. */
function orStored(value: Ir): Ir {
  if (value.op !== 'name' || value.name.startsWith('@')) return value
  const span = { start: value.start, end: value.end }
  const test: Ir = { op: 'opaque', kind: 'condition', parts: [], ...span }
  return { op: 'if', test, then: value, otherwise: stored(value.name, value.start, value.end), ...span }
}

/** `SELECT @x = name FROM t` */
export const withStored = (reader: Reader, value: Ir): Ir => (readsTable(reader) ? orStored(value) : value)

/** `FETCH NEXT FROM names INTO @name` */
export function fetched(reader: Reader): Ir | null {
  const into = distanceTo(reader, 'INTO')
  if (into === null || readsCatalog(reader)) return null
  reader.at += into + 1
  const names = namesOf(reader)
  const [first] = names
  if (first === undefined) return null
  for (const name of names) reader.rows.add(variableName(name))
  const body = names.map((name) => assigned(name, stored(variableName(name), name.start, name.end)))
  return { op: 'block', body, start: first.start, end: names.at(-1)?.end ?? first.end }
}

const catalogs = new WeakMap<Reader, boolean>()

/** Whether the statement reads what the database says of itself: then its cursors may. */
function readsCatalog(reader: Reader): boolean {
  let known = catalogs.get(reader)
  if (known === undefined) {
    known = reader.tokens.some(({ text }, at) => catalog.test(text) && /^(?:from|join)$/i.test(reader.tokens[at - 1]?.text ?? ''))
    catalogs.set(reader, known)
  }
  return known
}

/** `FOR row IN SELECT ... FROM t LOOP`, `FOR a, b IN SELECT ... FROM t LOOP`; the SELECT is read on its own. */
export function loopOverRows(reader: Reader): Ir | null {
  const names = namesOf(reader)
  const [first] = names
  if (first === undefined || !reader.take('IN')) return null
  reader.take('(')
  if (!reader.is('SELECT')) return null
  const [pieces] = madeByFunction(reader)
  // Each name gets what the function makes of what it was given.
  if (pieces !== undefined) {
    const body = names.map((name) => assigned(name, pieces))
    return { op: 'block', body, start: first.start, end: names.at(-1)?.end ?? first.end }
  }
  if (!readsTable(reader)) return null
  if (names.length === 1) reader.rows.add(variableName(first))
  else if (!readsCatalog(reader)) {
    const body = names.map((name) => assigned(name, stored(variableName(name), name.start, name.end)))
    return { op: 'block', body, start: first.start, end: names.at(-1)?.end ?? first.end }
  }
  return null
}

/** `SELECT @x += value FROM string_split(@list, ',')`: the columns are the pieces that the function makes. */
export function fromFunction(reader: Reader): Ir[] {
  const [pieces] = madeByFunction(reader)
  if (pieces === undefined) return []
  const name: Ir = { op: 'name', name: 'value', start: pieces.start, end: pieces.end }
  return [{ op: 'assign', target: name, value: pieces, operator: '=', declares: false, start: pieces.start, end: pieces.end }]
}

/** The call of the function that this SELECT reads from, if it does. */
function madeByFunction(reader: Reader): Ir[] {
  const ahead = distanceTo(reader, 'FROM')
  if (ahead === null || !isWord(reader.peek(ahead + 1)) || reader.peek(ahead + 2)?.text !== '(') return []
  const from = reader.at
  reader.at += ahead + 1
  const pieces = expression(reader)
  reader.at = from
  return [pieces]
}
