/** What probes and tools are answered. */
import { z } from 'zod'
import { someText } from '../../edge/openapi/shapes.js'

export const liveness = z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' })

export const readiness = z
  .object({
    status: z.enum(['ready', 'not_ready', 'stopping']),
    reason: someText.meta({ description: 'With `not_ready`: what is wrong, in words.' }).optional(),
  })
  .meta({ id: 'Readiness' })

export const metricsText = z.string().regex(/^# HELP /)

export const description = z.looseObject({
  openapi: z.unknown(),
  info: z.unknown(),
  paths: z.unknown(),
  components: z.unknown(),
})
