/**
 * Token patterns for SQL and shell: `^GRANT ... TO PUBLIC`, `{curl,wget} ... | ... {sh,bash}`.
 *
 * Pieces are separated by blanks: a word (letter case does not matter), `{a,b}` one of several, `...` any tokens, `*` exactly one,
 * `<string>`, `<number>`, `<variable>`, `<name>`, `/regex/` on the token's text. `^` in front anchors at the start of the
 * statement, `$` at the end. Matching is a greedy glob: linear in practice, quadratic at worst.
 */
import { compileRegex, maxTextLength } from '../rulebook/safe-regex.js'

export interface PatternToken {
  readonly kind: string
  readonly text: string
  readonly start: number
  readonly end: number
}

type Piece = { readonly kind: 'gap' } | { readonly kind: 'test'; readonly test: (token: PatternToken) => boolean }

interface TokenPattern {
  readonly pieces: readonly Piece[]
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
    pattern = { pieces: words.map(compilePiece), isAnchored, isEnd }
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
  if (piece === '...') return { kind: 'gap' }
  if (piece === '*') return { kind: 'test', test: () => true }
  const accepted = kinds[piece]
  if (accepted !== undefined) return { kind: 'test', test: (token) => accepted.includes(token.kind) }
  if (piece.startsWith('/') && piece.endsWith('/') && piece.length > 2) {
    const expression = compileRegex(piece.slice(1, -1))
    return { kind: 'test', test: (token) => expression.test(token.text.slice(0, maxTextLength)) }
  }
  const words = new Set(
    (piece.startsWith('{') && piece.endsWith('}') ? piece.slice(1, -1).split(',') : [piece]).map((word) => word.toUpperCase()),
  )
  return { kind: 'test', test: (token) => token.kind !== 'string' && words.has(token.text.toUpperCase()) }
}

/** The first match: the tokens of the first and last piece that are not gaps. */
export function matchTokens(text: string, tokens: readonly PatternToken[]): { start: number; end: number } | null {
  const pattern = compile(text)
  const lastStart = pattern.isAnchored ? 0 : tokens.length - 1
  for (let from = 0; from <= lastStart; from++) {
    const found = matchFrom(pattern, tokens, from)
    if (found !== null) return found
  }
  return null
}

function matchFrom(pattern: TokenPattern, tokens: readonly PatternToken[], from: number): { start: number; end: number } | null {
  let piece = 0
  let at = from
  let gapPiece = -1
  let gapAt = 0
  let first = -1
  let last = -1
  while (piece < pattern.pieces.length) {
    const current = pattern.pieces[piece]
    const token = tokens[at]
    if (current?.kind === 'gap') {
      gapPiece = piece
      gapAt = at
      piece++
    } else if (token !== undefined && current?.test(token) === true) {
      if (first === -1) first = at
      last = at
      piece++
      at++
    } else if (gapPiece >= 0 && gapAt < tokens.length) {
      gapAt++
      at = gapAt
      piece = gapPiece + 1
    } else return null
  }
  if (pattern.isEnd && last !== tokens.length - 1) return null
  const start = tokens[Math.max(first, 0)]
  const end = tokens[Math.max(last, 0)]
  return start === undefined || end === undefined ? null : { start: start.start, end: end.end }
}
