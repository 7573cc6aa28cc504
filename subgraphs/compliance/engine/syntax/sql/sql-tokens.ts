/**
 * A dialect-neutral SQL tokenizer and statement splitter.
 *
 * It knows the quotes of all common dialects ('', "", ``, [], $tag$), both comment forms, numbers, variables (@x, @@x, :x, ?, $1),
 * operators, and the two ways scripts change or mark the end of a statement: DELIMITER and GO. `/` on a line of its own ends an
 * Oracle block. It never fails: unknown characters are operators.
 */

type SqlTokenKind = 'word' | 'string' | 'quoted' | 'number' | 'variable' | 'operator' | 'block'

export interface SqlToken {
  readonly kind: SqlTokenKind
  /** Words in upper case, strings without quotes, everything else as written. */
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface SqlStatement {
  readonly tokens: readonly SqlToken[]
  readonly start: number
  readonly end: number
}

interface Cursor {
  readonly text: string
  /** Whether a backslash in a string escapes, as in MySQL; elsewhere it is a character like others. */
  readonly escapes: boolean
  /** What ends a statement since the last DELIMITER: `$$` then quotes nothing. */
  delimiter: string
  at: number
}

const mysqlHints = /^[ \t]*DELIMITER\s|`\w+`|\b(?:ENGINE\s{0,3}=|AUTO_INCREMENT\b)/im
const otherDialects =
  /^[ \t]*GO[ \t\r]*$|\b(?:NVARCHAR|EXEC|VARCHAR2|PLPGSQL|DBMS_\w+)\b|\bEXECUTE\s+IMMEDIATE\b|\bDECLARE\s+@|\bdbo\.|\]\.\[|\$\w*\$|:=\s*'/im

/** A script that shows no dialect is read as MySQL's: `\'` is more often a quote in a text than the end of a folder. */
const escapesWithBackslash = (text: string): boolean => mysqlHints.test(text) || !otherDialects.test(text)

/** All tokens; comments and white space are left out. */
function tokenizeSql(text: string, escapes: boolean): SqlToken[] {
  const tokens: SqlToken[] = []
  const cursor: Cursor = { text, escapes, delimiter: ';', at: 0 }
  while (cursor.at < text.length) {
    if (skipBlank(cursor)) continue
    const start = cursor.at
    const token = readToken(cursor)
    if (token.text === 'DELIMITER' && token.kind === 'word') cursor.delimiter = delimiterBehind(text, cursor.at)
    tokens.push({ ...token, start, end: cursor.at })
  }
  return tokens
}

/** The rest of the line of a DELIMITER. */
function delimiterBehind(text: string, at: number): string {
  const line = /^[^\n]*/.exec(text.slice(at, at + 40))?.[0]?.trim() ?? ''
  return line === '' ? ';' : line
}

function skipBlank(cursor: Cursor): boolean {
  const { text, at } = cursor
  const character = text[at] ?? ''
  if (/\s/.test(character)) {
    cursor.at++
    return true
  }
  if (text.startsWith('--', at) || (character === '#' && /(?:^|[\s;])$/.test(text.slice(Math.max(0, at - 1), at)))) {
    const end = text.indexOf('\n', at)
    cursor.at = end === -1 ? text.length : end
    return true
  }
  if (!text.startsWith('/*', at) || text.startsWith('/*!', at)) return false
  const end = text.indexOf('*/', at + 2)
  cursor.at = end === -1 ? text.length : end + 2
  return true
}

function readToken(cursor: Cursor): { kind: SqlTokenKind; text: string } {
  const { text, at } = cursor
  const character = text[at] ?? ''
  if (character === "'") return { kind: 'string', text: readQuoted(cursor, "'") }
  if (/[nNeExXbBqQ]/.test(character) && text[at + 1] === "'") {
    cursor.at++
    return { kind: 'string', text: readQuoted(cursor, "'", cursor.escapes || /[eE]/.test(character)) }
  }
  if (character === '"' || character === '`') return { kind: 'quoted', text: readQuoted(cursor, character) }
  if (character === '[') return { kind: 'quoted', text: readQuoted(cursor, ']') }
  if (character === '$' && !cursor.delimiter.startsWith('$')) {
    const block = readDollar(cursor)
    if (block !== null) return block
  }
  return readPlain(cursor)
}

function readPlain(cursor: Cursor): { kind: SqlTokenKind; text: string } {
  const rest = cursor.text.slice(cursor.at, cursor.at + 200)
  const variable = /^(?:@@?[\w$#]+|:[a-zA-Z_]\w*|&&?\w+|\$\d+|\?)/.exec(rest)?.[0]
  const number = /^(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/.exec(rest)?.[0]
  const word = wordOf(rest, cursor.delimiter)
  const operator = /^(?:\|\||:=|<=>|<=|>=|<>|!=|::|\+=|->>?)/.exec(rest)?.[0] ?? rest[0] ?? ''
  const text = variable ?? number ?? word ?? operator
  cursor.at += Math.max(1, text.length)
  if (variable !== undefined) return { kind: 'variable', text }
  if (number !== undefined) return { kind: 'number', text }
  return word === undefined ? { kind: 'operator', text } : { kind: 'word', text: word.toUpperCase() }
}

/** `END$$`: a dollar may stand in a word, but not the end of the statement. */
function wordOf(rest: string, delimiter: string): string | undefined {
  const word = /^[\p{L}_#][\p{L}\p{N}_$#]*/u.exec(rest)?.[0]
  const cut = delimiter.startsWith('$') ? (word?.indexOf(delimiter) ?? -1) : -1
  return cut > 0 ? word?.slice(0, cut) : word
}

function readQuoted(cursor: Cursor, close: string, escapes = cursor.escapes): string {
  const { text } = cursor
  let value = ''
  let at = cursor.at + 1
  for (; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '\\' && escapes && close !== ']' && at + 1 < text.length) {
      value += text[at + 1] ?? ''
      at++
    } else if (character === close) {
      if (text[at + 1] !== close) break
      value += close
      at++
    } else value += character
  }
  cursor.at = Math.min(at + 1, text.length)
  return value
}

function readDollar(cursor: Cursor): { kind: SqlTokenKind; text: string } | null {
  const tag = /^\$[A-Za-z_]*\$/.exec(cursor.text.slice(cursor.at, cursor.at + 80))?.[0]
  if (tag === undefined) return null
  const end = cursor.text.indexOf(tag, cursor.at + tag.length)
  const stop = end === -1 ? cursor.text.length : end
  const text = cursor.text.slice(cursor.at + tag.length, stop)
  cursor.at = end === -1 ? stop : stop + tag.length
  return { kind: 'block', text }
}

const openers = new Set(['BEGIN', 'CASE', 'LOOP'])

/**
 * Statements between `;`, GO and the current delimiter. A routine's body stays one statement with it; the body of a `$$` block is
 * tokenized in place; semicolons in it end nothing, because options such as SECURITY DEFINER may follow.
 */
export function splitSql(text: string): SqlStatement[] {
  const quoted = new Set<SqlToken>()
  const tokens = tokenizeSql(text, escapesWithBackslash(text)).flatMap((token) => {
    if (token.kind !== 'block') return [token]
    const inner = expandBlock(token, text)
    for (const one of inner) quoted.add(one)
    return inner
  })
  const statements: SqlStatement[] = []
  let current: SqlToken[] = []
  let depth = 0
  let delimiter = ';'
  const flush = (): void => {
    const [first] = current
    const last = current.at(-1)
    if (first !== undefined && last !== undefined) statements.push({ tokens: current, start: first.start, end: last.end })
    current = []
    depth = 0
  }
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined) break
    const next = tokens[at + 1]
    if (token.kind === 'word' && token.text === 'DELIMITER' && current.length === 0) {
      delimiter = delimiterBehind(text, token.end)
      while (at + 1 < tokens.length && (tokens[at + 1]?.start ?? 0) < token.end + delimiter.length + 2) at++
      continue
    }
    if (beginsMember(token, current)) flush()
    if (token.kind === 'word') depth = blockDepth(token, next, current, depth)
    const isDelimiter = text.startsWith(delimiter, token.start) && token.kind === 'operator' && !isBeforeBody(tokens, at, current)
    const isGo = token.kind === 'word' && token.text === 'GO' && isAlone(text, token)
    const isSlash = token.text === '/' && isAlone(text, token)
    const isEnd = isDelimiter && !quoted.has(token) && (depth <= 0 || delimiter !== ';') && !isInBatch(current, next)
    if (isEnd) while ((tokens[at + 1]?.start ?? Infinity) < token.start + delimiter.length) at++
    if (isGo || isSlash || isEnd) flush()
    else current.push(token)
  }
  flush()
  return statements
}

/** Each routine of an Oracle package is a statement of its own. */
const beginsMember = (token: SqlToken, current: readonly SqlToken[]): boolean =>
  (token.text === 'FUNCTION' || token.text === 'PROCEDURE') &&
  current.slice(0, 6).some((one, at, head) => one.text === 'PACKAGE' && head[at + 1]?.text === 'BODY')

const afterBatch = new Set(['CREATE', 'ALTER', 'GRANT', 'REVOKE', 'DENY', 'DROP', 'GO'])

/** A T-SQL procedure (its parameters begin with `@`) needs no BEGIN and lasts until GO or the next definition. */
function isInBatch(current: readonly SqlToken[], next: SqlToken | undefined): boolean {
  const head = current.slice(0, 6).findIndex((one) => one.text === 'PROCEDURE' || one.text === 'PROC')
  if (head < 0 || next === undefined || afterBatch.has(next.text)) return false
  const first = current.slice(head + 2, head + 6).find((one) => one.kind === 'variable')
  return first?.text.startsWith('@') === true
}

const bodyWords = new Set(['IS', 'AS'])

/** Oracle: `RETURN VARCHAR2 IS` in the head of a function. */
const isReturnType = (tokens: readonly SqlToken[], at: number): boolean =>
  tokens.slice(at + 1, at + 8).some((one) => bodyWords.has(one.text))

/** The declarations between a routine's head and its BEGIN belong to the routine. */
function isBeforeBody(tokens: readonly SqlToken[], at: number, current: readonly SqlToken[]): boolean {
  const isMember = current[0]?.text === 'FUNCTION' || current[0]?.text === 'PROCEDURE'
  if (isMember && !current.some((one) => bodyWords.has(one.text))) return false
  const isRoutine = current
    .slice(0, 8)
    .some((one) => ['PROCEDURE', 'FUNCTION', 'TRIGGER', 'DECLARE', 'PACKAGE'].includes(one.text))
  if (!isRoutine || current.some((one, at) => one.text === 'BEGIN' || (one.text === 'RETURN' && !isReturnType(current, at))))
    return false
  for (let ahead = at + 1; ahead < Math.min(tokens.length, at + 400); ahead++) {
    const text = tokens[ahead]?.text
    if (text === 'BEGIN') return true
    if (text === 'CREATE' || text === 'ALTER' || text === 'GO' || text === '/' || text === 'GRANT') return false
  }
  return false
}

function blockDepth(token: SqlToken, next: SqlToken | undefined, current: readonly SqlToken[], depth: number): number {
  const isRoutine = current
    .slice(0, 8)
    .some((one) => ['PROCEDURE', 'FUNCTION', 'TRIGGER', 'DECLARE', 'PACKAGE', 'DO'].includes(one.text))
  const isTransaction =
    token.text === 'BEGIN' && (next === undefined || [';', 'TRANSACTION', 'TRAN', 'WORK', 'DISTRIBUTED'].includes(next.text))
  if (openers.has(token.text) && !isTransaction && (isRoutine || current.length === 0) && current.at(-1)?.text !== 'END')
    return depth + 1
  if (token.text === 'END' && !['IF', 'WHILE', 'FOR', 'REPEAT'].includes(next?.text ?? '')) return Math.max(0, depth - 1)
  return depth
}

const isAlone = (text: string, token: SqlToken): boolean => {
  const lineStart = text.lastIndexOf('\n', token.start - 1) + 1
  const newline = text.indexOf('\n', token.end)
  return (
    text
      .slice(lineStart, newline === -1 ? text.length : newline)
      .trim()
      .toUpperCase() === token.text
  )
}

/** What the body of a function in plain SQL may begin with. */
const bodyHeads = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'WITH', 'VALUES', 'CALL'])

function expandBlock(token: SqlToken, text: string): SqlToken[] {
  const from = text.indexOf(token.text, token.start)
  const inner = tokenizeSql(token.text, false).map((one) => ({ ...one, start: one.start + from, end: one.end + from }))
  const isRoutine = bodyHeads.has(inner[0]?.text ?? '') || inner.some((one) => ['BEGIN', 'SELECT', 'RETURN'].includes(one.text))
  return isRoutine ? inner : [{ ...token, kind: 'string' as const }]
}
