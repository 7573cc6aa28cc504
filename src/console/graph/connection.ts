/**
 * Whether the server is reached, and when more of it is heard of. What follows it reports here; the notice listens, and what reads
 * and has to read again.
 */

type Listener = () => void

const broken = new Set<symbol>()
const listeners = new Set<Listener>()
const openingListeners = new Set<Listener>()

/** Subscriptions that a page opens together count as one. */
const TOGETHER_MS = 50
let opening: ReturnType<typeof setTimeout> | undefined

function tell(): void {
  for (const listener of listeners) listener()
}

function tellOfOpening(): void {
  opening = undefined
  for (const listener of openingListeners) listener()
}

export const connection = {
  isLost: (): boolean => broken.size > 0,
  subscribe(listener: Listener): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  breaks(stream: symbol): void {
    if (broken.has(stream)) return
    broken.add(stream)
    tell()
  },
  holds(stream: symbol): void {
    if (broken.delete(stream)) tell()
  },
  /** A stream is open, at first or again: from here on its events come. What happened before was told to nobody. */
  opens(): void {
    opening ??= setTimeout(tellOfOpening, TOGETHER_MS)
  },
  /** Whoever has read something reads it again then. */
  onOpening(listener: Listener): () => void {
    openingListeners.add(listener)
    return () => void openingListeners.delete(listener)
  },
}
