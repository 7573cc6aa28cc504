/**
 * Ends the open requests of keys that have ended. A key is judged when its request arrives; a stream or a subscription may
 * outlive that by hours, so the keys of what is open are judged again: at once when any process announces a change, and every
 * few seconds for keys that expire and announcements that were lost.
 */
import type { Clock } from '#platform/clock.js'
import { authenticationError } from '#platform/requests/context.js'
import type { OpenRequests } from '#platform/requests/open-requests.js'
import type { Keys } from '../../subgraphs/accounts/index.js'

export interface KeyWatchOptions {
  readonly keys: Pick<Keys, 'ended' | 'onChange'>
  readonly requests: OpenRequests
  readonly clock: Clock
}

/** Together with a slow database still within the 5 s in which a revoked key is refused everywhere. */
const LOOK_EVERY_MS = 2_000

/** Watches until the returned function is called. */
export function watchKeys({ keys, requests, clock }: KeyWatchOptions): () => void {
  let isLooking = false
  let mustLookAgain = false
  let cancelTimer = () => undefined as void

  async function look(): Promise<void> {
    if (isLooking) {
      mustLookAgain = true
      return
    }
    isLooking = true
    do {
      mustLookAgain = false
      const open = [...requests.keyIds()]
      // A database that cannot be asked proves nothing against a key; the next look asks again.
      const ended = open.length === 0 ? [] : await keys.ended(open).catch(() => [])
      for (const keyId of ended) requests.endThoseOf(keyId, authenticationError())
    } while (mustLookAgain)
    isLooking = false
  }

  function schedule(): void {
    cancelTimer = clock.setTimeout(() => {
      void look()
      schedule()
    }, LOOK_EVERY_MS)
  }

  const stopListening = keys.onChange(() => void look())
  schedule()
  return () => {
    stopListening()
    cancelTimer()
  }
}
