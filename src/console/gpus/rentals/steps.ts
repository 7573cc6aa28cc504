/** The steps of a rental, from the events that tell of them. */
import type { GpusHistorySubscription, SessionPhase, TerminationReason } from '../../../generated/console-gpus.js'

/** For its owner a rental has ended while its machine is still being removed. */
export type StepName = SessionPhase | 'ENDED'

export interface Step {
  /** Null for the present state, which follows no event. */
  readonly sequence: number | null
  readonly at: string | null
  readonly name: StepName
  readonly reason: TerminationReason | null
}

type Event = GpusHistorySubscription['rentalStatus']

/**
 * Events come once more when the connection was lost. A rental that another offer has to be found for passes a phase twice;
 * two events of one step in a row are one, of which the later one may know why it ended.
 */
export function withEvent(steps: readonly Step[], event: Event): readonly Step[] {
  const { sequence, changedAt: at, status, phase, terminationReason: reason } = event
  if (sequence !== null && steps.some((step) => step.sequence !== null && step.sequence >= sequence)) return steps
  const name = status === 'TERMINATED' ? 'ENDED' : phase
  const last = steps.at(-1)
  if (last?.name === name) return [...steps.slice(0, -1), { ...last, reason: reason ?? last.reason }]
  return [...steps, { sequence, at, name, reason }]
}
