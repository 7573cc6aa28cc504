/**
 * A Map for what comes and goes with every request.
 *
 * V8 makes a Map's table anew every few dozen of such changes, and the old table points to the new one. An old table that has
 * reached the old generation keeps all later ones alive until the next full collection, and with them everything that was in
 * any of them: half of what requests had allocated outlived them. Here a table holds boxes, and what is deleted leaves its box
 * at once. Keys stay in the tables, so they are ids.
 */
export class PassingMap<Key extends string | number, Value extends object> {
  readonly #boxes = new Map<Key, { value: Value | null }>()

  get size(): number {
    return this.#boxes.size
  }

  get(key: Key): Value | null {
    return this.#boxes.get(key)?.value ?? null
  }

  set(key: Key, value: Value): void {
    const box = this.#boxes.get(key)
    if (box) box.value = value
    else this.#boxes.set(key, { value })
  }

  delete(key: Key): boolean {
    const box = this.#boxes.get(key)
    if (!box) return false
    box.value = null
    return this.#boxes.delete(key)
  }

  clear(): void {
    for (const box of this.#boxes.values()) box.value = null
    this.#boxes.clear()
  }

  /** Those that are there now, in the order of coming. */
  values(): Value[] {
    return Array.from(this.#boxes.values(), ({ value }) => value!)
  }
}
