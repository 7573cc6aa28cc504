/** GET /v1/models and /v1/models/{id}. */
import { modelNotFound } from '#platform/errors.js'
import { RestModelDocument, RestModelsDocument, type RestModelFragment } from '../../generated/operations.js'
import { lowerCase } from '../../edge/names.js'
import { whole } from '../../edge/execute.js'
import { sendJson } from '../../edge/responses.js'
import { restEndpoint } from '../rest-endpoint.js'
import { modelPath, modelsQuery } from './input.js'
import { model, modelList } from './output.js'

function modelEntry(row: RestModelFragment): object {
  return {
    id: row.id,
    object: 'model',
    created: row.created,
    owned_by: row.ownedBy,
    availability: lowerCase(row.availability),
    ...(row.providers && { providers: row.providers, provider_count: row.providerCount }),
    ...(row.estimatedDeploySeconds !== null && { estimated_deploy_seconds: row.estimatedDeploySeconds }),
    // The contract has a JSON number here, unlike every other price.
    ...(row.estimatedCostPerHour !== null && { estimated_cost_per_hour: Number(row.estimatedCostPerHour) }),
  }
}

/** More than any list, and as much as the graph takes. */
const MOST_SKIPPED = 2 ** 31 - 1

const listModels = restEndpoint({
  method: 'get',
  path: '/v1/models',
  operationId: 'listModels',
  tag: 'models',
  summary: 'Lists the models that can be served in some way, ordered by id.',
  input: { query: modelsQuery },
  answers: { 200: { description: 'The models of this page.', body: modelList } },
  handle:
    ({ graph }) =>
    async ({ query: { limit, offset } }, response, context) => {
      const page = { limit, offset: offset && Math.min(offset, MOST_SKIPPED) }
      const { models } = whole(await graph.execute(RestModelsDocument, page, context))
      sendJson(response, 200, { object: 'list', data: models.models.map(modelEntry) })
    },
})

const readModel = restEndpoint({
  method: 'get',
  // Canonical ids may contain slashes, which the official SDK encodes and curl users do not.
  path: '/v1/models/{+id}',
  operationId: 'readModel',
  tag: 'models',
  summary: 'Reads one model.',
  input: { path: modelPath },
  answers: { 200: { description: 'The model.', body: model } },
  faults: [404],
  handle:
    ({ graph }) =>
    async ({ path: { id } }, response, context) => {
      const { model: found } = await graph.execute(RestModelDocument, { id }, context)
      if (!found) throw modelNotFound(id)
      sendJson(response, 200, modelEntry(found))
    },
})

export const modelEndpoints = [listModels, readModel]
