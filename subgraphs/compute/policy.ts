/** Every number that decides how sessions are driven, with its default. */
import { DAY_MS } from '#platform/clock.js'
import { PRICE_TOLERANCE_PERCENT } from './offers/offer.js'

export interface ComputePolicy {
  /** A hold covers this much running time. */
  readonly holdSeconds: number
  /** A hold that nobody renewed for this long is closed by the ledger: the gateway was gone for good. */
  readonly holdExpiresAfterMs: number
  /** An expiry closer than this is renewed. */
  readonly holdRenewBeforeMs: number
  /** Below this much remaining hold, the hold is topped up. */
  readonly topUpBelowSeconds: number
  /** Below this much remaining hold without a possible top-up, the session ends as `credits_exhausted`. */
  readonly exhaustedBelowSeconds: number
  /** A model session with nothing in flight for this long goes back to cold. */
  readonly idleMs: number
  /** How long requests in flight may finish after the session was taken out of routing. The house pays for it. */
  readonly drainMs: number
  /** How often a running instance is looked at. */
  readonly observeMs: number
  /** After a silence of all servers, at most this much running time is taken from the wall clock, which may be wrong. */
  readonly maxSilenceMs: number
  /** An interrupted model session is started again when it was asked this recently. */
  readonly restartIfAskedWithinMs: number
  /** A failed offer is not taken again for this long. */
  readonly barMs: number
  readonly maxCreateFailures: number
  /** Consecutive failed probes of a running endpoint before it counts as interrupted. */
  readonly maxProbeFailures: number
  /** At create the price may have moved by this many percent. */
  readonly priceTolerancePercent: number
  readonly backoffBaseMs: number
  readonly backoffMaxMs: number
  /** A crashed process's session is taken over after this long. */
  readonly leaseMs: number
  /** How long others leave a machine's own instances to its servers after those were last heard of. */
  readonly homeLeaseMs: number
  /** How long a stop waits for the step that is under way; a create that it cuts off is found again by its label. */
  readonly stopMs: number
  /** The longest any driver call but create may take. */
  readonly callTimeoutMs: number
  readonly sweepMs: number
  /** A destroy that takes longer raises the alarm metric. */
  readonly destroyAlarmMs: number
  /** Consecutive failed calls to a provider that open its circuit. */
  readonly circuitFailures: number
  readonly circuitOpenMs: number
  /** How long fetched offers are served from memory. */
  readonly offerTtlMs: number
  readonly maxWaitersPerModel: number
  /** How many held requests go on at once when their model becomes ready. */
  readonly waiterReleaseBatch: number
  readonly waiterReleaseEveryMs: number
  readonly minRetryAfterSeconds: number
  readonly maxRetryAfterSeconds: number
  readonly idempotencyKeyMs: number
  /** How many due sessions one process drives at once. */
  readonly driveConcurrency: number
}

export const defaultPolicy: ComputePolicy = {
  holdSeconds: 600,
  holdExpiresAfterMs: 30 * DAY_MS,
  holdRenewBeforeMs: 29 * DAY_MS,
  topUpBelowSeconds: 120,
  exhaustedBelowSeconds: 45,
  idleMs: 15 * 60_000,
  drainMs: 30_000,
  observeMs: 15_000,
  maxSilenceMs: DAY_MS,
  restartIfAskedWithinMs: 5 * 60_000,
  barMs: 5 * 60_000,
  maxCreateFailures: 3,
  maxProbeFailures: 4,
  priceTolerancePercent: PRICE_TOLERANCE_PERCENT,
  backoffBaseMs: 5_000,
  backoffMaxMs: 300_000,
  leaseMs: 30_000,
  homeLeaseMs: 60_000,
  stopMs: 10_000,
  callTimeoutMs: 15_000,
  sweepMs: 5 * 60_000,
  destroyAlarmMs: 15 * 60_000,
  circuitFailures: 5,
  circuitOpenMs: 30_000,
  offerTtlMs: 60_000,
  maxWaitersPerModel: 32,
  waiterReleaseBatch: 8,
  waiterReleaseEveryMs: 200,
  minRetryAfterSeconds: 5,
  maxRetryAfterSeconds: 600,
  idempotencyKeyMs: DAY_MS,
  driveConcurrency: 16,
}
