/**
 * What compute needs from the other subgraphs, as small interfaces that it owns. The composition root supplies them.
 *
 * Every money verb names its hold, is idempotent, and works with cumulative amounts, so that a step that crashed half-way is
 * simply done again.
 */
import type { RefusedBudget } from '#platform/requests/refused-budget.js'
import type { NanoUsd } from '#platform/money.js'

/** How much an account has, in nano-USD. `available` respects the monthly cap. */
export interface Credits {
  readonly balance: NanoUsd
  readonly available: NanoUsd
}

export interface HoldState {
  readonly state: 'open' | 'closed'
  /** The most that this hold may capture. */
  readonly amount: NanoUsd
  /** The watermark, or the settled amount of a closed hold. */
  readonly captured: NanoUsd
  /** Those that the hold comes out of. */
  readonly budgetIds?: readonly string[] | undefined
}

/** Whose money a session is, and the budgets within it that it comes out of, if any. */
export interface Payer {
  readonly accountId: string
  readonly budgetIds?: readonly string[] | undefined
}

export type ReserveResult =
  | { readonly outcome: 'reserved' }
  /** This id named a hold that is over: the session must not start. */
  | { readonly outcome: 'closed' }
  /** `reason` tells an exhausted balance from a reached monthly cap. */
  | { readonly outcome: 'insufficient'; readonly credits: Credits; readonly reason: 'balance' | 'monthly_cap' }
  | { readonly outcome: 'insufficient'; readonly credits: Credits; readonly reason: 'budget'; readonly budget: RefusedBudget }

/** Holds of GPU sessions. One hold per session; `holdId` is the session's id. */
export interface LedgerPort {
  /** Places a hold. The same `holdId` again answers `reserved` without a second hold. A closed hold is never reopened. */
  reserve(request: Payer & { holdId: string; amount: NanoUsd; expiresAt: number }): Promise<ReserveResult>
  /**
   * Raises an open hold to `toAmount` in total (never lowers it) and its expiry to `expiresAt`. `closed` when the hold is settled
   * or unknown.
   */
  extend(request: { holdId: string; toAmount: NanoUsd; expiresAt: number }): Promise<'extended' | 'insufficient' | 'closed'>
  /** Charges what the hold has cost so far in total; never less than before. No effect on a closed hold. */
  capture(holdId: string, total: NanoUsd): Promise<void>
  /** Notes what the hold has cost so far, without charging; may fall. Charged if the hold expires. No effect on a closed hold. */
  meter(holdId: string, total: NanoUsd): Promise<void>
  /** Charges `amount` in total (at most the hold), frees the rest, closes the hold; answers what was charged. Again: the same. */
  settle(holdId: string, amount: NanoUsd): Promise<NanoUsd>
  /** Frees what was not captured and closes the hold; answers what was charged. No effect on a closed or unknown hold. */
  release(holdId: string): Promise<NanoUsd>
  /** The holds that exist, by id. */
  read(holdIds: readonly string[]): Promise<ReadonlyMap<string, HoldState>>
  credits(accountId: string): Promise<Credits>
}

export interface AccountLimits {
  readonly maxConcurrentSessions: number | null
  /** Nano-USD per hour over all live sessions. */
  readonly maxHourlySpend: NanoUsd | null
}

export interface AccountsPort {
  limits(accountId: string): Promise<AccountLimits>
}

/** How a model is put on a GPU. */
export interface DeployRecipe {
  readonly modelId: string
  /** Preferred GPU; null takes the cheapest with enough memory. */
  readonly gpuModel: string | null
  readonly gpuCount: number
  /** Over all GPUs together, gigabytes. */
  readonly minVramGb: number
  readonly estimatedDeploySeconds: number
  /** Serving image for drivers that run images; null takes the driver's default. */
  readonly image: string | null
}

/** A running session as a place that can answer chat requests. */
export interface SessionEndpoint {
  readonly sessionId: string
  readonly modelId: string
  /** Ends in /v1. */
  readonly baseUrl: string
  /** Bearer key that only this instance accepts. */
  readonly apiKey: string
  /** The opaque routing id, as in the model's `providers`. */
  readonly providerId: string
  readonly region: string
  /** Private to the renter, or null when every account may be routed to it. */
  readonly accountId: string | null
}

export interface CatalogPort {
  /** Whether there is such a model, however it is served. */
  has(modelId: string): Promise<boolean>
  /** The operator's own recipe for a model, null when there is none. Shipped recipes are compute's own. */
  recipe(modelId: string): Promise<DeployRecipe | null>
  /** Operator's recipes, to list cold models. */
  recipes(): Promise<readonly DeployRecipe[]>
  /** Makes an endpoint routable. Called again for the same session: no effect. */
  announce(endpoint: SessionEndpoint): Promise<void>
  /** Takes it out of routing. Unknown sessions: no effect. */
  withdraw(sessionId: string): Promise<void>
}

export interface TokenRevenuePort {
  /** What callers were billed for tokens served by this session, nano-USD. */
  billedTokens(sessionId: string): Promise<NanoUsd>
}
