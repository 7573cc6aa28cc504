/** Rules on the text itself: secrets, lines, SQL statements and shell lines as tokens. */
import type { Rulebook } from '../rulebook/compile.js'
import { compileRegex, maxTextLength } from '../rulebook/safe-regex.js'
import type { Matcher, Rule } from '../rulebook/schema.js'
import { findSecrets } from './secrets.js'
import { matchTokens, type PatternToken } from './token-pattern.js'

export interface TextFinding {
  readonly rule: Rule
  readonly start: number
  readonly end: number
}

/** `fileText` answers the file conditions of a rule. */
type FileCheck = (conditions: Matcher) => boolean

const fileCheck =
  (text: string): FileCheck =>
  (conditions) => {
    const lines = (): string[] => text.split('\n')
    const matches = (pattern: string): boolean => {
      const expression = compileRegex(pattern)
      return lines().some((line) => expression.test(line.slice(0, maxTextLength)))
    }
    if (conditions.file_has?.every(matches) === false) return false
    return conditions.file_lacks?.some(matches) !== true
  }

export function matchText(book: Rulebook, text: string, tokenLists: readonly (readonly PatternToken[])[]): TextFinding[] {
  const holds = fileCheck(text)
  const found: TextFinding[] = []
  for (const { rule, matcher } of book.plain.secret) {
    if (matcher.secret === undefined) continue
    const { pattern, keywords, entropy = 0, group = 1 } = matcher.secret
    for (const hit of findSecrets(text, compileRegex(pattern), keywords, entropy, group)) found.push({ rule, ...hit })
  }
  for (const { rule, matcher } of book.plain.text) {
    if (matcher.text !== undefined && holds(matcher)) found.push(...matchLines(rule, compileRegex(matcher.text), text))
  }
  for (const { rule, matcher } of book.plain.tokens) {
    if (!holds(matcher)) continue
    for (const tokens of tokenLists) {
      if (matcher.unless_tokens?.some((pattern) => matchTokens(pattern, tokens) !== null) === true) continue
      for (const pattern of matcher.tokens ?? []) {
        const hit = matchTokens(pattern, tokens)
        if (hit !== null) found.push({ rule, ...hit })
      }
    }
  }
  return found
}

function matchLines(rule: Rule, expression: RegExp, text: string): TextFinding[] {
  const found: TextFinding[] = []
  let start = 0
  for (const line of text.split('\n')) {
    const match = expression.exec(line.slice(0, maxTextLength))
    if (match !== null) found.push({ rule, start: start + match.index, end: start + match.index + match[0].length })
    start += line.length + 1
  }
  return found
}
