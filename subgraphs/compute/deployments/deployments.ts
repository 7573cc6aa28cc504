/** Cold models: who starts their session, what callers are told meanwhile, and how long it is likely to take. */
import type { Clock } from '#platform/clock.js'
import { AppError } from '#platform/errors.js'
import type { NanoUsd } from '#platform/money.js'
import { offersFor } from '../offers/offer.js'
import type { Offers } from '../offers/offers.js'
import type { ComputePolicy } from '../policy.js'
import type { DeployRecipe, Payer } from '../ports.js'
import type { Recipes } from './recipe.js'
import { type GpuSession, sessionHourlyPrice } from '../sessions/session.js'
import type { Sessions } from '../sessions/sessions.js'
import type { SessionStore } from '../sessions/session-store.js'
import type { Waiters, WaitResult } from './waiters.js'

/** The contract's 202 body, in our own case. */
export interface DeployingStatus {
  readonly status: 'deploying'
  readonly message: string
  readonly model: string
  readonly type: 'model_deploying'
  readonly estimatedReadySeconds: number
  readonly alreadyQueued: boolean
  readonly deploymentStatus: 'requested' | 'provisioning' | 'loading'
  /** A routing id. */
  readonly deploymentProvider: string
  /** For the Retry-After header: the estimate, within 5 to 600 seconds. */
  readonly retryAfterSeconds: number
}

export type EnsureDeploymentResult =
  | ({ readonly kind: 'deploying' } & DeployingStatus)
  /** It serves already: resolve again. */
  | { readonly kind: 'ready' }
  /** Nobody knows how to deploy it. */
  | { readonly kind: 'not_deployable' }

/** What the model list shows of a model that compute can serve. */
export interface DeploymentState {
  readonly modelId: string
  readonly availability: 'instant' | 'deploying' | 'cold'
  /** Seconds until it serves: what is left for `deploying`, the whole estimate for `cold`. */
  readonly estimatedDeploySeconds: number | null
  /** Nano-USD of the whole session; for a cold model of the cheapest offer now, null when there is none. */
  readonly estimatedCostPerHour: NanoUsd | null
  readonly sessionId: string | null
}

export interface Deployments {
  /**
   * Starts or joins the deployment of a cold model.
   *
   * @throws AppError 402 `insufficient_credits` with the live balance and the amount needed, 409 `conflict` at the account's
   * session limit, 502 `upstream_error` when no provider has a GPU for it now
   */
  ensure(request: Payer & { modelId: string }): Promise<EnsureDeploymentResult>
  /** Resolves `ready` when the model serves, or why not. At most 32 wait per model. */
  waitUntilReady(modelId: string, timeoutMs: number, signal: AbortSignal): Promise<WaitResult>
  /** How a model stands that is deployable or being deployed; null for any other. */
  state(modelId: string): Promise<DeploymentState | null>
}

export interface DeploymentsDeps {
  readonly store: SessionStore
  readonly sessions: Sessions
  readonly offers: Offers
  readonly recipes: Recipes
  readonly waiters: Waiters
  readonly clock: Clock
  readonly policy: ComputePolicy
}

const RECENT_STARTS = 20
const ENOUGH_STARTS = 5
/** An overdue deployment is still promised this share of its estimate, so that callers do not hammer. */
const OVERDUE_SHARE = 0.1

export function createDeployments(deps: DeploymentsDeps): Deployments {
  const { store, sessions, offers, recipes, waiters, clock, policy } = deps

  async function estimate(recipe: DeployRecipe, driverId: string, gpuModel: string): Promise<number> {
    const seconds = await store.startDurations({ driverId, gpuModel, modelId: recipe.modelId }, RECENT_STARTS)
    if (seconds.length < ENOUGH_STARTS) return offers.caps(driverId)?.startSeconds ?? recipe.estimatedDeploySeconds
    return Math.max(1, Math.ceil(percentile75(seconds)))
  }

  const offersOf = async (recipe: DeployRecipe) =>
    offersFor(
      await offers.available({}),
      { filter: { gpuModel: recipe.gpuModel }, gpuCount: recipe.gpuCount, totalVramGb: recipe.minVramGb },
      () => false,
    )

  async function start(recipe: DeployRecipe, payer: Payer): Promise<EnsureDeploymentResult> {
    const [offer] = await offersOf(recipe)
    if (!offer) {
      const message = `No GPU is available for the model "${recipe.modelId}" right now. Try again in a few minutes.`
      throw new AppError('upstream_error', message, { retryAfterSeconds: policy.barMs / 1000 })
    }
    const { session, isNew } = await sessions.open({
      purpose: 'model',
      payer,
      modelId: recipe.modelId,
      offer,
      gpuCount: recipe.gpuCount,
      anyProvider: true,
      anyRegion: true,
      dockerImage: recipe.image,
      fineTuned: false,
      estimatedReadySeconds: await estimate(recipe, offer.driverId, offer.gpuModel),
    })
    return describe(session, !isNew)
  }

  function describe(session: GpuSession, alreadyQueued: boolean): EnsureDeploymentResult {
    if (session.phase === 'running') return { kind: 'ready' }
    const seconds = remainingSeconds(session, clock.now())
    const model = session.modelId ?? ''
    return {
      kind: 'deploying',
      status: 'deploying',
      type: 'model_deploying',
      model,
      message: `The model "${model}" is being deployed on a GPU. Try again in about ${seconds} seconds.`,
      estimatedReadySeconds: seconds,
      alreadyQueued,
      deploymentStatus: deploymentStatus(session),
      deploymentProvider: session.providerId,
      retryAfterSeconds: Math.min(policy.maxRetryAfterSeconds, Math.max(policy.minRetryAfterSeconds, seconds)),
    }
  }

  async function coldState(recipe: DeployRecipe): Promise<DeploymentState> {
    const [offer] = await offersOf(recipe)
    const cost = offer
      ? sessionHourlyPrice({ ...offer, gpuCount: Math.ceil(recipe.gpuCount / offer.gpuCount) * offer.gpuCount })
      : null
    return {
      modelId: recipe.modelId,
      availability: 'cold',
      estimatedDeploySeconds: offer ? await estimate(recipe, offer.driverId, offer.gpuModel) : recipe.estimatedDeploySeconds,
      estimatedCostPerHour: cost,
      sessionId: null,
    }
  }

  const liveState = (session: GpuSession): DeploymentState => ({
    modelId: session.modelId ?? '',
    availability: session.phase === 'running' ? 'instant' : 'deploying',
    estimatedDeploySeconds: session.phase === 'running' ? null : remainingSeconds(session, clock.now()),
    estimatedCostPerHour: sessionHourlyPrice(session),
    sessionId: session.id,
  })

  return {
    async ensure({ modelId, accountId, budgetId }) {
      const live = await store.liveForModel(modelId)
      if (live) {
        await store.noteActivity(modelId, clock.now())
        return describe(live, true)
      }
      const recipe = await recipes.find(modelId)
      return recipe ? start(recipe, { accountId, budgetId }) : { kind: 'not_deployable' }
    },
    waitUntilReady: (modelId, timeoutMs, signal) => waiters.wait(modelId, timeoutMs, signal),
    async state(modelId) {
      const live = await store.liveForModel(modelId)
      if (live) return liveState(live)
      const recipe = await recipes.find(modelId)
      return recipe ? coldState(recipe) : null
    },
  }
}

function deploymentStatus(session: GpuSession): DeployingStatus['deploymentStatus'] {
  if (session.phase === 'requested') return 'requested'
  return session.phase === 'loading' ? 'loading' : 'provisioning'
}

/** Whole seconds until the session probably serves, at least 1. */
export function remainingSeconds(session: GpuSession, now: number): number {
  const elapsed = (now - session.createdAt) / 1000
  return Math.max(1, Math.ceil(Math.max(session.estimatedReadySeconds - elapsed, session.estimatedReadySeconds * OVERDUE_SHARE)))
}

export function percentile75(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.75) - 1)] ?? 0
}
