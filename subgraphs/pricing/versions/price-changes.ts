/** From stored versions to the objects that GraphQL shows. */
import type { ReferenceResolver } from '#platform/subgraph.js'
import type { CatalogSource } from '../ports.js'
import type { PriceBook } from './price-book.js'
import type { PriceChangeType } from './price-change-type.js'
import type { PriceVersion } from './price-version.js'

/** Costs and reasons are the operator's business: callers without the administrator's scope do not see them. */
export function priceChange(version: PriceVersion, isAdministrator: boolean, isInCatalog: boolean): PriceChangeType {
  return {
    id: version.id,
    deploymentId: version.priceId,
    canonicalModelId: version.modelId,
    model: isInCatalog ? { id: version.modelId } : null,
    providerId: version.providerId,
    inputPerMillion: version.input,
    outputPerMillion: version.output,
    cachedInputPerMillion: version.cachedInput,
    costInputPerMillion: isAdministrator ? version.costInput : null,
    costOutputPerMillion: isAdministrator ? version.costOutput : null,
    origin: version.origin,
    validFrom: new Date(version.validFrom),
    isCurrent: version.state === 'current',
    isPending: version.state === 'pending',
    reason: isAdministrator ? version.reason : null,
  }
}

/** What waits, or was refused, is the operator's business too. */
export const priceChangeLoader =
  (book: Pick<PriceBook, 'versions'>, catalog: Pick<CatalogSource, 'model'>): ReferenceResolver =>
  async (references, { principal }) => {
    const isAdministrator = principal?.scopes.has('admin') ?? false
    const versions = await book.versions(references.map(({ id }) => id))
    return references.map(({ id }) => {
      const version = versions.get(id)
      if (!version || (!isAdministrator && version.state !== 'current' && version.state !== 'past')) return null
      return priceChange(version, isAdministrator, catalog.model(version.modelId) !== undefined)
    })
  }
