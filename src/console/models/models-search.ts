/** What of the models is in the address: the filter, the order, and which are compared. */
import type { Availability, Tier } from '../../generated/console-models.js'

export interface ModelsSearch {
  /** What was typed. */
  readonly q?: string
  readonly tier?: Tier
  readonly state?: Availability
  /** The column that is sorted by. */
  readonly sort?: string
  readonly desc?: true
  /** The ids of those that are compared. */
  readonly compare?: readonly string[]
}

export const MOST_COMPARED = 4

export const TIERS: readonly Tier[] = ['LIGHT', 'MEDIUM', 'HIGH']
export const STATES: readonly Availability[] = ['INSTANT', 'DEPLOYING', 'COLD', 'PRICING_PENDING']

export function readModelsSearch(search: Record<string, unknown>): ModelsSearch {
  const { q, tier, state, sort, desc, compare } = search
  const isTier = TIERS.find((one) => one === tier)
  const isState = STATES.find((one) => one === state)
  const ids = Array.isArray(compare) ? compare.filter((id): id is string => typeof id === 'string').slice(0, MOST_COMPARED) : []
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(isTier && { tier: isTier }),
    ...(isState && { state: isState }),
    ...(typeof sort === 'string' && { sort }),
    ...(desc === true && { desc }),
    ...(ids.length > 0 && { compare: ids }),
  }
}
