/**
 * Whether a subgraph in another process lives, found out while calls to it wait.
 *
 * A long silence is no proof: a chat completion that is not streamed is silent until its end. So a subgraph that has said
 * nothing for a while is asked for the smallest answer there is, and its calls are given up only when that does not come either.
 * While nothing waits, nothing is asked.
 */
import type { Clock } from '#platform/clock.js'

export interface Pulse {
  /** A call begins; its signal aborts when the subgraph is found dead, or with `abort`. Call `end` when it is over. */
  begin(): { readonly signal: AbortSignal; abort(): void; end(): void }
  /** The subgraph has said something. */
  heard(): void
  close(): void
}

export interface PulseOptions {
  readonly silenceMs: number
  readonly clock: Clock
  /** Asks for the smallest answer; false when there was none in time. */
  readonly isAnswering: () => Promise<boolean>
}

export function createPulse({ silenceMs, clock, isAnswering }: PulseOptions): Pulse {
  const waiting = new Set<AbortController>()
  let heardAt = clock.now()
  let cancel: (() => void) | null = null
  let isChecking = false

  const arm = (): void => {
    if (!cancel && !isChecking && waiting.size > 0) cancel = clock.setTimeout(() => void check(), silenceMs)
  }
  async function check(): Promise<void> {
    cancel = null
    isChecking = true
    if (waiting.size > 0 && clock.now() - heardAt >= silenceMs) {
      if (await isAnswering()) heardAt = clock.now()
      else for (const call of waiting) call.abort()
    }
    isChecking = false
    arm()
  }

  return {
    begin() {
      const call = new AbortController()
      waiting.add(call)
      arm()
      return { signal: call.signal, abort: () => call.abort(), end: () => void waiting.delete(call) }
    },
    heard() {
      heardAt = clock.now()
    },
    close() {
      cancel?.()
      waiting.clear()
    },
  }
}
