/** What callers send about models. */
import { z } from 'zod'
import { integerText } from '../../edge/input.js'
import { text } from '../../edge/openapi/shapes.js'

/** Both the default and the most, as OpenAI's SDKs do not page. */
export const MOST_MODELS = 1000

export const modelsQuery = z.object({
  limit: integerText({ min: 1, max: MOST_MODELS, default: MOST_MODELS, description: 'Models per page.' }).optional(),
  offset: integerText({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0, description: 'Models to skip.' }).optional(),
})

export const modelPath = z.object({
  id: text('The canonical id, or an alias. Slashes in it may be sent as they are or encoded.'),
})
