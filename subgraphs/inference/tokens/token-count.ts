/** Counting tokens ourselves: for holds, for the budget of a stream, and for the bill when a provider sends no usage. */
import type { Tokenizer } from '#platform/vocabulary/words.js'
import type { BytePairs } from './byte-pairs.js'
import { readTokens } from './token-tables.js'

const loading = new Map<Tokenizer, Promise<BytePairs>>()
const SLICE_CHARACTERS = 32 * 1024

/** The counting function of a family, whose table is read when it is first needed. */
export async function loadTokenizer(family: Tokenizer): Promise<(text: string) => number> {
  let reading = loading.get(family)
  if (!reading) loading.set(family, (reading = readTokens(family)))
  const pairs = await reading
  return (text) => pairs.count(text)
}

/** What `\s` matches; a regular expression is asked only where there is little of it. */
function isSpace(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code < 0x80 ? code === 0x20 || (code <= 0x0d && code >= 0x09) : SPACE.test(text[index]!)
}

const SPACE = /\s/

/** The beginning of a text that fits into a number of tokens. */
interface Fit {
  /** UTF-16 units. */
  readonly characters: number
  readonly tokens: number
}

/** Counts a long text in slices, so that other requests are served between them. */
export const countText = async (family: Tokenizer, text: string): Promise<number> =>
  (await fitText(family, text, Infinity)).tokens

/** As much of the text as `room` tokens hold. Counts no further than that. */
export async function fitText(family: Tokenizer, text: string, room: number): Promise<Fit> {
  const count = await loadTokenizer(family)
  let tokens = 0
  let rest = text
  for (;;) {
    const slice = rest.length > SLICE_CHARACTERS ? rest.slice(0, cutPoint(rest, SLICE_CHARACTERS)) : rest
    const sliceTokens = count(slice)
    if (tokens + sliceTokens > room) {
      const fit = fitSlice(count, slice, room - tokens)
      return { characters: text.length - rest.length + fit.characters, tokens: tokens + fit.tokens }
    }
    tokens += sliceTokens
    rest = rest.slice(slice.length)
    if (rest === '') return { characters: text.length, tokens }
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

/** Word by word as far as it goes, so that what fits is counted once; then by halves inside of the piece that does not. */
const FIT_PIECE_CHARACTERS = 512

function fitSlice(count: (text: string) => number, text: string, room: number): Fit {
  let start = 0
  let before = 0
  while (start < text.length) {
    const rest = text.slice(start)
    const piece = rest.length > FIT_PIECE_CHARACTERS ? rest.slice(0, cutPoint(rest, FIT_PIECE_CHARACTERS)) : rest
    const pieceTokens = count(piece)
    if (before + pieceTokens > room) {
      const inside = longestPrefix(piece, (prefix) => count(prefix) <= room - before)
      start += inside
      break
    }
    before += pieceTokens
    start += piece.length
  }
  // Pieces may count a little less than the whole; what is handed out is proven.
  const characters = shortened(text, start, (prefix) => count(prefix) <= room)
  return { characters, tokens: count(text.slice(0, characters)) }
}

/** A long prefix that passes; the longest one where longer means more tokens, which is nearly everywhere. */
function longestPrefix(text: string, fits: (prefix: string) => boolean): number {
  let low = 0
  let high = text.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (fits(text.slice(0, middle))) low = middle
    else high = middle
  }
  return low
}

/** The prefix of at most `characters` that passes and does not end inside a surrogate pair. */
function shortened(text: string, characters: number, fits: (prefix: string) => boolean): number {
  for (let end = characters; end > 0; end--) {
    if (!isInsidePair(text, end) && fits(text.slice(0, end))) return end
  }
  return 0
}

function isInsidePair(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff
}

/**
 * The last place at or before `limit` where two counts add up to the count of the whole: before a space that stands
 * alone before a word, with which every tokenizer begins a new piece. Text without such a place nearby (one huge word, a
 * script without spaces) is cut at `limit`, off by a token at most, but never inside a surrogate pair.
 */
function cutPoint(text: string, limit: number): number {
  const boundary = wordBoundary(text, limit)
  if (boundary !== -1) return boundary
  return isInsidePair(text, limit) ? limit - 1 : limit
}

function wordBoundary(text: string, limit: number): number {
  for (let i = Math.min(limit, text.length - 2); i > Math.max(0, limit - 4_096); i--) {
    if (text[i] === ' ' && isLetter(text.charCodeAt(i + 1)) && !isSpace(text, i - 1)) return i
  }
  return -1
}

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90)

const PENDING_CHARACTERS = 32
const PENDING_CHARACTERS_AT_MOST = 16 * 1_024

/**
 * What one stream has delivered, counted as it grows: what is counted once is never counted again, and the part behind the
 * last safe boundary waits for more text.
 */
export class DeliveredText {
  #counted = 0
  #pending = ''
  #lastCount = 0
  #bytesSinceCount = 0
  /** UTF-16 units delivered in all. */
  characters = 0

  constructor(private readonly count: (text: string) => number) {}

  add(text: string): void {
    void this.addBelow(text, Infinity)
  }

  /** Adds the text if it keeps the tokens within the limit however it is divided into them; false when that has to be counted. */
  addBelow(text: string, limit: number): boolean {
    const bytes = Buffer.byteLength(text)
    if (this.atMost() + bytes > limit) return false
    this.#pending += text
    this.characters += text.length
    this.#bytesSinceCount += bytes
    return true
  }

  /** Adds as much of the text as keeps the tokens within the limit, and answers how many UTF-16 units that is. */
  addWithin(text: string, limit: number): number {
    if (this.addBelow(text, limit)) return text.length
    const [counted, pending, lastCount, bytes] = [this.#counted, this.#pending, this.#lastCount, this.#bytesSinceCount]
    this.add(text)
    if (this.tokens() <= limit) return text.length
    this.#counted = counted
    this.#pending = pending
    this.#lastCount = lastCount
    this.#bytesSinceCount = bytes
    this.characters -= text.length
    const room = limit - this.#counted
    const whole = this.#pending + text
    const { characters } = fitSlice(this.count, whole, room)
    const kept = Math.max(0, characters - this.#pending.length)
    this.add(text.slice(0, kept))
    return kept
  }

  /** A number that the count cannot exceed, without counting: a token has at least one byte. */
  atMost(): number {
    return this.#lastCount + this.#bytesSinceCount
  }

  /** The tokens so far, the pending end included. */
  tokens(): number {
    if (this.#bytesSinceCount === 0) return this.#lastCount
    if (this.#pending.length > PENDING_CHARACTERS) {
      const limit = this.#pending.length - 2
      const boundary = wordBoundary(this.#pending, limit)
      const cut = boundary === -1 && this.#pending.length > PENDING_CHARACTERS_AT_MOST ? cutPoint(this.#pending, limit) : boundary
      if (cut > 0) {
        this.#counted += this.count(this.#pending.slice(0, cut))
        this.#pending = this.#pending.slice(cut)
      }
    }
    this.#bytesSinceCount = 0
    this.#lastCount = this.#counted + this.count(this.#pending)
    return this.#lastCount
  }
}
