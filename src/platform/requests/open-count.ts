/** Counts what is under way, for whoever must wait until nothing is. */

export interface OpenCount {
  add(): void
  remove(): void
  /** Resolves when nothing is under way: at once, or as soon as the last of it has ended. For one waiter at a time. */
  none(): Promise<void>
}

export function createOpenCount(): OpenCount {
  let count = 0
  let whenNone: (() => void) | null = null
  return {
    add() {
      count++
    },
    remove() {
      if (--count === 0) whenNone?.()
    },
    none: () => new Promise((resolve) => (count === 0 ? resolve() : (whenNone = resolve))),
  }
}
