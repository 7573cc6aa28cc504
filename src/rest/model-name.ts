/** What requests of every chat API call their model. */
import { z } from 'zod'

export const modelName = z
  .string()
  .min(1)
  .max(256)
  .meta({ description: 'A model id, light, medium or high for the cheapest model of that tier, or an alias of either.' })
