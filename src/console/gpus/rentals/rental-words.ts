/** How it stands with a rental, in words. */
import type { RentalFieldsFragment, SessionPhase, TerminationReason } from '../../../generated/console-gpus.js'
import { duration } from '../../format/numbers.js'
import { SESSION_PHASES } from '../../format/session-phase.js'

export type Rental = RentalFieldsFragment

export const isLive = ({ status }: Pick<Rental, 'status'>): boolean => status !== 'TERMINATED'

export const PHASES: Readonly<Record<SessionPhase, string>> = { ...SESSION_PHASES, RUNNING: 'Running, and billed by the second' }

export const REASONS: Readonly<Record<TerminationReason, string>> = {
  USER: 'ended by you',
  CREDITS_EXHAUSTED: 'the credits were used up',
  FAILED: 'the provider failed to make it; nothing was charged',
  IDLE: 'nobody asked the model',
  INTERRUPTED: 'the provider took it away',
  NOT_STARTED: 'the request was not completed; nothing was charged',
  NO_CAPACITY: 'no provider had the GPU; nothing was charged',
  OFFER_UNAVAILABLE: 'the price had risen; nothing was charged',
  TIMEOUT: 'it was not usable in time; nothing was charged',
  UNHEALTHY: 'its model stopped answering',
}

/** "2 × H100", "L4". */
export const gpus = ({ gpuCount, gpuModel }: Pick<Rental, 'gpuCount' | 'gpuModel'>): string =>
  gpuCount === 1 ? gpuModel : `${gpuCount} × ${gpuModel}`

/** What it is called: by its renter, else by what it is for. */
export const nameOf = (rental: Rental): string => rental.label ?? rental.modelId ?? rental.dockerImage ?? gpus(rental)

/** "Spot, 15% in 30 days"; the rest is not taken away. */
export const kindOf = ({ spot, interruptionProbability }: Pick<Rental, 'spot' | 'interruptionProbability'>): string =>
  spot ? `Spot, ${percent(interruptionProbability)} in 30 days` : 'On demand'

export const percent = (share: number): string => `${Math.round(share * 100)}%`

/** How long it ran, or has run until now; null while it has not. */
export function runningMs({ startedAt, terminatedAt }: Pick<Rental, 'startedAt' | 'terminatedAt'>, now: number): number | null {
  if (startedAt === null) return null
  return Math.max(0, (terminatedAt === null ? now : Date.parse(terminatedAt)) - Date.parse(startedAt))
}

/** "42 s", "12 min", "3 h 05 min". */
export function longDuration(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return `${Math.floor(ms / 1000)} s`
  return minutes < 60 ? duration(minutes * 60_000) : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}
