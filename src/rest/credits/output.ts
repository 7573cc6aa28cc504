/** The caller's money. */
import { z } from 'zod'
import { creditFields } from '../../generated/rest-fields.js'

export const credits = z.object({ object: z.literal('credits'), ...creditFields }).meta({ id: 'Credits' })
