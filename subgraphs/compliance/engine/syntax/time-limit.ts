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

/** `untilMs` is an absolute time of `performance.now()`, `workMs` is processor time from now on. */
export function timeLimit(untilMs: number, workMs: number): TimeLimit {
  const end = workedMs() + workMs
  return { isOver: () => performance.now() > untilMs || workedMs() > end }
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
