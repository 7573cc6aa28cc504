/** Availability is derived from deployments, prices and sessions at the moment of asking, and never stored. */
import type { SessionState } from '../ports.js'
import type { DeployRecipe } from '../records.js'
import type { Resolution } from '../deployments/routing-table.js'

/** The contract's four states. */
export const Availability = {
  INSTANT: 'instant',
  DEPLOYING: 'deploying',
  COLD: 'cold',
  PRICING_PENDING: 'pricing_pending',
} as const
export type Availability = (typeof Availability)[keyof typeof Availability]

export interface ModelAvailability {
  readonly state: Availability
  /** Routing identifiers, ordered; only for instant models. */
  readonly providers: readonly string[] | null
  /** Only for deploying models. */
  readonly estimatedDeploySeconds: number | null
  /** Nano-USD; only for deploying models. */
  readonly estimatedCostPerHour: bigint | null
}

/** null when nothing can serve the model: it is then not part of the catalogue that callers see. */
export function deriveAvailability(
  resolution: Resolution,
  session: SessionState,
  recipe: DeployRecipe | null,
): ModelAvailability | null {
  if (resolution.kind === 'candidates') {
    const routable = resolution.models.flatMap(({ deployments }) => deployments.filter(({ price }) => price !== null))
    const providers = [...new Set(routable.map(({ providerId }) => providerId))].sort()
    return { state: 'instant', providers, estimatedDeploySeconds: null, estimatedCostPerHour: null }
  }
  if (session.state === 'deploying') {
    return {
      state: 'deploying',
      providers: null,
      estimatedDeploySeconds: session.estimatedDeploySeconds ?? recipe?.estimatedDeploySeconds ?? 300,
      estimatedCostPerHour: session.estimatedCostPerHour ?? recipe?.priceHint ?? 0n,
    }
  }
  if (resolution.kind === 'unknown') return null
  return { state: resolution.kind, providers: null, estimatedDeploySeconds: null, estimatedCostPerHour: null }
}
