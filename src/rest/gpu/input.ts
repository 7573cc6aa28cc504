/** What callers send about GPUs. Only types are read here; what the texts may be is the domain's to check. */
import { z } from 'zod'
import { text } from '../../edge/openapi/shapes.js'
import { rentGpuInput } from '../../generated/rest-fields.js'
import { decimalText, integerText } from '../../edge/input.js'
import { rentalStatus } from './output.js'

const MOST_VRAM_GB = 100_000

export const offersQuery = z.object({
  gpu_model: z.string().optional(),
  provider: text('Only this routing identifier.').optional(),
  min_vram: integerText({ min: 0, max: MOST_VRAM_GB, description: 'The least memory of one GPU in gigabytes.' }).optional(),
  max_price: decimalText
    .meta({ description: 'The most that one GPU may cost, US dollars per hour; compared as a number.' })
    .optional(),
})

export const rentBody = z
  .object({
    ...rentGpuInput,
    gpu_model: z.string({ error: ({ input }) => (input === undefined ? 'is required, such as "L4".' : 'is a string.') }).meta({
      description: 'As in the offers.',
    }),
  })
  .meta({
    id: 'RentGpuRequest',
    anyOf: [{ required: ['model_id'] }, { required: ['docker_image'] }, { required: ['ssh_key'] }],
  })

export const rentHeaders = z.object({
  'Idempotency-Key': text('Names this request, so that repeating it does not rent twice.').optional(),
})

export const rentalPath = z.object({ rental_id: z.string() })

export const rentalsQuery = z.object({ status: rentalStatus.meta({ description: 'Only these.' }).optional() })
