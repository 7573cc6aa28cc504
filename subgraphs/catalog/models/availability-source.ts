/** The stream behind the subscription `modelAvailability`: the present state first, then every change of it. */
import { requirePrincipal, type RequestContext } from '#platform/requests/context.js'
import { modelNotFound } from '#platform/errors.js'
import { type EventBus, eventStream } from '#platform/events/events.js'
import { type Catalog, MODEL_AVAILABILITY } from '../catalog.js'
import type { CatalogTypes } from './catalog-types.js'
import type { ModelType } from './model-type.js'

/**
 * Events only say "look again", so a lost or doubled one does no harm: the state is derived anew each time and sent when it
 * differs from what this subscriber saw last. A reconnecting subscriber starts with the present state.
 *
 * @throws AppError 404 when `id` names nothing that can be served.
 */
export function availabilitySource(catalog: Catalog, types: CatalogTypes, events: EventBus) {
  return (args: Readonly<Record<string, unknown>>, context: RequestContext): AsyncIterable<ModelType> => {
    const { accountId } = requirePrincipal(context)
    const id = typeof args['id'] === 'string' ? args['id'] : null
    const changes = eventStream(events, MODEL_AVAILABILITY, context.signal)
    if (id !== null && !types.modelById(id, accountId)) {
      void changes.return?.()
      throw modelNotFound(id, 'id')
    }
    return states(id, changes, (modelId) => types.modelById(modelId, accountId), catalog, accountId)
  }
}

async function* states(
  id: string | null,
  changes: AsyncIterable<Readonly<Record<string, unknown>>>,
  look: (modelId: string) => ModelType | null,
  catalog: Catalog,
  accountId: string,
): AsyncGenerator<ModelType> {
  const seen = new Map<string, string>()
  const fresh = (modelId: string): ModelType | null => {
    const model = look(modelId)
    const { availability, providers, estimatedDeploySeconds } = model ?? {}
    // Its session is shown with it, so what that does counts, too.
    const phase = catalog.sessionOf(modelId, accountId).phase
    const state = model ? JSON.stringify([availability, providers, estimatedDeploySeconds, phase]) : 'gone'
    if (seen.get(modelId) === state) return null
    seen.set(modelId, state)
    return model
  }
  const first = id === null ? catalog.list({}, accountId).map(({ model }) => model.id) : [id]
  for (const modelId of first) {
    const model = fresh(modelId)
    if (model) yield model
  }
  for await (const { modelId } of changes) {
    if (typeof modelId !== 'string' || (id !== null && modelId !== id)) continue
    const model = fresh(modelId)
    if (model) yield model
  }
}
