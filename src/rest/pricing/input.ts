/** What callers send about prices. */
import { z } from 'zod'
import { text } from '../../edge/openapi/shapes.js'

export const pricesQuery = z.object({
  format: z
    .enum(['flat', 'tiers'])
    .meta({
      description: '`flat`: one row per deployment; `tiers`: light, medium and high with their cheapest rates.',
      default: 'flat',
    })
    .optional(),
  model: text('Only this canonical model id.').optional(),
  provider: text('Only this routing identifier.').optional(),
})
