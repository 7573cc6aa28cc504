/**
 * What scans take, for /api and the MCP tools alike: types only, and only the contract's fields; what the texts may be is the
 * domain's to check.
 */
import { z } from 'zod'
import { listOf } from '../input.js'

const standards = listOf(z.string(), 'is an array of names.')
  .nullish()
  .transform((names) => names ?? [])
  .meta({ description: 'Standards to check, in any letter case; all enabled ones when left out.' })

const filename = z
  .string()
  .nullish()
  .transform((name) => name ?? null)
  .meta({ description: 'The name of the file; main.{ext} when left out.', minLength: 1 })

const FILE_WORDS = 'is an object with code and language.'
const FILES_WORDS = 'is an array of objects with code and language.'

/** @param language how the clients of this edge see languages */
export function scanInputs(language: z.ZodType<string>) {
  const file = {
    code: z.string().meta({ description: 'The text of the file, 1 MB at most unless configured.' }),
    language,
    filename,
  }
  return {
    scanCode: z.object({ ...file, standards }),
    batchScan: z.object({
      files: listOf(z.object(file, FILE_WORDS), FILES_WORDS).meta({
        description: 'The files, 500 at most unless configured.',
        maxItems: 500,
      }),
      standards,
    }),
  }
}

export const standardFilter = z.string().meta({ description: 'Only rules of this standard; its name in any letter case.' })

export type ScanCodeRequest = z.output<ReturnType<typeof scanInputs>['scanCode']>
export type BatchScanRequest = z.output<ReturnType<typeof scanInputs>['batchScan']>
