/** What /api takes: the scanner's inputs in the words of this edge. */
import { z } from 'zod'
import { text } from '../../edge/openapi/shapes.js'
import { scanInputs, standardFilter } from '../../edge/scan/scan-input.js'

const { scanCode, batchScan } = scanInputs(
  text('One of the sixteen, or a short form such as ts, py, c#, sh; in any letter case.'),
)

export const scanBody = scanCode.meta({ id: 'ScanRequest' })
export const batchScanBody = batchScan.meta({ id: 'BatchScanRequest' })

export const rulesQuery = z.object({ standard: standardFilter.optional() })
