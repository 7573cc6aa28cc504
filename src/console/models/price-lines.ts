/** The price changes of a model as one line for each of its deployments. */
import type { ModelsPriceChangeFragment } from '../../generated/console-models.js'

export type Side = 'inputPerMillion' | 'outputPerMillion'

export interface PriceLine {
  readonly name: string
  /** From the first to the last. */
  readonly points: readonly { readonly at: number; readonly price: string }[]
}

/** Those with the most changes first. Proposals are no prices yet; a withdrawn price keeps its line at what it was. */
export function priceLines(changes: readonly ModelsPriceChangeFragment[], side: Side): readonly PriceLine[] {
  const inForce = changes
    .filter(({ isPending }) => !isPending)
    .toSorted((a, b) => Date.parse(a.validFrom) - Date.parse(b.validFrom))
  const byDeployment = Map.groupBy(inForce, ({ deploymentId }) => deploymentId)
  return [...byDeployment]
    .map(([name, of]) => ({
      name,
      points: of.flatMap(({ validFrom, [side]: price }) => (price === null ? [] : [{ at: Date.parse(validFrom), price }])),
    }))
    .filter(({ points }) => points.length > 0)
    .toSorted((a, b) => b.points.length - a.points.length || a.name.localeCompare(b.name))
}
