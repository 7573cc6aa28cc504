/**
 * Server-sent events out of bytes, as strictly as the standard and as forgiving as providers need: CR, LF and CRLF, comments,
 * `data:` with or without a space, several events in one read, one byte a read, UTF-8 split anywhere, a last event without an
 * empty line after it. The events do not depend on how the bytes were split.
 *
 * Only whole lines are decoded, so a split character cannot break, and all those of one read at once, where they end as most
 * providers end them. A line without line ends is collected in a buffer that doubles, so a megabyte that comes one byte at a time
 * costs a megabyte of copying and not a square of it.
 */

const LF = 0x0a
const CR = 0x0d
const COLON = 0x3a
const SPACE = 0x20
const NOTHING = Buffer.alloc(0)

/** The provider sent one event that is larger than the limit. */
export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge'
}

export class SseParser {
  /** The line that has begun but not ended: `#line.subarray(0, #lineLength)`. */
  #line: Buffer = NOTHING
  #lineLength = 0
  #data: string | null = null
  #eventBytes = 0
  /** The last byte was a CR that ended a line: an LF right after it belongs to it. */
  #afterCr = false
  #atStart = true

  /**
   * @param takeEvents is offered the place in a stream's text where an event begins, before it is read here; answers the place
   *   where the next one begins that it has not taken
   */
  constructor(
    private readonly onEvent: (data: string) => void,
    private readonly maxEventBytes: number,
    private readonly takeEvents?: (text: string, at: number) => number,
  ) {}

  /** Reads some bytes and reports the events that end in them. @throws EventTooLarge */
  push(bytes: Buffer): void {
    let start = 0
    if (this.#afterCr && bytes.length > 0) {
      this.#afterCr = false
      if (bytes[0] === LF) start = 1
    }
    let cr = bytes.indexOf(CR, start)
    if (cr === -1 && this.#eventBytes + bytes.length <= this.maxEventBytes) return this.#pushLines(bytes, start)
    while (start < bytes.length) {
      const lf = bytes.indexOf(LF, start)
      if (cr !== -1 && cr < start) cr = bytes.indexOf(CR, start)
      const end = cr !== -1 && (lf === -1 || cr < lf) ? cr : lf
      if (end === -1) return this.#keep(bytes, start)
      this.#endLine(bytes, start, end)
      start = end + 1
      if (end === cr) {
        if (start === bytes.length) this.#afterCr = true
        else if (bytes[start] === LF) start++
      }
    }
  }

  /** Most providers end lines with LF only: what is whole is one text, in which every further search is cheap. */
  #pushLines(bytes: Buffer, begin: number): void {
    let start = begin
    if (this.#lineLength > 0 || this.#atStart) {
      const first = bytes.indexOf(LF, start)
      if (first === -1) return this.#keep(bytes, start)
      this.#endLine(bytes, start, first)
      start = first + 1
    }
    const last = bytes.lastIndexOf(LF)
    if (last >= start) this.#readLines(bytes.toString('utf8', start, last + 1))
    if (last + 1 < bytes.length) this.#keep(bytes, Math.max(start, last + 1))
  }

  #readLines(text: string): void {
    let at = 0
    while (at < text.length) {
      const taken = this.#data === null && this.takeEvents ? this.takeEvents(text, at) : at
      if (taken > at) {
        at = taken
        continue
      }
      const end = text.indexOf('\n', at)
      if (end === at) this.#dispatch()
      else this.#readField(text, at, end)
      at = end + 1
    }
  }

  #readField(text: string, start: number, end: number): void {
    if (!text.startsWith('data', start) || end - start < 4) return
    const colon = start + 4
    if (colon < end && text[colon] !== ':') return
    const value = colon + 1 < end && text[colon + 1] === ' ' ? colon + 2 : Math.min(colon + 1, end)
    this.#addData(text.slice(value, end), Buffer.byteLength(text.slice(start, end)))
  }

  #addData(value: string, lineBytes: number): void {
    this.#eventBytes += lineBytes
    if (this.#eventBytes > this.maxEventBytes) throw new EventTooLarge()
    this.#data = this.#data === null ? value : `${this.#data}\n${value}`
  }

  /** The bytes have ended cleanly: reports an event that lacks only its empty line. */
  end(): void {
    if (this.#lineLength > 0) this.#endLine(NOTHING, 0, 0)
    this.#dispatch()
  }

  #keep(bytes: Buffer, start: number): void {
    const length = this.#lineLength + bytes.length - start
    if (length + this.#eventBytes > this.maxEventBytes) throw new EventTooLarge()
    if (length > this.#line.length) {
      const grown = Buffer.allocUnsafe(Math.max(256, length * 2))
      this.#line.copy(grown, 0, 0, this.#lineLength)
      this.#line = grown
    }
    bytes.copy(this.#line, this.#lineLength, start)
    this.#lineLength = length
  }

  #endLine(bytes: Buffer, start: number, end: number): void {
    if (this.#lineLength === 0) return this.#readLine(bytes, start, end)
    if (end > start) this.#keep(bytes.subarray(0, end), start)
    const length = this.#lineLength
    this.#lineLength = 0
    this.#readLine(this.#line, 0, length)
    if (this.#line.length > 64 * 1024) this.#line = NOTHING
  }

  #readLine(bytes: Buffer, begin: number, end: number): void {
    let start = begin
    if (this.#atStart) {
      this.#atStart = false
      if (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf && end - start >= 3) start += 3
    }
    if (start === end) return this.#dispatch()
    const value = dataStart(bytes, start, end)
    if (value === -1) return
    this.#addData(bytes.toString('utf8', value, end), end - start)
  }

  #dispatch(): void {
    const data = this.#data
    this.#data = null
    this.#eventBytes = 0
    if (data !== null && data !== '') this.onEvent(data)
  }
}

/** Where the value of a `data` line begins; -1 for comments and every other field. */
function dataStart(bytes: Buffer, start: number, end: number): number {
  const isData =
    end - start >= 4 &&
    bytes[start] === 0x64 &&
    bytes[start + 1] === 0x61 &&
    bytes[start + 2] === 0x74 &&
    bytes[start + 3] === 0x61
  if (!isData) return -1
  if (end - start === 4) return end
  if (bytes[start + 4] !== COLON) return -1
  return bytes[start + 5] === SPACE && start + 5 < end ? start + 6 : start + 5
}
