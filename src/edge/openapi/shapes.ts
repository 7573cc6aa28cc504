/** Shapes that many answers share. */
import { z } from 'zod'

export const decimal = z
  .string()
  .regex(/^-?\d{1,12}\.\d{2,9}$/)
  .meta({ id: 'Decimal', description: 'An exact decimal of US dollars.', examples: ['0.15'] })

export const time = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/)
  .meta({ id: 'Time', description: 'ISO 8601 in UTC.' })

export const unixSeconds = z.int().min(0).meta({ id: 'UnixSeconds' })

export const count = z.int().min(0)
export const positive = z.int().min(1)
export const someText = z.string().min(1)

/** A string with a description, which most fields are. */
export const text = (description: string) => z.string().meta({ description })

/** `{object: "list", count, data}`. */
export const countedList = <Row extends z.ZodType>(id: string, row: Row) =>
  z.object({ object: z.literal('list'), count, data: z.array(row) }).meta({ id })

export const requestId = z
  .string()
  .min(8)
  .meta({ description: 'Names this request, in the logs too.', header: { id: 'RequestId' } })

export const retryAfter = z
  .string()
  .regex(/^[1-9]\d*$/)
  .meta({ description: 'Seconds after which asking again makes sense.', header: { id: 'RetryAfter' } })
