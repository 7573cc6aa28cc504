/**
 * Rules on the text itself: secrets, lines, SQL statements and shell lines as tokens.
 *
 * The text is split and lowered once for all rules, and the time is looked at between rules, so that no text keeps them busy for
 * longer than their limit.
 */
import type { Rulebook } from '../rulebook/compile.js'
import { compileRegex, maxTextLength } from '../rulebook/safe-regex.js'
import type { Matcher } from '../rulebook/matcher-schema.js'
import type { Rule } from '../rulebook/schema.js'
import type { TimeLimit } from '../syntax/time-limit.js'
import { findSecrets, indexSecrets, secretText } from './secrets.js'
import { rulesAbout } from './token-index.js'
import { withoutSchemas } from './sql-schemas.js'
import { columnsOf } from './sql-columns.js'
import { matchTokens, type PatternToken, type TokenLine, tokenLine, type TokenMatch } from './token-pattern.js'

interface TextFinding {
  readonly rule: Rule
  readonly start: number
  readonly end: number
}

export interface TextFindings {
  readonly findings: readonly TextFinding[]
  /** The limit was over before all rules were asked. */
  readonly isTruncated: boolean
}

interface Line {
  readonly start: number
  /** At most 2000 characters. */
  readonly text: string
}

export function matchText(
  book: Rulebook,
  text: string,
  tokenLists: readonly (readonly PatternToken[])[],
  limit: TimeLimit,
  isComment: (at: number) => boolean = () => false,
): TextFindings {
  const lines = linesOf(text)
  const fileHolds = fileConditions(lines)
  const findings: TextFinding[] = []
  for (const { owner: rule, start, end } of findSecrets(secretText(text), secretsOf(book))) findings.push({ rule, start, end })
  for (const { rule, matcher } of book.plain.text) {
    if (limit.isOver()) return { findings, isTruncated: true }
    if (matcher.text !== undefined && fileHolds(matcher)) matchLines(findings, rule, compileRegex(matcher.text), lines, isComment)
  }
  for (const tokens of tokenLists) {
    const line = tokenLine(tokens)
    const bare = book.language === 'sql' ? withoutSchemas(tokens) : null
    const forms = bare === null ? [line] : [line, tokenLine(bare)]
    for (const { rule, matcher } of rulesAbout(book.plain.tokens, line)) {
      if (limit.isOver()) return { findings, isTruncated: true }
      if (!fileHolds(matcher)) continue
      const { unless_behind: behind } = matcher
      const isExcused = (start: number): boolean =>
        behind !== undefined && compileRegex(behind).test(text.slice(Math.max(0, start - mostInFront), start))
      const hits = hitsOf(matcher, forms).filter(({ start }) => !isExcused(start))
      for (const { start, end, last } of hits) findings.push({ rule, start: isFar(text, start, last) ? last : start, end })
    }
  }
  return { findings, isTruncated: false }
}

/** In the statement as it is written, or, where it is not found there, without the schemas in it. */
function hitsOf(
  { tokens = [], unless_tokens: excuses = [], unless_column: ofColumn }: Matcher,
  forms: readonly TokenLine[],
): TokenMatch[] {
  const find = (where: TokenLine): TokenMatch[] =>
    tokens.map((pattern) => matchTokens(pattern, where)).filter((hit) => hit !== null)
  const isExcused = ({ lastWord }: TokenMatch): boolean =>
    excuses.some((one) => forms.some((form) => matchTokens(one, form, lastWord) !== null))
  const line = forms.find((form) => find(form).length > 0)
  if (line === undefined) return []
  const hits = find(line).filter((hit) => !isExcused(hit))
  if (ofColumn === undefined || hits.length === 0) return hits
  return columnsOf(line.tokens)
    .map(tokenLine)
    .filter((column) => !ofColumn.some((pattern) => matchTokens(pattern, column) !== null))
    .flatMap(find)
}

const mostInFront = 200
const maxLinesBetween = 3

/** What decides stands far below the beginning of a long statement: it is shown there. */
const isFar = (text: string, start: number, last: number): boolean => text.slice(start, last).split('\n').length > maxLinesBetween

const secretIndexes = new WeakMap<Rulebook, ReturnType<typeof indexSecrets<Rule>>>()

function secretsOf(book: Rulebook): ReturnType<typeof indexSecrets<Rule>> {
  let index = secretIndexes.get(book)
  if (index === undefined) {
    const rules = book.plain.secret.flatMap(({ rule, matcher }) =>
      matcher.secret === undefined ? [] : [{ owner: rule, secret: matcher.secret }],
    )
    secretIndexes.set(book, (index = indexSecrets(rules)))
  }
  return index
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    lines.push({ start, text: text.slice(start, Math.min(end, start + maxTextLength)) })
    start = end + 1
  }
  return lines
}

/** Answers the file conditions of rules; many rules share one. */
function fileConditions(lines: readonly Line[]): (conditions: Matcher) => boolean {
  const answers = new Map<string, boolean>()
  const matches = (pattern: string): boolean => {
    let answer = answers.get(pattern)
    if (answer === undefined) {
      const expression = compileRegex(pattern)
      answers.set(pattern, (answer = lines.some((line) => expression.test(line.text))))
    }
    return answer
  }
  return (conditions) => conditions.file_has?.every(matches) !== false && conditions.file_lacks?.some(matches) !== true
}

/** Code in a comment does nothing. */
function matchLines(
  findings: TextFinding[],
  rule: Rule,
  expression: RegExp,
  lines: readonly Line[],
  isComment: (at: number) => boolean,
): void {
  for (const { start, text } of lines) {
    const match = expression.exec(text)
    if (match === null) continue
    const [first, end] = [start + match.index + Math.max(0, match[0].search(/\S/)), start + match.index + match[0].length]
    if (!isComment(first) && !isComment(end - 1)) findings.push({ rule, start: start + match.index, end })
  }
}
