/**
 * Conditions that refuse what is no harmless text: `IF NOT regexp_like(p, '^[a-z]+$') THEN RAISE ...`, `IF p !~ '...'`,
 * `IF p NOT IN ('a', 'b')`, `IF @p LIKE '%[^a-z]%' THROW ...`. Conditions that let in what is harmless: `IF p IN ('a', 'b') THEN`.
 */
import type { Ir } from '../ir.js'
import { type Reader, variableName } from './sql-reader.js'
import type { SqlToken } from './sql-tokens.js'

const refusals = new Set(['RAISE', 'SIGNAL', 'THROW', 'RAISERROR', 'RAISE_APPLICATION_ERROR', 'RETURN', 'LEAVE'])
const matches = new Set(['~', 'REGEXP', 'RLIKE'])

const maxSkipped = 80

const isRefused = (reader: Reader): boolean =>
  reader.isDone || reader.is('THEN') || reader.is('BEGIN') || refusals.has(reader.peek()?.text.toUpperCase() ?? '')

/** The condition with its refusal, or `null` where it is another one; then nothing was read. */
export function refusal(reader: Reader): Ir | null {
  const from = reader.at
  const token = reader.peek()
  // Asked at every token: whatever else stands here costs nothing.
  if (token === undefined || !reader.take('IF')) return null
  const test = condition(reader)
  while (reader.take(')')) continue
  // `IF a OR b`: behind it neither holds.
  if (reader.is('OR')) for (let count = 0; count < maxSkipped && !isRefused(reader); count++) reader.next()
  if (reader.take('THEN')) reader.take('BEGIN')
  else reader.take('BEGIN')
  const next = reader.peek()
  if (test === null || next === undefined || !refusals.has(next.text.toUpperCase())) {
    reader.at = from
    return null
  }
  const span = { start: token.start, end: next.end }
  return { op: 'if', test, then: { op: 'jump', kind: 'throw', value: null, ...span }, otherwise: null, ...span }
}

/** What the condition up to `end` asks, where it is only false for harmless text: `p IS NULL OR p NOT IN ('a', 'b')`. */
export function refusedText(reader: Reader, end: number): Ir | null {
  for (let from = reader.at; from < end;) {
    reader.at = from
    const test = condition(reader)
    while (reader.take(')')) continue
    if (test !== null && (reader.at === end || reader.is('OR'))) return test
    while (from < end && reader.tokens[from]?.text.toUpperCase() !== 'OR') from++
    from++
  }
  return null
}

/** A condition whose branch is only taken for harmless text, `null` where it is another one; then nothing was read. */
export function acceptance(reader: Reader): Ir | null {
  const from = reader.at
  if (!reader.take('IF') && !reader.take('ELSIF') && !reader.take('ELSEIF')) return null
  const test = condition(reader, true)
  while (reader.take(')')) continue
  // What else must hold takes nothing away.
  if (reader.is('AND'))
    for (
      let count = 0;
      count < maxSkipped && !reader.isDone && !reader.is('THEN') && !reader.is('BEGIN') && !reader.is('OR');
      count++
    )
      reader.next()
  if (test !== null && !reader.is('OR') && !reader.is('AND') && !reader.isDone) return test
  reader.at = from
  return null
}

/** What `IF(p IN ('a', 'b'), ...)` and `WHEN p IN ('a', 'b') THEN` ask, up to `end`; `null`, and nothing read, where it is something else. */
export function chosenText(reader: Reader, end: string): Ir | null {
  const from = reader.at
  const test = condition(reader, true)
  if (test !== null && reader.is(end)) return test
  reader.at = from
  return null
}

function condition(reader: Reader, isAccepting = false): Ir | null {
  const open = (): void => {
    while (reader.take('(')) continue
  }
  open()
  let isNegated = reader.take('NOT')
  open()
  const head = reader.peek()
  if (head?.kind === 'word' && /^REGEXP_(?:LIKE|MATCHES?)$/i.test(head.text) && reader.peek(1)?.text === '(') {
    reader.at += 2
    const subject = value(reader)
    const pattern = reader.take(',') ? reader.next() : undefined
    while (reader.take(',')) reader.next()
    return isNegated !== isAccepting && reader.take(')') ? compared(subject, pattern?.text, isAccepting) : null
  }
  const subject = value(reader)
  isNegated = reader.take('NOT') || isNegated
  const operator = reader.next()?.text.toUpperCase() ?? ''
  if (operator === 'IN') return isNegated === isAccepting ? null : listed(reader, subject, isAccepting)
  const isOther = operator === '!' && reader.take('~')
  if (isOther || matches.has(operator)) {
    reader.take('*')
    return (isOther || isNegated) === isAccepting ? null : compared(subject, textOf(reader.next()), isAccepting)
  }
  if (operator !== 'LIKE' || isNegated !== isAccepting) return null
  const set = /^%\[\^([^\]]+)\]%$/.exec(textOf(reader.next()) ?? '')?.[1]
  return set === undefined ? null : compared(subject, `^[${set}]*$`, isAccepting)
}

const textOf = (token: SqlToken | undefined): string | undefined => (token?.kind === 'string' ? token.text : undefined)

/** A name, or what `UPPER(name)` and the like are about. */
function value(reader: Reader): Ir | null {
  const token = reader.next()
  if (token === undefined || token.kind === 'string') return null
  if (!reader.take('(')) return { op: 'name', name: variableName(token), start: token.start, end: token.end }
  const inner = value(reader)
  return reader.take(')') ? inner : null
}

function compared(left: Ir | null, pattern: string | undefined, isMatch: boolean): Ir | null {
  if (left === null || pattern === undefined) return null
  const span = { start: left.start, end: left.end }
  return {
    op: 'binary',
    operator: isMatch ? '=~' : '!~',
    left,
    right: { op: 'literal', value: pattern, kind: 'regex', ...span },
    ...span,
  }
}

function listed(reader: Reader, left: Ir | null, isInside: boolean): Ir | null {
  if (left === null || !reader.take('(')) return null
  const span = { start: left.start, end: left.end }
  const entries: { key: null; value: Ir; spread: false }[] = []
  for (let token = reader.next(); token !== undefined && token.text !== ')'; token = reader.next()) {
    if (token.text === ',') continue
    if (token.kind !== 'string') return null
    entries.push({ key: null, value: { op: 'literal', value: token.text, ...span }, spread: false })
  }
  return {
    op: 'binary',
    operator: isInside ? 'in' : 'not in',
    left,
    right: { op: 'collection', kind: 'list', entries, ...span },
    ...span,
  }
}
