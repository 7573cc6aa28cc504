/** GET /v1/models and /v1/models/{id}. */
import { modelNotFound } from '#platform/errors.js'
import { RestModelDocument, RestModelsDocument, type RestModelFragment } from '../../generated/operations.js'
import type { RestEdge, RouteHandler } from '../../edge/route.js'
import { integerParameter } from '../query-parameters.js'
import { whole } from '../../edge/execute.js'
import { sendJson } from '../../edge/responses.js'

const MAX_LIMIT = 1000

/** The contract's model entry: hosts only for instant models, estimates only for deploying ones. */
function modelEntry(model: RestModelFragment): object {
  return {
    id: model.id,
    object: 'model',
    created: model.created,
    owned_by: model.ownedBy,
    availability: model.availability.toLowerCase(),
    ...(model.providers && { providers: model.providers, provider_count: model.providerCount }),
    ...(model.estimatedDeploySeconds !== null && { estimated_deploy_seconds: model.estimatedDeploySeconds }),
    // The contract has a JSON number here, unlike every other price.
    ...(model.estimatedCostPerHour !== null && { estimated_cost_per_hour: Number(model.estimatedCostPerHour) }),
  }
}

export const listModels =
  ({ graph }: RestEdge): RouteHandler =>
  async (request, response, context) => {
    const limit = integerParameter(request, 'limit', { min: 1, max: MAX_LIMIT })
    const offset = integerParameter(request, 'offset', { min: 0, max: Number.MAX_SAFE_INTEGER })
    const { models } = whole(
      await graph.execute(RestModelsDocument, { limit, offset: offset && Math.min(offset, 2 ** 31 - 1) }, context),
    )
    sendJson(response, 200, { object: 'list', data: models.models.map(modelEntry) })
  }

export const readModel =
  ({ graph }: RestEdge): RouteHandler =>
  async (request, response, context) => {
    // Canonical ids may contain slashes, which the official SDK encodes and curl users do not.
    const id = [request.params['id']].flat().join('/')
    const { model } = await graph.execute(RestModelDocument, { id }, context)
    if (!model) throw modelNotFound(id)
    sendJson(response, 200, modelEntry(model))
  }
