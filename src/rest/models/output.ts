/** The contract's model entry: hosts only for instant models, estimates only for deploying ones. */
import { z } from 'zod'
import { count, positive, text, unixSeconds } from '../../edge/openapi/shapes.js'

const entry = {
  id: text('The canonical id, or an alias.'),
  object: z.literal('model'),
  created: unixSeconds,
  owned_by: z.string(),
}

export const model = z
  .discriminatedUnion('availability', [
    z.object({
      ...entry,
      availability: z.literal('instant'),
      providers: z.array(z.string()).min(1).meta({ description: 'Routing identifiers, for diagnosis.', uniqueItems: true }),
      provider_count: positive,
    }),
    z.object({
      ...entry,
      availability: z.literal('deploying'),
      estimated_deploy_seconds: count,
      estimated_cost_per_hour: z.number().min(0),
    }),
    z.object({ ...entry, availability: z.enum(['cold', 'pricing_pending']) }),
  ])
  .meta({
    id: 'Model',
    description: '`providers` and `provider_count` for instant models only, the estimates for deploying ones only.',
  })

export const modelList = z.object({ object: z.literal('list'), data: z.array(model) }).meta({ id: 'ModelList' })
