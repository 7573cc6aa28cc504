/**
 * Two statements of a database of which the second rests on what the first has asked: a free row is looked for and then taken by its
 * number, or rows are counted before one more is added. The second does not ask again, so two who come at once both go on.
 */
import { wordsOf } from '../rulebook/data-names.js'
import type { Ir } from '../syntax/ir.js'
import { matchesText } from './constraints.js'
import { statementIn } from './statements.js'

interface Statement {
  readonly ir: Ir
  readonly text: string
  /** The innermost function that it stands in. */
  readonly home: Ir | null
}

/** Words of a column that say of a row that nobody has it yet. */
const free =
  /^(?:free|open|available|vacant|unassigned|unclaimed|unused|idle|pending|queued|waiting|new|ready|todo|created|none)$/i

/** The change that rests on a question of the same function. */
export function statementClaim(nodes: readonly Ir[], { unique }: { readonly unique: string }): Ir | null {
  const functions = nodes.filter((ir) => ir.op === 'function')
  const isIn = (outer: Ir, inner: Ir): boolean => outer.start <= inner.start && inner.end <= outer.end
  const all = nodes.flatMap((ir): Statement[] => {
    const text = statementIn(ir)?.slice(0, 1000) ?? ''
    if (!/^\s*(?:select|update|insert)\s/i.test(text)) return []
    return [{ ir, text, home: functions.findLast((one) => isIn(one, ir)) ?? null }]
  })
  // Handlers that stand side by side are no steps of one another.
  const isBeside = (one: Statement, other: Statement): boolean =>
    one.home === other.home || one.home === null || other.home === null || isIn(one.home, other.ir) || isIn(other.home, one.ir)
  for (const [at, asked] of all.entries()) {
    const question = questionOf(asked.text, unique)
    if (question === null) continue
    const change = all
      .slice(at + 1)
      .find((one) => one.ir.start >= asked.ir.end && isBeside(asked, one) && rests(question, one.text))
    // What is counted is told at the count, whose answer is old when it is used.
    if (change !== undefined) return question.columns === null ? asked.ir : change.ir
  }
  return null
}

interface Question {
  readonly table: string
  /** The columns that must be unset; `null` where rows are counted. */
  readonly columns: ReadonlySet<string> | null
}

const name = '(?:[["`]?\\w+[\\]"`]?\\.)?[["`]?(\\w+)'

function questionOf(text: string, unique: string): Question | null {
  const [, what = '', table = '', rest = ''] = new RegExp(`^\\s*select\\s([^]*?)\\sfrom\\s+${name}([^]*)$`, 'i').exec(text) ?? []
  if (table === '' || /\b(?:join|union|having|group by)\b/i.test(rest)) return null
  const conditions = /\bwhere\b([^]*)$/i.exec(rest)?.[1] ?? ''
  if (/^\s*(?:count\s*\(|1\s*$)/i.test(what)) {
    // Names that only one may have are watched by an index; a count of all is no question about one.
    const isWatched = conditions === '' || matchesText(unique, wordsOf(conditions.replace(/[?]|[$:@%][\w(]+/g, ' ')).join(' '))
    return isWatched ? null : { table: table.toLowerCase(), columns: null }
  }
  const columns = unsetColumns(conditions)
  return columns.size === 0 ? null : { table: table.toLowerCase(), columns }
}

/** `holder IS NULL`, `taken = 0`, `state = 'free'`, `NOT used` */
function unsetColumns(conditions: string): ReadonlySet<string> {
  const found = conditions.matchAll(
    /\b(\w{2,40})["`\]]?\s*(?:is\s+null\b|=\s*(?:0\b|false\b|'(\w{2,20})'))|\bnot\s+(\w{2,40})\b(?!\s*(?:null|in|exists|like|between|\())/gi,
  )
  return new Set(
    [...found].flatMap(([, column, word, denied]) =>
      word === undefined || free.test(word) ? [(column ?? denied ?? '').toLowerCase()] : [],
    ),
  )
}

/** Columns that say that a row is gone or shown, which nobody takes. */
const marks = /^(?:deleted|removed|archived|hidden|disabled|active|enabled|read|seen|parent|expir|valid_to|end)/

function rests({ table, columns }: Question, text: string): boolean {
  if (columns === null) {
    const [, into = ''] = new RegExp(`^\\s*insert\\s+into\\s+${name}`, 'i').exec(text) ?? []
    return into.toLowerCase() === table && !/\b(?:on conflict|on duplicate|not exists|returning)\b/i.test(text)
  }
  const [, of = '', sets = '', where = ''] =
    new RegExp(`^\\s*update\\s+${name}[^]*?\\sset\\s([^]*?)(?:\\swhere\\s([^]*))?$`, 'i').exec(text) ?? []
  if (of.toLowerCase() !== table || where === '') return false
  const asksAgain = (where.match(/\w+/g) ?? []).some((word) => columns.has(word.toLowerCase()))
  return (
    !asksAgain &&
    [...sets.matchAll(/(\w+)["`\]]?\s*=/g)].some(([, set = '']) => columns.has(set.toLowerCase()) && !marks.test(set))
  )
}
