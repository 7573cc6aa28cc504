/** How each driver stands, for operators: whether it answers, and which machines of ours nobody answers for. */
import type { Clock } from '#platform/clock.js'
import type { Offers } from '../offers/offers.js'
import type { ComputePolicy } from '../policy.js'
import { withDeadline } from '../reconciler/perform.js'
import { findOrphans } from '../reconciler/sweep.js'
import type { SessionStore } from '../store/session-store.js'
import { faultOf, type DriverFault, type GpuDriver, type ObservedInstance } from './driver.js'

/** Whether a driver answers, and how it refuses if not. */
export const DriverHealth = { ANSWERING: 'answering', REFUSING: 'refusing', LIMITING: 'limiting', SILENT: 'silent' } as const
export type DriverHealth = (typeof DriverHealth)[keyof typeof DriverHealth]

export interface DriverState {
  readonly id: string
  readonly health: DriverHealth
  /** Epoch milliseconds until which nothing new is started on it; null when it may be used. */
  readonly circuitOpenUntil: number | null
  readonly offerCount: number
  /** Null while the driver does not say what exists. */
  readonly orphans: readonly ObservedInstance[] | null
}

export interface DriverStates {
  /** Asks every driver now. */
  list(): Promise<readonly DriverState[]>
}

export interface DriverStatesDeps {
  readonly drivers: ReadonlyMap<string, GpuDriver>
  readonly store: SessionStore
  readonly offers: Offers
  readonly clock: Clock
  readonly policy: ComputePolicy
  /** The installation's own, as soon as it is known. */
  readonly installId: () => Promise<string>
}

export function createDriverStates({ drivers, store, offers, clock, policy, installId }: DriverStatesDeps): DriverStates {
  const look = async (driver: GpuDriver, id: string): Promise<Pick<DriverState, 'health' | 'orphans'>> => {
    try {
      const ask = <T>(call: (signal: AbortSignal) => Promise<T>) => withDeadline(clock, policy.callTimeoutMs, call)
      return { health: 'answering', orphans: await findOrphans(driver, id, store, ask) }
    } catch (error) {
      return { health: HEALTH_AFTER[faultOf(error).kind] ?? 'silent', orphans: null }
    }
  }
  return {
    async list() {
      const [id, circuits, all] = await Promise.all([installId(), store.circuitsOpenAt(clock.now()), offers.list({})])
      return Promise.all(
        [...drivers.values()].map(async (driver) => ({
          id: driver.id,
          ...(await look(driver, id)),
          circuitOpenUntil: circuits.get(driver.id) ?? null,
          offerCount: all.filter(({ driverId }) => driverId === driver.id).length,
        })),
      )
    },
  }
}

const HEALTH_AFTER: Partial<Record<DriverFault['kind'], DriverHealth>> = { auth: 'refusing', rate_limited: 'limiting' }
