/**
 * Token patterns for SQL and shell: `^GRANT ... TO PUBLIC`, `{curl,wget} ... | ... {sh,bash}`.
 *
 * Pieces are separated by blanks: a word (letter case does not matter), `{a,b}` one of several, `...` any tokens, `*` exactly one,
 * `<string>`, `<number>`, `<variable>`, `<name>`, `/regex/` on the token's text, in an excuse `<last>` the last token of what it excuses. `^` in front anchors at the start of the
 * statement, `$` at the end. The runs of pieces between gaps are looked for from left to right, each at its first place: tokens
 * times the length of the longest run at worst. Most patterns are dismissed by their words alone.
 */
import { compileRegex, maxTextLength } from '../rulebook/safe-regex.js'

export interface PatternToken {
  readonly kind: string
  readonly text: string
  readonly start: number
  readonly end: number
}

/** A statement or line with its words in one letter case. */
export interface TokenLine {
  readonly tokens: readonly PatternToken[]
  readonly upper: readonly string[]
  /** Of tokens that are not quoted. */
  readonly words: ReadonlySet<string>
}

export function tokenLine(tokens: readonly PatternToken[]): TokenLine {
  const upper = tokens.map((token) => token.text.toUpperCase())
  return { tokens, upper, words: new Set(upper.filter((_, at) => tokens[at]?.kind !== 'string')) }
}

interface Piece {
  /** One of these must be among the line's words. */
  readonly words: ReadonlySet<string> | null
  readonly test: (token: PatternToken, upper: string, last: string) => boolean
}

interface TokenPattern {
  /** Pieces without a gap between them. */
  readonly runs: readonly (readonly Piece[])[]
  readonly needed: readonly ReadonlySet<string>[]
  /** The first run begins, the last run ends the line. */
  readonly isAnchored: boolean
  readonly isEnd: boolean
}

const compiled = new Map<string, TokenPattern>()

function compile(text: string): TokenPattern {
  let pattern = compiled.get(text)
  if (pattern === undefined) {
    const parts = text.trim().split(/\s+/)
    const isAnchored = parts[0] === '^' || (parts[0]?.startsWith('^') ?? false)
    const isEnd = parts.at(-1) === '$'
    const words = parts
      .map((part, at) => (at === 0 ? part.replace(/^\^/, '') : part))
      .filter((part) => part !== '' && part !== '$')
    const runs: Piece[][] = [[]]
    for (const word of words) {
      if (word === '...') runs.push([])
      else runs.at(-1)?.push(compilePiece(word))
    }
    const needed = runs.flat().flatMap((piece) => (piece.words === null ? [] : [piece.words]))
    pattern = {
      runs: runs.filter((run) => run.length > 0),
      needed,
      isAnchored: isAnchored && words[0] !== '...',
      isEnd: isEnd && words.at(-1) !== '...',
    }
    compiled.set(text, pattern)
  }
  return pattern
}

const kinds: Record<string, readonly string[]> = {
  '<string>': ['string'],
  '<number>': ['number'],
  '<variable>': ['variable'],
  '<name>': ['word', 'quoted'],
}

function compilePiece(piece: string): Piece {
  if (piece === '*') return { words: null, test: () => true }
  if (piece === '<last>') return { words: null, test: (token, upper, last) => token.kind !== 'string' && upper === last }
  const accepted = kinds[piece]
  if (accepted !== undefined) return { words: null, test: (token) => accepted.includes(token.kind) }
  if (piece.startsWith('/') && piece.endsWith('/') && piece.length > 2) {
    const expression = compileRegex(piece.slice(1, -1))
    return { words: null, test: (token) => expression.test(token.text.slice(0, maxTextLength)) }
  }
  const words = new Set(
    (piece.startsWith('{') && piece.endsWith('}') ? piece.slice(1, -1).split(',') : [piece]).map((word) => word.toUpperCase()),
  )
  return { words, test: (token, upper) => token.kind !== 'string' && words.has(upper) }
}

/** Each matching line has one of these words; `null` where its words do not tell. */
export function wordsNeededBy(text: string): ReadonlySet<string> | null {
  const [first, ...others] = compile(text).needed
  return first === undefined ? null : others.reduce((least, words) => (words.size < least.size ? words : least), first)
}

/** The tokens of the first and last piece that are not gaps, and where what stands behind the last gap begins. */
export interface TokenMatch {
  readonly start: number
  readonly end: number
  readonly last: number
  readonly lastWord: string
}

export function matchTokens(text: string, line: TokenLine, lastWord = ''): TokenMatch | null {
  const { runs, needed, isAnchored, isEnd } = compile(text)
  for (const words of needed) if (!hasAny(line.words, words)) return null
  let first = -1
  let last = 0
  let at = 0
  for (const [index, run] of runs.entries()) {
    const high = line.tokens.length - run.length
    const low = isEnd && index === runs.length - 1 ? Math.max(at, high) : at
    const found = findRun(line, run, [low, isAnchored && index === 0 ? Math.min(0, high) : high], lastWord)
    if (found === -1) return null
    if (first === -1) first = found
    last = found
    at = found + run.length
  }
  const start = line.tokens[Math.max(first, 0)]
  const end = line.tokens[Math.max(at - 1, 0)]
  if (start === undefined || end === undefined) return null
  const begin = line.tokens[last]?.start ?? start.start
  return { start: start.start, end: end.end, last: begin, lastWord: line.upper[Math.max(at - 1, 0)] ?? '' }
}

function hasAny(words: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean {
  for (const word of wanted) if (words.has(word)) return true
  return false
}

/** The first place from `low` to `high` where all pieces of the run match, or -1. */
function findRun(line: TokenLine, run: readonly Piece[], [low, high]: [number, number], last: string): number {
  for (let from = low; from <= high; from++) {
    let matched = 0
    for (let token = line.tokens[from]; token !== undefined; token = line.tokens[from + matched]) {
      if (run[matched]?.test(token, line.upper[from + matched] ?? '', last) !== true) break
      matched++
    }
    if (matched === run.length) return from
  }
  return -1
}
