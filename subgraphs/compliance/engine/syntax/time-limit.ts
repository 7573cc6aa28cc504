/**
 * How long a stage of one file may work.
 *
 * Counted in processor time of the thread, so that a busy machine cuts off nobody's file, with the wall clock as a second bound.
 */

export interface TimeLimit {
  isOver(): boolean
}

/** For stages that nothing bounds: tools of developers and tests. */
export const noLimit: TimeLimit = { isOver: () => false }

/**
 * `untilMs` is an absolute time of `performance.now()`, `workMs` is processor time from now on.
 *
 * Parsers ask some hundred thousand times a megabyte, and the processor clock costs more than what they do in between. A thread
 * works no longer than the wall clock goes on, so that clock is asked only when what was left of the work may be used up.
 */
export function timeLimit(untilMs: number, workMs: number): TimeLimit {
  const end = workedMs() + workMs
  let lookAgainAt = performance.now() + workMs
  return {
    isOver() {
      const now = performance.now()
      if (now > untilMs) return true
      if (now < lookAgainAt) return false
      const left = end - workedMs()
      lookAgainAt = now + left
      return left < 0
    },
  }
}

/** Processor time of this thread, in milliseconds. */
export function workedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** The file needs more than a file of its size may. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'
}
