/** What the groups of a regular expression let through: `^(\d+)-(.*)$` leaves digits in its first group, whatever the text was. */
import { isStrictPattern, patternText } from '../conditions/allowlist.js'
import { withField } from './parts.js'
import { cleaned, unknown, type Value } from './value.js'

interface Group {
  readonly index: number
  readonly name: string | undefined
  /** What stands between its brackets. */
  readonly body: string
}

/** Names by which libraries reach the list of groups of a match. */
const listNames = ['Groups', 'groups', 'groupValues']

/** The match of `text` with a pattern whose groups let only harmless characters through; null where none of them does. */
export function capturedBy(pattern: Value | undefined, text: Value): Value | null {
  const source = pattern === undefined ? null : patternText(pattern)
  const strict = source === null ? [] : groupsOf(source).filter(({ body }) => isHarmless(body))
  if (strict.length === 0) return null
  // How large a number is was not asked.
  const piece = cleaned({ ...unknown, origins: text.origins }, ['text'])
  const whole: Value = { ...unknown, origins: text.origins }
  const groups = strict.reduce((value, { index, name }) => {
    const numbered = withField(value, String(index), piece)
    return name === undefined ? numbered : withField(numbered, name, piece)
  }, whole)
  // `val (id, size) = match.destructured` begins with the first group.
  const taken = strict.reduce((value, { index }) => withField(value, String(index - 1), piece), whole)
  return listNames.reduce((value, name) => withField(value, name, groups), withField(groups, 'destructured', taken))
}

/** Alternatives are whole words of their group. With a dot or a slash it may be another folder or host. */
const isHarmless = (body: string): boolean =>
  !/[./:@]/.test(body.replaceAll(/\\[dw]/g, 'a')) &&
  isStrictPattern(
    {
      ...unknown,
      pattern: `^${body.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]|\|/g, (piece) => (piece === '|' ? 'a' : piece))}$`,
    },
    false,
  )

/** The groups that capture, in the order of their numbers. */
export function groupsOf(pattern: string): readonly Group[] {
  const groups: { name: string | undefined; from: number; to: number }[] = []
  const open: (number | null)[] = []
  for (const { 0: piece, index: at } of pattern.matchAll(
    /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?(?:P?<([A-Za-z_]\w*)>|[^)])?)?|\)/gs,
  )) {
    if (piece.startsWith('(')) {
      const name = /^\(\?P?<([A-Za-z_]\w*)>/.exec(piece)?.[1]
      const captures = piece === '(' || name !== undefined
      open.push(captures ? groups.length : null)
      if (captures) groups.push({ name, from: at + piece.length, to: pattern.length })
    } else if (piece === ')') {
      const group = groups[open.pop() ?? -1]
      if (group !== undefined) group.to = at
    }
  }
  return groups.map(({ name, from, to }, at) => ({ index: at + 1, name, body: pattern.slice(from, to) }))
}
