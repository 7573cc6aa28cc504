/** The models of the catalogue: those that answer first, then by price; their state is live. */
import { useMemo } from 'react'
import { useQuery, useSubscription } from 'urql'
import {
  PlayAvailabilityDocument,
  PlayModelsDocument,
  type Availability,
  type PlayModelFragment,
} from '../../../generated/console.js'
import { compareDecimals } from '../../format/decimal.js'
import { namesOf } from '../../models/aliases.js'

const ORDER: readonly Availability[] = ['INSTANT', 'DEPLOYING', 'COLD', 'PRICING_PENDING']

const priceOf = ({ cheapestPrice }: PlayModelFragment): string => cheapestPrice?.pricing.outputPerMillion ?? '999999999'

/** With the other names that it is found by. */
export type PlayModel = PlayModelFragment & { readonly names: string }

export function useModels(): readonly PlayModel[] {
  const [{ data }] = useQuery({ query: PlayModelsDocument })
  // What it tells of goes to the cache, and so to the list.
  useSubscription({ query: PlayAvailabilityDocument, variables: {} })
  return useMemo(() => {
    const names = namesOf(data?.modelAliases ?? [])
    return (data?.models?.models ?? [])
      .map((model) => ({ ...model, names: names.get(model.id) ?? '' }))
      .toSorted(
        (a, b) =>
          ORDER.indexOf(a.availability) - ORDER.indexOf(b.availability) ||
          compareDecimals(priceOf(a), priceOf(b)) ||
          a.displayName.localeCompare(b.displayName),
      )
  }, [data])
}

/** Whether a model does; a tier does when each of its models that may answer does. */
export function takesImages(models: readonly PlayModelFragment[], chosen: string): boolean {
  const asked = models.filter(
    ({ id, tier, availability }) => id === chosen || (availability === 'INSTANT' && tier.toLowerCase() === chosen),
  )
  return asked.length > 0 && asked.every(({ inputModalities }) => inputModalities?.includes('IMAGE'))
}
