/**
 * The wire format of Protocol Buffers (https://protobuf.dev/programming-guides/encoding/), written into memory that is used again:
 * what is new for each message costs more to collect than to write.
 */

const VARINT = 0
const FIXED64 = 1
const LENGTH_DELIMITED = 2
const DOUBLE_BYTES = 8
/** Of a number, and of a field's tag, at most. */
const VARINT_BYTES = 10
/** Texts whose length takes one byte whatever is in them: one unit of UTF-16 takes three bytes at most. */
const SHORT_TEXT = Math.floor(0x7f / 3)

const varintSize = (value: number): number =>
  value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5

export class ProtobufWriter {
  #bytes: Buffer
  #length = 0

  /** @param bytes that it begins with; it takes more when they do not suffice */
  constructor(bytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(bytes)
  }

  get length(): number {
    return this.#length
  }

  /** What was written; other bytes once the writer is used again after `reset`. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  reset(): void {
    this.#length = 0
  }

  text(field: number, text: string): void {
    this.#tag(field, LENGTH_DELIMITED)
    if (text.length > SHORT_TEXT) return this.#longText(text)
    this.#need(SHORT_TEXT * 3 + 1)
    const bytes = this.#bytes
    const begun = this.#length + 1
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code >= 0x80) return this.#endText(bytes.write(text, begun))
      bytes[begun + at] = code
    }
    this.#endText(text.length)
  }

  /** A whole number that is safe, of either sign: int64, int32 and enumerations. */
  int(field: number, value: number): void {
    this.#tag(field, VARINT)
    this.#varint(value)
  }

  bool(field: number, value: boolean): void {
    this.int(field, value ? 1 : 0)
  }

  double(field: number, value: number): void {
    this.#tag(field, FIXED64)
    this.#need(DOUBLE_BYTES)
    this.#length = this.#bytes.writeDoubleLE(value, this.#length)
  }

  /** A fixed64 in two halves, each from 0 to 2^32-1: as one number it would not be exact. */
  fixed64(field: number, low: number, high: number): void {
    this.#tag(field, FIXED64)
    this.#need(DOUBLE_BYTES)
    this.#word(low, 0, 8, 16, 24)
    this.#word(high, 0, 8, 16, 24)
  }

  /** Bytes given as 32-bit words, the first byte of each its highest. */
  words(field: number, ...words: readonly number[]): void {
    this.#tag(field, LENGTH_DELIMITED)
    this.#need(words.length * 4 + 1)
    this.#bytes[this.#length++] = words.length * 4
    for (const word of words) this.#word(word, 24, 16, 8, 0)
  }

  /**
   * Begins a message within; what is written until its `end` is in it.
   * @param lengthBytes that its length is likely to take; another costs a move of what is in it
   * @returns what `end` is told
   */
  begin(field: number, lengthBytes = 1): number {
    this.#tag(field, LENGTH_DELIMITED)
    this.#need(VARINT_BYTES)
    this.#length += lengthBytes
    return this.#length
  }

  end(begun: number, lengthBytes = 1): void {
    const length = this.#length - begun
    const more = varintSize(length) - lengthBytes
    if (more !== 0) {
      this.#need(VARINT_BYTES)
      this.#bytes.copyWithin(begun + more, begun, this.#length)
    }
    this.#length = begun - lengthBytes
    this.#varint(length)
    this.#length += length
  }

  #tag(field: number, type: number): void {
    this.#varint(field * 8 + type)
  }

  #varint(value: number): void {
    this.#need(VARINT_BYTES)
    if (value < 0 || value > 0x7fff_ffff) return this.#wideVarint(value)
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }

  /** A negative one is that of 64 bits in two's complement. */
  #wideVarint(value: number): void {
    let rest = BigInt.asUintN(64, BigInt(value))
    while (rest >= 0x80n) {
      this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80
      rest >>= 7n
    }
    this.#bytes[this.#length++] = Number(rest)
  }

  #word(word: number, first: number, second: number, third: number, fourth: number): void {
    const bytes = this.#bytes
    const at = this.#length
    bytes[at] = word >>> first
    bytes[at + 1] = word >>> second
    bytes[at + 2] = word >>> third
    bytes[at + 3] = word >>> fourth
    this.#length = at + 4
  }

  #longText(text: string): void {
    const length = Buffer.byteLength(text)
    this.#varint(length)
    this.#need(length)
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** Of a text whose bytes stand behind the one for their number. */
  #endText(length: number): void {
    this.#bytes[this.#length] = length
    this.#length += length + 1
  }

  #need(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#length + more))
    grown.set(this.written())
    this.#bytes = grown
  }
}
