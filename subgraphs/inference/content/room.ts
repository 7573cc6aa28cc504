/** Text of callers and models within bounds: what does not fit is left out, and says so. */

/** Of the texts of one attribute of a span: thousands of spans may wait for their collector. */
const ATTRIBUTE_CHARACTERS = 16_384
/** What a text takes besides its characters, roughly, so that very many short ones have an end too. */
const TEXT_CHARACTERS = 32

export const leftOut = (count: number, what: string): string => `[${count} ${what} left out]`

/** A text that grows by pieces. */
export class BoundedText {
  #kept = ''
  #leftOut = 0

  constructor(private readonly room: Room) {}

  add(piece: string): void {
    const kept = this.#leftOut > 0 ? '' : this.room.take(piece)
    this.#kept += kept
    this.#leftOut += piece.length - kept.length
  }

  get isEmpty(): boolean {
    return this.#kept === '' && this.#leftOut === 0
  }

  toJSON(): string {
    // The cut may have gone through a character of two units.
    return this.#leftOut === 0 ? this.#kept : `${this.#kept.toWellFormed()}${leftOut(this.#leftOut, 'characters')}`
  }
}

/** The bounds of one attribute. */
export class Room {
  #left = ATTRIBUTE_CHARACTERS

  get isFull(): boolean {
    return this.#left <= 0
  }

  /** A text that has yet to be said. */
  open(): BoundedText {
    this.#left -= TEXT_CHARACTERS
    return new BoundedText(this)
  }

  text(whole: string): BoundedText {
    const text = this.open()
    text.add(whole)
    return text
  }

  take(piece: string): string {
    const kept = piece.slice(0, Math.max(0, this.#left))
    this.#left -= kept.length
    return kept
  }
}
