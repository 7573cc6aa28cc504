/** What is answered about GPUs. */
import { z } from 'zod'
import { InterruptionOrigin, RentalStatus, SessionPhase, TerminationReason } from '../../generated/operations.js'
import { wordsOf } from '../../edge/names.js'
import { countedList, decimal, positive, text, time } from '../../edge/openapi/shapes.js'

const share = z.number().min(0).max(1)

const gpuOffer = z
  .object({
    gpu_model: z.string(),
    vram_gb: positive.meta({ description: 'Of one GPU.' }),
    gpu_count: positive.meta({ description: 'The smallest number of GPUs that is sold together.' }),
    provider_id: z.string(),
    region: z.string(),
    price_per_gpu_hour: decimal,
    interruption_probability: share.meta({ description: 'That it is taken away within 30 days.' }),
    interruption_origin: z.enum(wordsOf(InterruptionOrigin)).meta({ description: 'Where that probability comes from.' }),
    spot: z.boolean(),
    fetched_at: time,
  })
  .meta({ id: 'GpuOffer' })

export const gpuOfferList = countedList('GpuOfferList', gpuOffer)

export const rentalStatus = z.enum(wordsOf(RentalStatus)).meta({ id: 'RentalStatus' })

export const rental = z
  .object({
    object: z.literal('gpu.rental'),
    rental_id: z.string(),
    label: text('The name that whoever rented it gave it.').nullable(),
    status: rentalStatus,
    phase: z.enum(wordsOf(SessionPhase)).meta({ description: 'What the machine is doing.' }),
    termination_reason: z.enum(wordsOf(TerminationReason)).nullable(),
    gpu_model: z.string(),
    vram_gb: positive,
    gpu_count: positive,
    provider_id: z.string(),
    region: z.string(),
    spot: z.boolean(),
    interruption_probability: share,
    price_per_gpu_hour: decimal,
    price_per_hour: decimal.meta({ description: 'For all its GPUs.' }),
    cost: decimal.meta({ description: 'Billed so far; final once terminated.' }),
    hold: decimal.meta({ description: 'Set aside for it; 0 once terminated.' }),
    model_id: z.string().nullable(),
    docker_image: z.string().nullable(),
    fine_tuned: z.boolean(),
    endpoint: text('Base URL of what it serves, while it runs.').nullable(),
    endpoint_key: text('The bearer key that the endpoint demands.').nullable(),
    ssh_host: z.string().nullable(),
    ssh_port: z.int().nullable(),
    estimated_ready_seconds: z.int().nullable().meta({ description: 'Only while provisioning.' }),
    created_at: time,
    started_at: time.nullable().meta({ description: 'When it began to run and to be billed.' }),
    terminated_at: time.nullable(),
  })
  .meta({ id: 'Rental' })

export const rentalList = countedList('RentalList', rental)

export const rentalLocation = z
  .string()
  .regex(/^\/v1\/gpu\/rentals\//)
  .meta({ description: 'Where the rental can be read.' })
