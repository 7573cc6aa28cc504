/**
 * Beginning and ending sessions: the two moments at which money is decided.
 *
 * The ledger commits on its own connection, so a session and its hold cannot share a transaction. Instead the record comes first,
 * as `reserving`; then the hold under the session's id; then the record becomes `open`. No machine is asked for before that.
 * A process that dies in between leaves a `reserving` record, which the reconciler ends and whose hold it frees.
 */
import type { Clock } from '#platform/clock.js'
import type { GpuDriver } from '../drivers/driver.js'
import type { Offer } from '../offers/offer.js'
import type { ComputePolicy } from '../policy.js'
import type { AccountsPort, LedgerPort, Payer, TokenRevenuePort } from '../ports.js'
import type { SessionStore } from '../store/session-store.js'
import type { AliveTime } from './alive-time.js'
import type { GpuSession, TerminationReason } from './session.js'

export interface SessionsDeps {
  readonly store: SessionStore
  readonly ledger: LedgerPort
  readonly accounts: AccountsPort
  readonly revenue: TokenRevenuePort
  readonly drivers: ReadonlyMap<string, GpuDriver>
  readonly clock: Clock
  readonly aliveTime: AliveTime
  readonly policy: ComputePolicy
  /** Something is due now. */
  readonly kick: () => void
  readonly onChange: (session: GpuSession) => void
}

/** What every request says of its session. */
type Asked = 'purpose' | 'modelId' | 'dockerImage' | 'fineTuned' | 'anyProvider' | 'anyRegion' | 'estimatedReadySeconds'

/** Columns that a request fills in; of the others, those that may be null begin as null. */
export interface NewSession extends Pick<GpuSession, Asked>, Partial<Omit<GpuSession, Asked>> {
  readonly payer: Payer
  readonly offer: Offer
  readonly gpuCount: number
}

export interface Sessions {
  /**
   * Places the hold and starts the session.
   *
   * @throws AppError 402 `insufficient_credits` (balance, cap of the account or the key, or hourly limit), 409 `conflict` (too many sessions)
   */
  open(request: NewSession): Promise<{ session: GpuSession; isNew: boolean }>
  /** Ends a session now: billed through the last sign of life, hold closed. Again: the same answer. */
  end(session: GpuSession, reason: TerminationReason): Promise<GpuSession>
}
