/** From stored versions to the objects that GraphQL shows. */
import { formatUsd } from '#platform/money.js'
import type { ReferenceResolver } from '#platform/subgraph.js'
import type { CatalogSource } from '../ports.js'
import type { PriceBook } from './price-book.js'
import type { PriceChangeType } from './price-change-type.js'
import type { PriceVersion } from './price-version.js'

const shown = (rate: bigint | null | undefined): string | null => (rate == null ? null : formatUsd(rate))

/** Costs and reasons are the operator's business: callers without the administrator's scope do not see them. */
export function priceChange(version: PriceVersion, isAdministrator: boolean, isInCatalog: boolean): PriceChangeType {
  return {
    id: version.id,
    deploymentId: version.priceId,
    canonicalModelId: version.modelId,
    model: isInCatalog ? { id: version.modelId } : null,
    providerId: version.providerId,
    inputPerMillion: shown(version.input),
    outputPerMillion: shown(version.output),
    cachedInputPerMillion: shown(version.cachedInput),
    costInputPerMillion: isAdministrator ? shown(version.costInput) : null,
    costOutputPerMillion: isAdministrator ? shown(version.costOutput) : null,
    origin: version.origin,
    validFrom: new Date(version.validFrom),
    isCurrent: version.state === 'current',
    isPending: version.state === 'pending',
    reason: isAdministrator ? (version.reason ?? null) : null,
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
