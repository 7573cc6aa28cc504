/** GET /v1/models and /v1/models/{id}. */
import { modelNotFound } from '#platform/errors.js'
import {
  RestModelDocument,
  RestModelsDocument,
  type RestModelFragment,
  type RestModelsQuery,
} from '../../generated/operations.js'
import { lowerCase } from '../../edge/names.js'
import { whole, type Whole } from '../../edge/execute.js'
import { sendJson } from '../../edge/responses.js'
import { restEndpoint } from '../rest-endpoint.js'
import { modelPath, modelsQuery, MOST_MODELS } from './input.js'
import { model, modelList } from './output.js'

/** `name` is what requests call it: its canonical id, or an alias. */
function modelEntry(row: RestModelFragment, name: string): object {
  return {
    id: name,
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

/** One page over the models and, behind the last of them, the aliases that are shown. */
function pageOf(
  { models: { totalCount, models }, modelAliases }: Whole<RestModelsQuery>,
  limit: number,
  offset: number,
): object[] {
  const shown = modelAliases.filter(({ isShown }) => isShown)
  const skipped = Math.max(0, offset - totalCount)
  const aliases = shown.slice(skipped, skipped + limit - models.length)
  return [...models.map((model) => modelEntry(model, model.id)), ...aliases.map(({ model, name }) => modelEntry(model, name))]
}

const listModels = restEndpoint({
  method: 'get',
  path: '/v1/models',
  operationId: 'listModels',
  tag: 'models',
  summary: 'Lists the models that can be served in some way, ordered by id, and behind them the aliases that are shown.',
  input: { query: modelsQuery },
  answers: { 200: { description: 'The models of this page.', body: modelList } },
  handle:
    ({ graph }) =>
    async ({ query: { limit = MOST_MODELS, offset = 0 } }, response, context) => {
      const page = { limit, offset: Math.min(offset, MOST_SKIPPED) }
      const found = whole(await graph.execute(RestModelsDocument, page, context))
      sendJson(response, 200, { object: 'list', data: pageOf(found, limit, offset) })
    },
})

const readModel = restEndpoint({
  method: 'get',
  // Canonical ids may contain slashes, which the official SDK encodes and curl users do not.
  path: '/v1/models/{+id}',
  operationId: 'readModel',
  tag: 'models',
  summary: 'Reads one model by its id or an alias.',
  input: { path: modelPath },
  answers: { 200: { description: 'The model.', body: model } },
  faults: [404],
  handle:
    ({ graph }) =>
    async ({ path: { id } }, response, context) => {
      const { model: found } = await graph.execute(RestModelDocument, { id }, context)
      if (!found) throw modelNotFound(id)
      sendJson(response, 200, modelEntry(found, id))
    },
})

export const modelEndpoints = [listModels, readModel]
