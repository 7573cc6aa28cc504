/**
 * Regular expressions of rules, proven to run in at most quadratic time on text of bounded length.
 *
 * The checker is conservative: it parses the pattern and refuses back references, quantified groups that contain an unbounded
 * quantifier, and more than two unbounded quantifiers in a row whose characters overlap. Matching always cuts its input, so two
 * overlapping ones cost at most a few million steps.
 */
import { Remembered } from './remembered.js'

/** No rule looks at more of one text than this. */
export const maxTextLength = 2000

const compiled = new Remembered<RegExp>()

/**
 * A pattern of a rule, with `(?i)` in front for case-insensitive ones. The same one for the same text.
 *
 * The pattern must have passed `regexProblem` when it was loaded.
 */
export function compileRegex(pattern: string): RegExp {
  return compiled.of(pattern, newRegex)
}

function newRegex(pattern: string): RegExp {
  const isInsensitive = pattern.startsWith('(?i)')
  return new RegExp(isInsensitive ? pattern.slice(4) : pattern, isInsensitive ? 'i' : '')
}

/** What is wrong with the pattern, as the end of a sentence, or `null`. */
export function regexProblem(pattern: string): string | null {
  const isInsensitive = pattern.startsWith('(?i)')
  const source = isInsensitive ? pattern.slice(4) : pattern
  try {
    void new RegExp(source)
  } catch {
    return 'is not a regular expression'
  }
  if (isInsensitive && asksForCapitals(source)) return 'asks for capitals, which (?i) makes equal to small letters'
  const parser = new Parser(source)
  try {
    parser.alternation()
  } catch (error) {
    return error instanceof Unsafe ? error.message : 'cannot be proven safe'
  }
  return null
}

/**
 * A class of capitals alone, or a capital behind a class: `(?i)allow|^[A-Z]{3}$` holds for every name of three letters. Two patterns
 * under `any` say what was meant.
 */
function asksForCapitals(source: string): boolean {
  const classes = source.match(/\[(?:\\.|[^\]\\])*\](?:[*+?]|\{[\d,]+\})?[A-Z]?/g) ?? []
  return classes.some((one) => (/A-Z/.test(one) && !/a-z/.test(one)) || /[A-Z]$/.test(one)) || /\\p\{Lu/.test(source)
}

class Unsafe extends Error {}

/** 128 ASCII characters and one bit for all others. */
type Characters = Uint8Array

interface Piece {
  readonly first: Characters
  readonly isUnbounded: boolean
  /** Some unbounded quantifier inside. */
  readonly containsUnbounded: boolean
  readonly canBeEmpty: boolean
}

const none = (): Characters => new Uint8Array(129)
const all = (): Characters => new Uint8Array(129).fill(1)
const union = (a: Characters, b: Characters): Characters => a.map((bit, at) => bit | (b[at] ?? 0))
const overlaps = (a: Characters, b: Characters): boolean => a.some((bit, at) => bit === 1 && b[at] === 1)

class Parser {
  private at = 0

  constructor(private readonly source: string) {}

  alternation(): Piece {
    let result = this.sequence()
    while (this.source[this.at] === '|') {
      this.at++
      const next = this.sequence()
      result = {
        first: union(result.first, next.first),
        isUnbounded: false,
        containsUnbounded: result.containsUnbounded || next.containsUnbounded,
        canBeEmpty: result.canBeEmpty || next.canBeEmpty,
      }
    }
    return result
  }

  private sequence(): Piece {
    const pieces: Piece[] = []
    while (this.at < this.source.length && this.source[this.at] !== '|' && this.source[this.at] !== ')')
      pieces.push(this.quantified())
    this.checkRow(pieces)
    let first = none()
    let canBeEmpty = true
    for (const piece of pieces) {
      if (canBeEmpty) first = union(first, piece.first)
      canBeEmpty &&= piece.canBeEmpty
    }
    return {
      first,
      isUnbounded: false,
      containsUnbounded: pieces.some((piece) => piece.isUnbounded || piece.containsUnbounded),
      canBeEmpty,
    }
  }

  /** Unbounded pieces that can take each other's characters multiply their work. */
  private checkRow(pieces: readonly Piece[]): void {
    let row: Piece[] = []
    for (const piece of pieces) {
      if (!piece.isUnbounded) {
        if (!piece.canBeEmpty) row = row.filter((one) => overlaps(one.first, piece.first))
        continue
      }
      row = [...row.filter((one) => overlaps(one.first, piece.first)), piece]
      if (row.length > 2) throw new Unsafe('has three unbounded quantifiers that overlap')
    }
  }

  private quantified(): Piece {
    const atom = this.atom()
    const quantifier = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(this.source.slice(this.at))
    if (quantifier === null) return atom
    this.at += quantifier[0].length
    const text = quantifier[0]
    const canBeEmpty = atom.canBeEmpty || text.startsWith('*') || text.startsWith('?') || quantifier[1] === '0'
    if (text.startsWith('?')) return { ...atom, canBeEmpty }
    const isUnbounded = text.startsWith('*') || text.startsWith('+') || (quantifier[2] !== undefined && quantifier[3] === '')
    const max = quantifier[3] === undefined || quantifier[3] === '' ? Number(quantifier[1] ?? 0) : Number(quantifier[3])
    if (atom.containsUnbounded && (isUnbounded || max > 4))
      throw new Unsafe('repeats a group with an unbounded quantifier inside')
    if (isUnbounded && atom.canBeEmpty) throw new Unsafe('repeats something that can be empty')
    return { first: atom.first, isUnbounded, containsUnbounded: atom.containsUnbounded, canBeEmpty }
  }

  private atom(): Piece {
    const character = this.source[this.at] ?? ''
    if (character === '(') return this.group()
    if (character === '[') return this.plain(this.characterClass())
    if (character === '\\') return this.escape()
    this.at++
    if (character === '^' || character === '$')
      return { first: none(), isUnbounded: false, containsUnbounded: false, canBeEmpty: true }
    return this.plain(character === '.' ? all() : single(character))
  }

  private plain(first: Characters): Piece {
    return { first, isUnbounded: false, containsUnbounded: false, canBeEmpty: false }
  }

  private group(): Piece {
    const opening = /^\((?:\?(?::|=|!|<=|<!|<\w+>))?/.exec(this.source.slice(this.at))?.[0] ?? '('
    if (opening.includes('<=') || opening.includes('<!')) throw new Unsafe('looks behind')
    this.at += opening.length
    const inner = this.alternation()
    this.at++
    const isLookahead = opening === '(?=' || opening === '(?!'
    if (isLookahead) return { first: none(), isUnbounded: false, containsUnbounded: false, canBeEmpty: true }
    return inner
  }

  private escape(): Piece {
    const character = this.source[this.at + 1] ?? ''
    if (/[1-9k]/.test(character)) throw new Unsafe('has a back reference')
    const set = escapeSet(this.source, this.at)
    this.at += set.length
    if (character === 'b' || character === 'B')
      return { first: none(), isUnbounded: false, containsUnbounded: false, canBeEmpty: true }
    return this.plain(set.characters)
  }

  private characterClass(): Characters {
    const isNegated = this.source[this.at + 1] === '^'
    this.at += isNegated ? 2 : 1
    let set = none()
    while (this.at < this.source.length && this.source[this.at] !== ']') {
      const low = this.classItem()
      set = union(set, low.characters)
      if (this.source[this.at] !== '-' || this.source[this.at + 1] === ']') continue
      this.at++
      const high = this.classItem()
      for (let code = low.code; code <= Math.min(high.code, 127); code++) set[code] = 1
      if (high.code > 127) set[128] = 1
    }
    this.at++
    return isNegated ? set.map((bit) => 1 - bit) : set
  }

  private classItem(): { characters: Characters; code: number } {
    if (this.source[this.at] !== '\\') {
      const character = this.source[this.at] ?? ''
      this.at++
      return { characters: single(character), code: character.charCodeAt(0) }
    }
    const set = escapeSet(this.source, this.at)
    this.at += set.length
    return { characters: set.characters, code: set.code }
  }
}

const single = (character: string): Characters => {
  const set = none()
  set[Math.min(character.charCodeAt(0), 128)] = 1
  const other = character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase()
  set[Math.min(other.charCodeAt(0), 128)] = 1
  return set
}

const classes: Record<string, RegExp> = { d: /\d/, w: /\w/, s: /\s/ }

function escapeSet(source: string, at: number): { characters: Characters; length: number; code: number } {
  const character = source[at + 1] ?? ''
  const named = classes[character.toLowerCase()]
  if (named !== undefined) {
    const isNegated = character !== character.toLowerCase()
    const characters = none().map((_, code) => (code < 128 && named.test(String.fromCharCode(code)) !== isNegated ? 1 : 0))
    if (isNegated) characters[128] = 1
    return { characters, length: 2, code: -1 }
  }
  const hex = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/.exec(source.slice(at, at + 6))
  if (hex !== null) {
    const code = Number.parseInt(hex[1] ?? hex[2] ?? '0', 16)
    return { characters: single(String.fromCharCode(code)), length: hex[0].length, code }
  }
  const controls: Record<string, string> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', '0': '\0' }
  const actual = controls[character] ?? character
  return { characters: single(actual), length: 2, code: actual.charCodeAt(0) }
}
