/** What is answered about GPUs: the graph's fields in REST's words, within the bounds that the graph has no types for. */
import { z } from 'zod'
import { offerFields, rentalFields } from '../../generated/rest-fields.js'
import { countedList } from '../../edge/openapi/shapes.js'

type Numbers = Pick<typeof offerFields, 'vram_gb' | 'gpu_count' | 'interruption_probability'>

const bounded = ({ vram_gb, gpu_count, interruption_probability }: Numbers) => ({
  vram_gb: vram_gb.min(1),
  gpu_count: gpu_count.min(1),
  interruption_probability: interruption_probability.min(0).max(1),
})

const gpuOffer = z.object({ ...offerFields, ...bounded(offerFields) }).meta({ id: 'GpuOffer' })

export const gpuOfferList = countedList('GpuOfferList', gpuOffer)

export const rentalStatus = rentalFields.status

const { id: _id, ...sameAsInGraph } = rentalFields

export const rental = z
  .object({ object: z.literal('gpu.rental'), rental_id: z.string(), ...sameAsInGraph, ...bounded(rentalFields) })
  .meta({ id: 'Rental' })

export const rentalList = countedList('RentalList', rental)

export const rentalLocation = z
  .string()
  .regex(/^\/v1\/gpu\/rentals\//)
  .meta({ description: 'Where the rental can be read.' })
