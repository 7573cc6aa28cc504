/** The definitions of a statement that makes or changes a table, each with the word in front of it. */
import type { PatternToken } from './token-pattern.js'

export function columnsOf(tokens: readonly PatternToken[]): PatternToken[][] {
  const columns: PatternToken[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    const isOperator = token.kind === 'operator'
    if (isOperator && depth <= 1 && (token.text === ',' || (token.text === '(' && depth === 0))) columns.push([])
    columns.at(-1)?.push(token)
    if (isOperator && token.text === '(') depth++
    if (isOperator && token.text === ')') depth--
  }
  return columns
}
