/** What an answer carries beside its text when its code was scanned. */
import { z } from 'zod'
import { count, text } from '../../edge/openapi/shapes.js'
import { violation } from '../../edge/scan/scan-output.js'

const codeFinding = z
  .object({
    choice: count.meta({ description: 'Which of several answers has the code, from 0.' }),
    block: count.meta({ description: 'Its place among the code of that answer, from 0.' }),
    line: count.meta({ description: 'The line of the answer in which the code begins, from 1; 1 for code in a call.' }),
    tool_call: count.meta({ description: 'The place of the call whose arguments hold the code.' }).optional(),
    language: z.string(),
    violation: violation.meta({ description: 'Its lines are counted within the code.' }),
  })
  .meta({ id: 'CodeFinding' })

const answerScan = z
  .object({
    status: z
      .enum(['complete', 'pending', 'failed'])
      .meta({ description: '`pending`: the answer ended before the scan did. `failed`: some code could not be looked at.' }),
    message: text('Why findings may be missing.').optional(),
    findings: z.array(codeFinding),
    blocked: z.literal(true).meta({ description: 'The key withholds code that breaks rules, and has.' }).optional(),
  })
  .meta({ id: 'AnswerScan', description: 'What the scanner says about the code of the answer, asked for with `Sluice-Scan`.' })

/** Ours, beside the fields of the API. */
export const sluice = z.object({ scan: answerScan }).optional()
