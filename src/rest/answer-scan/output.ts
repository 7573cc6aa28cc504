/** What an answer carries beside its text when its code was scanned. */
import { z } from 'zod'
import { count, text } from '../../edge/openapi/shapes.js'
import { violation } from '../../edge/scan/scan-output.js'

const codeFinding = z
  .object({
    choice: count.meta({ description: 'Which of several answers has the block, from 0.' }),
    block: count.meta({ description: 'The place of the block among the code blocks of that answer, from 0.' }),
    line: count.meta({ description: 'The line of the answer in which the code begins, from 1.' }),
    language: z.string(),
    violation: violation.meta({ description: 'Its lines are counted within the block.' }),
  })
  .meta({ id: 'CodeFinding' })

export const answerScan = z
  .object({
    status: z
      .enum(['complete', 'pending', 'failed'])
      .meta({ description: '`pending`: the answer ended before the scan did. `failed`: some code could not be looked at.' }),
    message: text('Why findings may be missing.').optional(),
    findings: z.array(codeFinding),
  })
  .meta({ id: 'AnswerScan', description: 'What the scanner says about the code of the answer, asked for with `Sluice-Scan`.' })

export type AnswerScanBody = z.output<typeof answerScan>
