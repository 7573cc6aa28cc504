/**
 * The thread that reads large bodies before the event loop has to: broken, too deep or too many-valued ones end here. What a
 * second parse gives more cheaply than a copy is not answered, only that it may be parsed.
 */
import { AppError, invalidRequest } from '#platform/errors.js'
import { holdsRawNumber, parseExactJson } from '#platform/json/exact-json.js'
import { isDeeperThan } from '#platform/json/json-depth.js'
import { holdsMoreValuesThan } from '#platform/json/json-values.js'
import { asBuffer, type SharedBytes } from '#platform/shared-bytes.js'
import { answerQuestions, MAX_COPIED_VALUES } from '#platform/thread.js'

export interface BodyQuestion {
  readonly bytes: SharedBytes
  readonly maxDepth: number
  readonly maxValues: number
}

export type BodyAnswer = { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'parse' }

answerQuestions<{ question: BodyQuestion; answer: BodyAnswer }>(({ bytes: shared, maxDepth, maxValues }) => {
  const bytes = asBuffer(shared)
  if (holdsMoreValuesThan(bytes, maxValues)) throw invalidRequest(`The body holds more than ${maxValues} values.`)
  const value = parsed(bytes)
  if (isDeeperThan(value, maxDepth)) throw invalidRequest(`The body is nested deeper than ${maxDepth} levels.`)
  if (holdsMoreValuesThan(bytes, MAX_COPIED_VALUES) || holdsRawNumber(value)) return { kind: 'parse' }
  return { kind: 'value', value }
})

function parsed(bytes: Buffer): unknown {
  try {
    return parseExactJson(bytes)
  } catch (cause) {
    throw new AppError('invalid_request_error', 'The body is not valid JSON in UTF-8.', { cause })
  }
}
