/** How a session becomes a place that can answer. */
import { AppError } from '#platform/errors.js'
import type { CatalogPort } from '../ports.js'
import type { GpuSession } from './session.js'

/** Makes a session routable. A model that the catalogue does not know (a renter's own) stays reachable by its URL only. */
export async function announceEndpoint(session: GpuSession, baseUrl: string, catalog: CatalogPort): Promise<void> {
  try {
    await catalog.announce({
      sessionId: session.id,
      modelId: session.modelId ?? '',
      baseUrl,
      apiKey: session.endpointKey,
      providerId: session.providerId,
      region: session.region,
      accountId: session.purpose === 'rental' ? session.accountId : null,
    })
  } catch (error) {
    if (!(error instanceof AppError && error.httpStatus === 404)) throw error
  }
}
