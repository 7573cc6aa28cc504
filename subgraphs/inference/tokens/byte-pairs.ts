/**
 * Byte pair encoding, only to count. The tables are the published ones; they lie in a few typed arrays outside of the collector's
 * sight, where a library keeps two hundred thousand strings (decision 0055).
 *
 * A piece of text that is a token counts one. Any other begins as single bytes, of which the pair that stands first in the table
 * is joined until no pair is in it. Pairs wait in a heap, so that the time grows with n log n, however long the piece is.
 */

/** For each rank the length of its token in bytes, and then all tokens one behind the other. */
export type TokenTable = Uint8Array

const NONE = -1
/** A pair's place in the heap: by rank, then from left to right. Ranks are below 2^18, so a piece may have 2^34 bytes. */
const RANK_UNIT = 2 ** 34

export class BytePairs {
  readonly #bytes: Uint8Array
  /** Where the token of a rank begins in `#bytes`; it ends where the next one begins. */
  readonly #starts: Uint32Array
  /** Ranks by the hash of their token, in the next free place. */
  readonly #slots: Int32Array
  readonly #text = new TextEncoder()
  /** What is counted, in UTF-8. */
  #piece = new Uint8Array(0)
  /** Of the part that begins at a byte: where the next one does, where the one before does, and the rank of it with the next. */
  #next = new Int32Array(0)
  #before = new Int32Array(0)
  #ranks = new Int32Array(0)
  readonly #heap = new MinHeap()

  /** @param pieces a pattern that divides a text into the pieces that no token crosses; it leaves nothing out */
  constructor(
    table: TokenTable,
    ranks: number,
    private readonly pieces: RegExp,
  ) {
    this.#bytes = table.subarray(ranks)
    this.#starts = new Uint32Array(ranks + 1)
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(ranks * 2))).fill(NONE)
    for (let rank = 0; rank < ranks; rank++) {
      const start = this.#starts[rank]!
      const end = start + table[rank]!
      this.#starts[rank + 1] = end
      if (end > start) this.#slots[this.#slotOf(this.#bytes, start, end)] = rank
    }
  }

  /** The tokens of a text. What looks like a special token is text. */
  count(text: string): number {
    this.#makeRoom(text.length * 3)
    const isAscii = this.#copyAscii(text)
    if (!isAscii) this.#text.encodeInto(text, this.#piece)
    let tokens = 0
    let start = 0
    for (const piece of text.match(this.pieces) ?? []) {
      const end = start + (isAscii ? piece.length : Buffer.byteLength(piece))
      tokens += this.#rankOf(this.#piece, start, end) === NONE ? this.#countParts(start, end) : 1
      start = end
    }
    return tokens
  }

  /** Most of what is counted is a few characters long, for which the encoder takes longer than this. False when there are others. */
  #copyAscii(text: string): boolean {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code > 0x7f) return false
      this.#piece[at] = code
    }
    return true
  }

  #countParts(start: number, end: number): number {
    for (let at = start; at < end; at++) {
      this.#before[at] = at - 1
      this.#next[at] = at + 1
    }
    for (let at = start; at < end; at++) this.#offer(at, end)
    let parts = end - start
    for (let pair = this.#heap.take(); pair !== undefined; pair = this.#heap.take()) {
      const rank = Math.floor(pair / RANK_UNIT)
      const at = pair % RANK_UNIT
      // One of its parts was joined with another meanwhile.
      if (this.#ranks[at] !== rank) continue
      const joined = this.#next[at]!
      const after = this.#next[joined]!
      this.#ranks[joined] = NONE
      this.#next[at] = after
      if (after < end) this.#before[after] = at
      parts--
      this.#offer(at, end)
      if (at > start) this.#offer(this.#before[at]!, end)
    }
    return parts
  }

  /** The part that begins here and the next one are a pair, if together they are a token. */
  #offer(at: number, end: number): void {
    const next = this.#next[at]!
    const rank = next < end ? this.#rankOf(this.#piece, at, this.#next[next]!) : NONE
    this.#ranks[at] = rank
    if (rank !== NONE) this.#heap.add(rank * RANK_UNIT + at)
  }

  #rankOf(bytes: Uint8Array, start: number, end: number): number {
    return this.#slots[this.#slotOf(bytes, start, end)]!
  }

  /** The slot that holds these bytes, or the free one where they would be. */
  #slotOf(bytes: Uint8Array, start: number, end: number): number {
    let hash = 0x811c9dc5
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
    const last = this.#slots.length - 1
    let slot = (hash ^ (hash >>> 15)) & last
    while (this.#slots[slot] !== NONE && !this.#isToken(this.#slots[slot]!, bytes, start, end)) slot = (slot + 1) & last
    return slot
  }

  #isToken(rank: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts[rank]!
    if (this.#starts[rank + 1]! - from !== end - start) return false
    for (let at = start; at < end; at++) if (this.#bytes[from + at - start] !== bytes[at]) return false
    return true
  }

  #makeRoom(bytes: number): void {
    if (this.#piece.length >= bytes) return
    const room = Math.max(bytes, 4_096)
    this.#piece = new Uint8Array(room)
    this.#next = new Int32Array(room)
    this.#before = new Int32Array(room)
    this.#ranks = new Int32Array(room)
  }
}

/** The smallest of some numbers. */
class MinHeap {
  readonly #values: number[] = []

  add(value: number): void {
    const values = this.#values
    let at = values.push(value) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (values[above]! <= value) break
      values[at] = values[above]!
      at = above
    }
    values[at] = value
  }

  /** Takes it out; undefined when there is none. */
  take(): number | undefined {
    const values = this.#values
    const smallest = values[0]
    const last = values.pop()
    if (last === undefined || values.length === 0) return smallest
    let at = 0
    for (let below = 1; below < values.length; below = 2 * at + 1) {
      if (below + 1 < values.length && values[below + 1]! < values[below]!) below++
      if (values[below]! >= last) break
      values[at] = values[below]!
      at = below
    }
    values[at] = last
    return smallest
  }
}
