/** Cold models: who starts their session, and how long that is likely to take. */
import type { Clock } from '#platform/clock.js'
import { AppError } from '#platform/errors.js'
import { offersFor } from '../offers/offer.js'
import type { Offers } from '../offers/offers.js'
import type { ComputePolicy } from '../policy.js'
import type { DeployRecipe, Payer } from '../ports.js'
import { deployingStatus, type DeployingStatus } from './deploying-status.js'
import type { Recipes } from './recipe.js'
import type { GpuSession } from '../sessions/session.js'
import type { Sessions } from '../sessions/sessions.js'
import type { SessionStore } from '../store/session-store.js'
import type { Waiters, WaitResult } from './waiters.js'

export type EnsureDeploymentResult =
  | ({ readonly kind: 'deploying' } & DeployingStatus)
  /** It serves already: resolve again. */
  | { readonly kind: 'ready' }
  /** Nobody knows how to deploy it. */
  | { readonly kind: 'not_deployable' }

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
}

export interface DeploymentsDeps {
  readonly store: SessionStore
  readonly sessions: Sessions
  readonly offers: Offers
  readonly recipes: Recipes
  readonly waiters: Waiters
  readonly clock: Clock
  readonly policy: ComputePolicy
  /** Resolves once this process can route to what any process has put up. */
  readonly routable: () => Promise<void>
}

const RECENT_STARTS = 20
const ENOUGH_STARTS = 5
export function createDeployments(deps: DeploymentsDeps): Deployments {
  const { store, sessions, offers, recipes, waiters, clock, policy, routable } = deps

  async function estimate(recipe: DeployRecipe, driverId: string, gpuModel: string): Promise<number> {
    const seconds = await store.startDurations({ driverId, gpuModel, modelId: recipe.modelId }, RECENT_STARTS)
    if (seconds.length < ENOUGH_STARTS) return offers.caps(driverId)?.startSeconds ?? recipe.estimatedDeploySeconds
    return Math.max(1, Math.ceil(percentile75(seconds)))
  }

  async function start(recipe: DeployRecipe, payer: Payer): Promise<EnsureDeploymentResult> {
    const need = { filter: { gpuModel: recipe.gpuModel }, gpuCount: recipe.gpuCount, totalVramGb: recipe.minVramGb }
    const [offer] = offersFor(await offers.available({}), need, () => false)
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

  const describe = (session: GpuSession, alreadyQueued: boolean): EnsureDeploymentResult =>
    session.phase === 'running'
      ? { kind: 'ready' }
      : { kind: 'deploying', ...deployingStatus(session, clock.now(), alreadyQueued, policy) }

  return {
    async ensure({ modelId, accountId, budgetIds }) {
      const live = await store.liveForModel(modelId)
      if (live) {
        await store.noteActivity(modelId, clock.now())
        const described = describe(live, true)
        if (described.kind === 'ready') await routable()
        return described
      }
      const recipe = await recipes.find(modelId)
      return recipe ? start(recipe, { accountId, budgetIds }) : { kind: 'not_deployable' }
    },
    waitUntilReady: (modelId, timeoutMs, signal) => waiters.wait(modelId, timeoutMs, signal),
  }
}

export function percentile75(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.75) - 1)] ?? 0
}
