/** The other form that scans are answered in. What they are in JSON is in src/edge/scan/scan-output.ts. */
import { z } from 'zod'

export const sarifLog = z
  .object({
    $schema: z.string(),
    version: z.literal('2.1.0'),
    runs: z
      .array(z.looseObject({ tool: z.looseObject({}), results: z.array(z.looseObject({})) }))
      .min(1)
      .max(1),
  })
  .meta({ id: 'SarifLog', description: 'SARIF 2.1.0, one run over all files.' })
