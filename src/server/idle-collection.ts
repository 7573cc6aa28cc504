/**
 * One full collection of the heap after the start. Starting leaves as much garbage as the server then needs memory, and V8,
 * which collects when a program allocates, does not look at it while nobody asks anything.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from '#platform/clock.js'
import type { OpenRequests } from '#platform/requests/open-requests.js'

/** A tenth of a second is noticed where requests come; so it waits until none is open and none has come for as long. */
const LOOK_MS = 100

/** Whoever has answered requests for that long has collected the start's garbage with theirs, and has a heap that takes longer. */
const START_MS = 10_000

/** After so many requests V8 has compiled their way, and a full collection that meets none of them open throws the code away. */
const WARM_REQUESTS = 500

/** @returns a function that calls it off. */
export function collectWhenIdle(
  requests: Pick<OpenRequests, 'size' | 'opened'>,
  clock: Clock,
  collect = collectHeap,
): () => void {
  let cancel = (): void => undefined
  const end = clock.monotonic() + START_MS
  const warm = requests.opened + WARM_REQUESTS
  const look = () => {
    const { opened } = requests
    const isQuiet = () => requests.size === 0 && requests.opened === opened
    cancel = clock.setTimeout(() => {
      if (requests.opened >= warm) return
      if (isQuiet()) collect()
      else if (clock.monotonic() < end) look()
    }, LOOK_MS)
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
