/** GPU offers and rentals: /v1/gpu/offers, /v1/gpu/rent, /v1/gpu/rentals. */
import { AppError, invalidRequest } from '#platform/errors.js'
import { parseUsd } from '#platform/money.js'
import {
  RestGpuOffersDocument,
  RestRentalDocument,
  RestRentalsDocument,
  RestRentGpuDocument,
  RestTerminateRentalDocument,
  type RentalStatus,
  type RentGpuInput,
  type RestRentalFragment,
} from '../../generated/operations.js'
import { largeReaderOf, type RestEdge, type RouteHandler } from '../../edge/route.js'
import { readJsonObject } from '../../edge/json-body.js'
import { choiceParameter, decimalParameter, integerParameter, textParameter } from '../query-parameters.js'
import { whole } from '../../edge/execute.js'
import { sendJson } from '../../edge/responses.js'

const MAX_VRAM_GB = 100_000

export const listOffers =
  ({ graph }: RestEdge): RouteHandler =>
  async (request, response, context) => {
    const filters = {
      gpuModel: textParameter(request, 'gpu_model'),
      provider: textParameter(request, 'provider'),
      minVram: integerParameter(request, 'min_vram', { min: 0, max: MAX_VRAM_GB }),
      maxPrice: decimalParameter(request, 'max_price'),
    }
    const { gpuOffers } = whole(await graph.execute(RestGpuOffersDocument, filters, context))
    const data = gpuOffers.map((offer) => ({
      gpu_model: offer.gpuModel,
      vram_gb: offer.vramGb,
      gpu_count: offer.gpuCount,
      provider_id: offer.providerId,
      region: offer.region,
      price_per_gpu_hour: offer.pricePerGpuHour,
      interruption_probability: offer.interruptionProbability,
      interruption_origin: offer.interruptionOrigin.toLowerCase(),
      spot: offer.spot,
      fetched_at: offer.fetchedAt,
    }))
    sendJson(response, 200, { object: 'list', count: data.length, data })
  }

function rental(row: RestRentalFragment): object {
  return {
    object: 'gpu.rental',
    rental_id: row.id,
    status: row.status.toLowerCase(),
    phase: row.phase.toLowerCase(),
    termination_reason: row.terminationReason?.toLowerCase() ?? null,
    gpu_model: row.gpuModel,
    vram_gb: row.vramGb,
    gpu_count: row.gpuCount,
    provider_id: row.providerId,
    region: row.region,
    spot: row.spot,
    interruption_probability: row.interruptionProbability,
    price_per_gpu_hour: row.pricePerGpuHour,
    price_per_hour: row.pricePerHour,
    cost: row.cost,
    hold: row.hold,
    model_id: row.modelId,
    docker_image: row.dockerImage,
    fine_tuned: row.fineTuned,
    endpoint: row.endpoint,
    endpoint_key: row.endpointKey,
    ssh_host: row.sshHost,
    ssh_port: row.sshPort,
    estimated_ready_seconds: row.estimatedReadySeconds,
    created_at: row.createdAt,
    started_at: row.startedAt,
    terminated_at: row.terminatedAt,
  }
}

const TEXT_FIELDS = {
  gpu_model: 'gpuModel',
  provider_id: 'providerId',
  region: 'region',
  model_id: 'modelId',
  docker_image: 'dockerImage',
  ssh_key: 'sshKey',
  max_price_per_gpu_hour: 'maxPricePerGpuHour',
} as const

/** Only the types are read here; what the texts may be is the domain's to check. */
function rentInput(body: Record<string, unknown>): RentGpuInput {
  const input: Partial<Record<keyof RentGpuInput, string | boolean>> = {}
  for (const [name, field] of Object.entries(TEXT_FIELDS)) {
    const value = body[name]
    if (value === undefined || value === null) continue
    const isPrice = name === 'max_price_per_gpu_hour'
    if (typeof value !== 'string' && !(isPrice && typeof value === 'number')) throw invalidRequest(`${name} is a string.`, name)
    // The graph's scalar would refuse it too, but cannot say which field it was.
    if (isPrice) parseUsd(String(value), name)
    input[field] = String(value)
  }
  const fineTuned = body['fine_tuned']
  if (fineTuned !== undefined && fineTuned !== null) {
    if (typeof fineTuned !== 'boolean') throw invalidRequest('fine_tuned is true or false.', 'fine_tuned')
    input.fineTuned = fineTuned
  }
  if (input.gpuModel === undefined) throw invalidRequest('gpu_model is required, such as "L4".', 'gpu_model')
  return input as RentGpuInput
}

/** A name, an image and a public key. */
const MAX_RENT_BYTES = 64 * 1024

export const rentGpu =
  (edge: RestEdge): RouteHandler =>
  async (request, response, context) => {
    const limits = { maxBytes: Math.min(MAX_RENT_BYTES, edge.limits.maxBodyBytes), maxDepth: edge.limits.maxJsonDepth }
    const body = await readJsonObject(request, limits, largeReaderOf(edge, context, response))
    const { rentGpu: rented } = whole(await edge.graph.execute(RestRentGpuDocument, { input: rentInput(body) }, context))
    response.setHeader('location', `/v1/gpu/rentals/${rented.rental.id}`)
    sendJson(response, 201, rental(rented.rental))
  }

const STATUSES = ['provisioning', 'running', 'terminated'] as const

export const listRentals =
  ({ graph }: RestEdge): RouteHandler =>
  async (request, response, context) => {
    const status = choiceParameter(request, 'status', STATUSES)?.toUpperCase() as RentalStatus | undefined
    const { rentals } = whole(await graph.execute(RestRentalsDocument, { status }, context))
    sendJson(response, 200, { object: 'list', count: rentals.nodes.length, data: rentals.nodes.map(rental) })
  }

export const readRental =
  ({ graph }: RestEdge): RouteHandler =>
  async (request, response, context) => {
    const id = String(request.params['id'])
    const { rental: found } = await graph.execute(RestRentalDocument, { id }, context)
    if (!found) throw new AppError('rental_not_found', 'There is no such rental.', { param: 'rental_id' })
    sendJson(response, 200, rental(found))
  }

export const terminateRental =
  ({ graph }: RestEdge): RouteHandler =>
  async (request, response, context) => {
    const id = String(request.params['id'])
    const { terminateRental: ended } = whole(await graph.execute(RestTerminateRentalDocument, { input: { id } }, context))
    sendJson(response, 200, rental(ended.rental))
  }
