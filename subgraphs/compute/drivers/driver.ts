/**
 * A driver is one way to get a GPU: a cloud's API, the operator's own machine, or the sandbox.
 *
 * Drivers are thin and stateless: they translate six verbs and never decide. What they do not know for certain they say
 * (`in_doubt`); the reconciler finds out. A shared contract suite (test/compute/drivers/driver-contract.ts) holds for every driver.
 */
import type { NanoUsd } from '#platform/money.js'
import type { Offer, OfferFilter } from '../offers/offer.js'

export interface DriverCaps {
  readonly spot: boolean
  /** Whether a spot price is bid by us rather than fixed by the provider. */
  readonly bid: boolean
  readonly image: boolean
  readonly ssh: boolean
  /** `unique-name`: the provider refuses a second instance of one label. `label`: it does not. */
  readonly createKey: 'unique-name' | 'label'
  /** A create that was not answered after this long may still have happened. */
  readonly createTimeoutMs: number
  /** How long an instance may be missing from `list` after it was created. */
  readonly listLagMs: number
  /** From create to a serving instance; longer is a failure. */
  readonly provisionTimeoutMs: number
  /** How long a start takes, where the driver decides that itself; elsewhere experience or the recipe tells. */
  readonly startSeconds?: number
  /** How often a booting instance is looked at. */
  readonly pollMs: number
  /** Whether the provider bills us while the instance boots. Callers are never billed for boot time. */
  readonly billsBoot: boolean
}

export interface InstanceSpec {
  /** `slu-<install>-<session>-<attempt>`: how the instance is found again. */
  readonly label: string
  readonly offer: Offer
  readonly gpuCount: number
  /** The price agreed with the caller: the bid on spot markets, the ceiling everywhere. */
  readonly pricePerGpuHour: NanoUsd
  readonly modelId: string | null
  /** The key that the served endpoint must demand. */
  readonly endpointKey: string
  readonly dockerImage: string | null
  readonly sshKey: string | null
  /** A fine-tuned variant: drivers pass it to the serving command (adapters on, weights from the given repository). */
  readonly fineTuned: boolean
}

export interface ObservedInstance {
  readonly instanceId: string
  readonly label: string
  /** `ended`: the provider stopped it (interrupted, exited, out of bid). It may still exist and need a destroy. */
  readonly status: 'provisioning' | 'running' | 'ended'
  /** Base URL of the served API, ending in /v1, once known. */
  readonly endpointUrl: string | null
  readonly sshHost: string | null
  readonly sshPort: number | null
}

/** Why a driver call did not do what was asked. Anything else that a driver throws is treated as `in_doubt`. */
export type DriverFault =
  /** Nothing was created: no capacity for this offer now. */
  | { readonly kind: 'capacity' }
  /** Nothing was created: the price is now above the agreed one. */
  | { readonly kind: 'price_moved' }
  /** Nothing was created: the provider will never accept this spec. */
  | { readonly kind: 'invalid' }
  /** Nothing was created: our credentials are refused. */
  | { readonly kind: 'auth' }
  /** Nothing was done; ask again after `retryAfterMs`. */
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number }
  /** It may or may not have happened. */
  | { readonly kind: 'in_doubt' }
  /** It failed, yet something exists that must be destroyed. */
  | { readonly kind: 'failed'; readonly createdId: string }

export class DriverError extends Error {
  override readonly name = 'DriverError'
  constructor(
    readonly fault: DriverFault,
    /** For the log: never shown to callers. */
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options)
  }
}

export interface GpuDriver {
  readonly id: string
  readonly caps: DriverCaps
  /** Offers as they are now. Filters are hints: the caller filters again. */
  listOffers(filter: OfferFilter, signal: AbortSignal): Promise<readonly Offer[]>
  /** @throws DriverError */
  create(spec: InstanceSpec, signal: AbortSignal): Promise<{ readonly instanceId: string }>
  /** Null only when the provider says that it does not exist. @throws DriverError */
  get(instanceId: string, signal: AbortSignal): Promise<ObservedInstance | null>
  /** Instances whose label starts with the prefix, and no others. @throws DriverError */
  list(labelPrefix: string, signal: AbortSignal): Promise<readonly ObservedInstance[]>
  /** `gone`: it does not exist any more. `pending`: accepted, or refused for now; ask again. @throws DriverError */
  destroy(instanceId: string, signal: AbortSignal): Promise<'gone' | 'pending'>
  /**
   * For instances that are processes of a machine: names the place where this process finds them. Who has another home cannot
   * see them, and must not take that for their end. Left out: they are reached from everywhere.
   */
  home?(): Promise<string>
  /** Frees what the driver itself holds (connections, child processes of the sandbox). */
  close?(): Promise<void>
}

/** What a failed call means for whether something now exists. */
export function faultOf(error: unknown): DriverFault {
  return error instanceof DriverError ? error.fault : { kind: 'in_doubt' }
}

/** Labels are lower-case letters, digits and dashes, at most 41 characters: every provider accepts them as names. */
export const labelPrefix = (installId: string): string => `slu-${installId}-`

export const instanceLabel = (installId: string, sessionId: string, attempt: number): string =>
  `${labelPrefix(installId)}${sessionId.slice(sessionId.indexOf('_') + 1)}-${attempt}`

const LABEL = /^slu-[0-9a-z]+-([0-9a-z]+)-(\d+)$/

/** The session key (an id without its prefix) and attempt of a label of ours; null for any other name. */
export function parseLabel(label: string): { sessionKey: string; attempt: number } | null {
  const match = LABEL.exec(label)
  return match ? { sessionKey: match[1] ?? '', attempt: Number(match[2]) } : null
}
