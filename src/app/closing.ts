/** What was opened, to be closed in the opposite order, and within a time that a stop may take. */

/** How long an end may take after the last request. What still waits then waits for a database that stands still. */
const CLOSE_MS = 4_000
/** Each part's share, however long the others took. */
const LEAST_MS = 250

type Close = () => Promise<void> | void

export interface Closing {
  /** Closed before everything that was added earlier. */
  add(close: Close): void
  /** A second call finds nothing left to close. */
  closeAll(): Promise<void>
}

export function createClosing(): Closing {
  const opened: Close[] = []
  return {
    add: (close) => void opened.push(close),
    async closeAll() {
      const giveUpAt = performance.now() + CLOSE_MS
      for (const close of opened.splice(0).toReversed()) await within(Math.max(LEAST_MS, giveUpAt - performance.now()), close())
    },
  }
}

/** Waits for `closed`, but no longer than `ms`. */
async function within(ms: number, closed: Promise<void> | void): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([closed, new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
