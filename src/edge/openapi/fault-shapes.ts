/** The shapes of faults, whose types and codes come from the table of src/platform/errors.ts. */
import { z } from 'zod'
import { errorTable, type ErrorCode } from '#platform/errors.js'
import { someText, text } from './shapes.js'

type Words = [string, ...string[]]
/** Each of the words once, in their order. */
const unique = (words: readonly string[]) => [...new Set(words)] as Words

/** The rows of the table with their codes. */
export const faultRows = (Object.keys(errorTable) as ErrorCode[]).map((code) => ({ code, ...errorTable[code] }))

const errorType = z.enum(unique(faultRows.map(({ type }) => type))).meta({ id: 'ErrorType' })

const errorCode = z
  .enum(unique(faultRows.map(({ code }) => code)))
  .meta({ id: 'ErrorCode', description: 'Equal to the type unless a finer one exists.' })

export const openAiFault = z
  .object({
    error: z.object({
      message: someText,
      type: errorType,
      code: errorCode,
      param: text('The request field at fault, as a path such as `messages[0].role`.').nullable(),
    }),
  })
  .meta({ id: 'Error', description: 'The one error shape of /v1.' })

export const scannerFault = z
  .object({
    error: someText,
    code: z.enum(unique(faultRows.map(({ scannerCode }) => scannerCode))),
    details: z
      .string()
      .regex(/^field: /)
      .meta({ description: 'The field at fault, such as `field: files[2].code`.' })
      .optional(),
    retry_after_seconds: z.int().min(1).meta({ description: 'Only with RATE_LIMIT.' }).optional(),
  })
  .meta({ id: 'ScanError', description: 'The one error shape of /api.' })

export const anthropicFault = z
  .object({ type: z.literal('error'), error: z.object({ type: someText, message: someText }), request_id: someText })
  .meta({ id: 'AnthropicError', description: 'The one error shape of /v1/messages.' })
