/** GPU offers and rentals: /v1/gpu/offers, /v1/gpu/rent, /v1/gpu/rentals. */
import type { z } from 'zod'
import { AppError } from '#platform/errors.js'
import {
  RestGpuOffersDocument,
  RestRentalDocument,
  RestRentalsDocument,
  RestRentGpuDocument,
  RestTerminateRentalDocument,
  type RentalFieldsFragment,
} from '../../generated/operations.js'
import { camelNamed, lowerCase, snakeNamed, upperCase } from '../../edge/names.js'
import { whole } from '../../edge/execute.js'
import { inRestWords } from './gpu-words.js'
import { sendJson } from '../../edge/responses.js'
import { restEndpoint } from '../rest-endpoint.js'
import { offersQuery, rentalPath, rentalsQuery, rentBody, rentHeaders } from './input.js'
import { gpuOfferList, rental, rentalList, rentalLocation } from './output.js'

const listOffers = restEndpoint({
  method: 'get',
  path: '/v1/gpu/offers',
  operationId: 'listGpuOffers',
  tag: 'gpu',
  summary: 'Lists GPUs that can be rented now, cheapest first.',
  description: 'All parameters stack.',
  input: { query: offersQuery },
  answers: { 200: { description: 'The offers.', body: gpuOfferList } },
  handle:
    ({ graph }) =>
    async ({ query }, response, context) => {
      const { gpuOffers } = whole(await inRestWords(graph.execute(RestGpuOffersDocument, camelNamed(query), context)))
      const data = gpuOffers.map((offer) => snakeNamed({ ...offer, interruptionOrigin: lowerCase(offer.interruptionOrigin) }))
      const body: z.output<typeof gpuOfferList> = { object: 'list', count: data.length, data }
      sendJson(response, 200, body)
    },
})

const rentalBody = ({ id, status, phase, terminationReason, ...row }: RentalFieldsFragment): z.output<typeof rental> => ({
  object: 'gpu.rental',
  rental_id: id,
  status: lowerCase(status),
  phase: lowerCase(phase),
  termination_reason: terminationReason && lowerCase(terminationReason),
  ...snakeNamed(row),
})

const rentGpu = restEndpoint({
  method: 'post',
  path: '/v1/gpu/rent',
  operationId: 'rentGpu',
  tag: 'gpu',
  summary: 'Rents a GPU.',
  description: `A credit hold is placed before anything is provisioned. One of \`model_id\`, \`docker_image\` and \`ssh_key\` is required. The same
\`Idempotency-Key\` within 24 hours answers with the same rental.
`,
  input: { headers: rentHeaders, body: rentBody },
  hasSmallBody: true,
  answers: {
    201: { description: 'The rental, which is being provisioned.', headers: { location: rentalLocation }, body: rental },
  },
  faults: [402, 403, 404, 409],
  handle:
    ({ graph }) =>
    async ({ body }, response, context) => {
      const { rental: rented } = whole(
        await inRestWords(graph.execute(RestRentGpuDocument, { input: camelNamed(body) }, context)),
      ).rentGpu
      response.setHeader('location', `/v1/gpu/rentals/${rented.id}`)
      sendJson(response, 201, rentalBody(rented))
    },
})

const listRentals = restEndpoint({
  method: 'get',
  path: '/v1/gpu/rentals',
  operationId: 'listRentals',
  tag: 'gpu',
  summary: 'Lists the rentals of the account, newest first.',
  input: { query: rentalsQuery },
  answers: { 200: { description: 'The rentals.', body: rentalList } },
  handle:
    ({ graph }) =>
    async ({ query }, response, context) => {
      const status = query.status && upperCase(query.status)
      const { rentals } = whole(await inRestWords(graph.execute(RestRentalsDocument, { status }, context)))
      const body: z.output<typeof rentalList> = {
        object: 'list',
        count: rentals.nodes.length,
        data: rentals.nodes.map(rentalBody),
      }
      sendJson(response, 200, body)
    },
})

const readRental = restEndpoint({
  method: 'get',
  path: '/v1/gpu/rentals/{rental_id}',
  operationId: 'readRental',
  tag: 'gpu',
  summary: 'Reads one rental.',
  input: { path: rentalPath },
  answers: { 200: { description: 'The rental.', body: rental } },
  faults: [404],
  handle:
    ({ graph }) =>
    async ({ path: { rental_id: id } }, response, context) => {
      const { rental: found } = await inRestWords(graph.execute(RestRentalDocument, { id }, context))
      if (!found) throw new AppError('rental_not_found', 'There is no such rental.', { param: 'rental_id' })
      sendJson(response, 200, rentalBody(found))
    },
})

const terminateRental = restEndpoint({
  method: 'delete',
  path: '/v1/gpu/rentals/{rental_id}',
  operationId: 'terminateRental',
  tag: 'gpu',
  summary: 'Terminates a rental; repeating it answers the same.',
  description: 'The time used is billed and the rest of the hold is released.',
  input: { path: rentalPath },
  answers: { 200: { description: 'The terminated rental.', body: rental } },
  faults: [403, 404],
  handle:
    ({ graph }) =>
    async ({ path: { rental_id: id } }, response, context) => {
      const { rental: ended } = whole(
        await inRestWords(graph.execute(RestTerminateRentalDocument, { input: { id } }, context)),
      ).terminateRental
      sendJson(response, 200, rentalBody(ended))
    },
})

export const gpuEndpoints = [listOffers, rentGpu, listRentals, readRental, terminateRental]
