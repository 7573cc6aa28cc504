/** What callers send about GPUs. Only types are read here; what the texts may be is the domain's to check. */
import { z } from 'zod'
import { text } from '../../edge/openapi/shapes.js'
import { decimalText, decimalValue, integerText } from '../../edge/input.js'
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
    gpu_model: z.string({ error: ({ input }) => (input === undefined ? 'is required, such as "L4".' : 'is a string.') }).meta({
      description: 'As in the offers.',
    }),
    provider_id: text('The cheapest match when left out.').nullish(),
    region: text('The cheapest match when left out.').nullish(),
    model_id: text('A model to serve.').nullish(),
    docker_image: z.string().nullish(),
    ssh_key: text('One public SSH key; the machine then accepts it.').nullish(),
    fine_tuned: z.boolean().nullish(),
    label: text('A name of your own for the rental: 1 to 100 characters on one line.').nullish(),
    max_price_per_gpu_hour: decimalValue.meta({ description: 'The most that one GPU may cost per hour.' }).nullish(),
  })
  .meta({
    id: 'RentGpuRequest',
    anyOf: [{ required: ['model_id'] }, { required: ['docker_image'] }, { required: ['ssh_key'] }],
  })

export const rentHeaders = z.object({
  'Idempotency-Key': text('Names this request, so that repeating it does not rent twice.').optional(),
})

export const rentalPath = z.object({ rental_id: z.string() })

export const rentalsQuery = z.object({ status: rentalStatus.optional() })
