/**
 * One full collection of the heap after the start. Starting leaves as much garbage as the server then needs memory, and V8,
 * which collects when a program allocates, does not look at it while nobody asks anything.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from '#platform/clock.js'

/** A tenth of a second is noticed where requests come; so it waits until none is open, and looks again this often. */
const LOOK_MS = 250

/** @returns a function that calls it off. */
export function collectWhenIdle(requests: { readonly size: number }, clock: Clock, collect = collectHeap): () => void {
  let cancel = (): void => undefined
  const look = () => {
    cancel = clock.setTimeout(() => (requests.size === 0 ? collect() : look()), LOOK_MS)
  }
  look()
  return () => cancel()
}

/** Of this flavor it also gives the emptied pages back, which a plain collection keeps. */
function collectHeap(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
