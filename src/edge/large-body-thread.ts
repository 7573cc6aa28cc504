/**
 * The thread that reads large bodies before the event loop has to: broken, too deep or too many-valued ones end here. What a
 * copy carries over more cheaply than a second parse is answered as a value, the rest as the bytes that it came in.
 */
import { AppError, invalidRequest } from '#platform/errors.js'
import { holdsRawNumber, parseExactJson } from '#platform/json/exact-json.js'
import { isDeeperThan } from '#platform/json/json-depth.js'
import { holdsMoreValuesThan } from '#platform/json/json-values.js'
import { answerQuestions, MAX_COPIED_VALUES } from '#platform/thread.js'

export interface BodyQuestion {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly maxDepth: number
  readonly maxValues: number
}

export type BodyAnswer =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }

answerQuestions<{ question: BodyQuestion; answer: BodyAnswer }>(({ bytes, maxDepth, maxValues }) => {
  if (holdsMoreValuesThan(bytes, maxValues)) throw invalidRequest(`The body holds more than ${maxValues} values.`)
  const value = parsed(bytes)
  if (isDeeperThan(value, maxDepth)) throw invalidRequest(`The body is nested deeper than ${maxDepth} levels.`)
  if (holdsMoreValuesThan(bytes, MAX_COPIED_VALUES) || holdsRawNumber(value)) {
    return { answer: { kind: 'bytes', bytes }, moved: [bytes.buffer] }
  }
  return { answer: { kind: 'value', value } }
})

function parsed(bytes: Uint8Array<ArrayBuffer>): unknown {
  try {
    return parseExactJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  } catch (cause) {
    throw new AppError('invalid_request_error', 'The body is not valid JSON in UTF-8.', { cause })
  }
}
