/** Headers that every chat API takes. */
import { z } from 'zod'
import { text } from '../edge/openapi/shapes.js'

export const chatHeaders = z.object({
  Prefer: text('`wait=N`: hold the connection up to N seconds while the model is deployed.').optional(),
  'Sluice-Scan': text(
    'Scans the code in the answer: `all` for all enabled standards, or names of standards with commas between.',
  ).optional(),
})
