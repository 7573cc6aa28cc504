/**
 * Steps that hold the event loop, one after the other: after each the loop belongs to everybody else for twice as long.
 *
 * A small request needs several turns of the loop. Where twenty megabyte texts go from thread to thread at once, it would meet
 * one of their copies, of some 30 ms each on a slow machine, in every one of them.
 */
import { setTimeout as pause } from 'node:timers/promises'

export interface LoopTurns {
  /** What the step answers, when its turn has come; at once when nobody is before it. */
  take<Result>(step: () => Result): Promise<Result>
}

/** What holds the loop for less is no burden. */
const SHORT_MS = 2

const PAUSE_RATIO = 2

/** However slow a step was: who waits here must not wait for ever. */
const MAX_PAUSE_MS = 100

export function createLoopTurns(): LoopTurns {
  const waiting: (() => void)[] = []
  let isPausing = false

  function run(step: () => void): void {
    const began = performance.now()
    step()
    const tookMs = performance.now() - began
    if (tookMs >= SHORT_MS) void rest(Math.min(tookMs * PAUSE_RATIO, MAX_PAUSE_MS))
  }

  async function rest(ms: number): Promise<void> {
    isPausing = true
    await pause(ms)
    isPausing = false
    while (!isPausing && waiting.length > 0) run(waiting.shift()!)
  }

  return {
    take: (step) =>
      new Promise((resolve, reject) => {
        const settled = () => {
          try {
            resolve(step())
          } catch (error) {
            reject(error)
          }
        }
        if (isPausing || waiting.length > 0) waiting.push(settled)
        else run(settled)
      }),
  }
}
