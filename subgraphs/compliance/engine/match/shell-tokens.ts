/** Shell text as tokens per logical line, for rules about pipes, redirections and flags. */
import type { PatternToken } from './token-pattern.js'

export interface ShellLine {
  readonly tokens: readonly PatternToken[]
}

/** Splits on blanks and operators, keeps quotes together, drops comments, joins lines that end in a backslash, leaves out what here-documents write. */
export function shellLines(text: string): ShellLine[] {
  const lines: ShellLine[] = []
  let tokens: PatternToken[] = []
  let at = 0
  // Ends that are looked for in vain cost no more than a few readings of the file.
  const budget = { characters: 4 * text.length }
  const flush = (): void => {
    if (tokens.length > 0) lines.push({ tokens })
    tokens = []
  }
  while (at < text.length) {
    const character = text[at] ?? ''
    if (character === '\\' && /^\\\r?\n/.test(text.slice(at, at + 3))) at += text[at + 1] === '\r' ? 3 : 2
    else if (character === '\n' || character === ';') {
      if (character === '\n') at = endOfDocument(text, at, tokens, budget)
      flush()
      at++
    } else if (character === ' ' || character === '\t' || character === '\r') at++
    else if (character === '#') {
      const end = text.indexOf('\n', at)
      at = end === -1 ? text.length : end
    } else {
      const end = readWord(text, at)
      const word = text.slice(at, end)
      const isString = word.startsWith('"') || word.startsWith("'")
      tokens.push({
        kind: isString ? 'string' : word.startsWith('$') ? 'variable' : 'word',
        text: isString ? word.slice(1, -1) : word,
        start: at,
        end,
      })
      at = end
    }
  }
  flush()
  return lines
}

const shells = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'ssh', 'su', 'sudo', 'chroot', 'docker', 'kubectl'])

/** The end of the line, or of the here-document that begins behind it: text for another program is no command. */
function endOfDocument(text: string, lineEnd: number, tokens: readonly PatternToken[], budget: { characters: number }): number {
  const at = tokens.findIndex((token) => token.text === '<<')
  const delimiter = tokens[at + 1]?.text.replace(/^-/, '').replaceAll(/['"\\]/g, '') ?? ''
  if (at === -1 || delimiter === '' || tokens.some((token) => shells.has(token.text.replace(/^.*\//, '')))) return lineEnd
  for (let from = lineEnd + 1; from < text.length && budget.characters > 0;) {
    const next = text.indexOf('\n', from)
    const end = next === -1 ? text.length : next
    if (text.slice(from, end).trim() === delimiter) return end
    budget.characters -= end + 1 - from
    from = end + 1
  }
  return lineEnd
}

function readWord(text: string, from: number): number {
  const operator = /^(?:&&|\|\||\|&|>>|<<<?|&>|\d?>&?\d?|[|&<>()])/.exec(text.slice(from, from + 4))?.[0]
  if (operator !== undefined) return from + operator.length
  let at = from
  while (at < text.length && !/[\s;|&<>()]/.test(text[at] ?? '')) {
    const character = text[at] ?? ''
    if (character === '\\') at += 2
    else if (character === '"' || character === "'") at = endOfQuote(text, at)
    else at++
  }
  return Math.max(at, from + 1)
}

function endOfQuote(text: string, from: number): number {
  const quote = text[from]
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote === '"') at++
    else if (text[at] === quote) return at + 1
  }
  return text.length
}
