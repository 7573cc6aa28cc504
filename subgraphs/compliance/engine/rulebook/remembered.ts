/** An analyzer lives for long, and reads files and configurations that anybody writes. */
const MAX_REMEMBERED = 20_000

/** What is found out about a text, once for each. After many texts it begins anew. */
export class Remembered<Found extends {}> {
  readonly #known = new Map<string, Found>()

  of(text: string, find: (text: string) => Found): Found {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const found = find(text)
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear()
    this.#known.set(text, found)
    return found
  }
}
