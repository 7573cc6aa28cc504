/**
 * Requests that hold their connection until a cold model serves (`Prefer: wait=N`).
 *
 * They are bounded per model, and when the model becomes ready they go on in small batches, so that a new instance does not
 * meet all of them at once. What another process did is found by looking at the store once a second.
 */
import type { Clock } from '#platform/clock.js'
import type { ComputePolicy } from '../policy.js'

/** `full`: too many wait already, answer at once. `gone`: the request was ended, or this process stops. */
export type WaitResult = 'ready' | 'failed' | 'timeout' | 'full' | 'gone'
/** What a model can do for a chat request now. */
export type ModelState = 'ready' | 'deploying' | 'cold'

export interface Waiters {
  wait(modelId: string, timeoutMs: number, signal: AbortSignal): Promise<WaitResult>
  /** A session of this model changed: look now. */
  wake(modelId: string): void
  stop(): void
}

const LOOK_EVERY_MS = 1_000

interface Waiter {
  finish(result: WaitResult): void
}

export function createWaiters(state: (modelId: string) => Promise<ModelState>, clock: Clock, policy: ComputePolicy): Waiters {
  const groups = new Map<string, Set<Waiter>>()
  const looking = new Set<string>()
  const timers = new Map<string, () => void>()
  let isStopped = false

  async function look(modelId: string): Promise<void> {
    timers.get(modelId)?.()
    timers.delete(modelId)
    if (looking.has(modelId) || !groups.has(modelId)) return
    looking.add(modelId)
    const found = await state(modelId).catch(() => 'deploying' as const)
    looking.delete(modelId)
    if (found === 'cold') finishAll(modelId, 'failed')
    if (found === 'ready') release(modelId)
    else schedule(modelId, LOOK_EVERY_MS)
  }

  function schedule(modelId: string, delayMs: number): void {
    if (!groups.has(modelId) || timers.has(modelId)) return
    timers.set(
      modelId,
      clock.setTimeout(() => void look(modelId), delayMs),
    )
  }

  /** The first batch now; the rest after another look, because the session may be gone by then. */
  function release(modelId: string): void {
    const next = Array.from(groups.get(modelId) ?? []).slice(0, policy.waiterReleaseBatch)
    for (const waiter of next) waiter.finish('ready')
    schedule(modelId, policy.waiterReleaseEveryMs)
  }

  function finishAll(modelId: string, result: WaitResult): void {
    for (const waiter of groups.get(modelId) ?? []) waiter.finish(result)
  }

  function add(modelId: string, waiter: Waiter): void {
    const group = groups.get(modelId) ?? new Set()
    groups.set(modelId, group.add(waiter))
    void look(modelId)
  }

  function drop(modelId: string, waiter: Waiter): void {
    const group = groups.get(modelId)
    group?.delete(waiter)
    if (group?.size === 0) groups.delete(modelId)
  }

  return {
    wait(modelId, timeoutMs, signal) {
      if (signal.aborted || isStopped) return Promise.resolve('gone')
      if ((groups.get(modelId)?.size ?? 0) >= policy.maxWaitersPerModel) return Promise.resolve('full')
      return new Promise((resolve) => {
        const leave = () => waiter.finish('gone')
        const waiter: Waiter = {
          finish(result) {
            cancel()
            signal.removeEventListener('abort', leave)
            drop(modelId, waiter)
            resolve(result)
          },
        }
        const cancel = clock.setTimeout(() => waiter.finish('timeout'), timeoutMs)
        signal.addEventListener('abort', leave, { once: true })
        add(modelId, waiter)
      })
    },
    wake: (modelId) => void look(modelId),
    stop() {
      isStopped = true
      for (const modelId of Array.from(groups.keys())) finishAll(modelId, 'gone')
      for (const cancel of timers.values()) cancel()
    },
  }
}
