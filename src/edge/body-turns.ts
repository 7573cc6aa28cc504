/**
 * Large bodies read by turns: between two looks of the event loop at everything else a few of them are read by one chunk each.
 *
 * Node empties every socket that has something, up to megabytes of each. Twenty senders of megabytes would keep the loop for a
 * fifth of a second, in steps between which a small request advances by one of its own.
 */
import type { IncomingMessage } from 'node:http'

export interface BodyTurns {
  /** Called before and after each chunk of a large body: pauses the request until its turn has come. */
  wait(request: IncomingMessage): void
}

/** A third of a millisecond. So 250 MB are read in ten seconds even where each turn takes ten milliseconds. */
const AT_ONCE = 4

export function createBodyTurns(): BodyTurns {
  const waiting: IncomingMessage[] = []
  const next = () => {
    for (const request of waiting.splice(0, AT_ONCE)) request.resume()
    if (waiting.length > 0) setImmediate(next)
  }
  return {
    wait(request) {
      request.pause()
      waiting.push(request)
      if (waiting.length === 1) setImmediate(next)
    },
  }
}
