/** The schema in front of a name: rules are about tables and routines, whichever schema holds them. */
import type { PatternToken } from './token-pattern.js'

/** Words behind which the name of a table or a routine stands. */
const before: ReadonlySet<string> = new Set(
  'FROM INTO UPDATE INSERT TABLE JOIN FUNCTION PROCEDURE PROC VIEW TRIGGER TRUNCATE EXISTS ONLY CALL PERFORM'.split(' '),
)

const isName = (token: PatternToken | undefined): boolean => token?.kind === 'word' || token?.kind === 'quoted'
const isDot = (token: PatternToken | undefined): boolean => token?.kind === 'operator' && token.text === '.'

/** The statement without schemas, `null` where it names none. */
export function withoutSchemas(tokens: readonly PatternToken[]): readonly PatternToken[] | null {
  const kept: PatternToken[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined) break
    kept.push(token)
    if (token.kind !== 'word' || !before.has(token.text.toUpperCase())) continue
    while (isName(tokens[at + 1]) && isDot(tokens[at + 2]) && (isName(tokens[at + 3]) || isDot(tokens[at + 3]))) at += 2
    if (isDot(tokens[at + 1]) && isName(tokens[at + 2]) && tokens[at] !== token) at++
  }
  return kept.length === tokens.length ? null : kept
}
