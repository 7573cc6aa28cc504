/** The caller's money. */
import { z } from 'zod'
import { decimal } from '../../edge/openapi/shapes.js'

export const credits = z
  .object({
    object: z.literal('credits'),
    balance: decimal.meta({ description: 'Holds included.' }),
    held: decimal.meta({ description: 'Reserved by what is under way.' }),
    available: decimal.meta({ description: 'Balance less holds.' }),
    monthly_cap: decimal.nullable().meta({ description: 'Most that a calendar month (UTC) may cost.' }),
    spent_this_month: decimal,
  })
  .meta({ id: 'Credits' })
