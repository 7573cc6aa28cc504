/** The thread that looks at large bodies before the event loop has to: broken, too deep or too many-valued ones end here. */
import { AppError, invalidRequest } from '#platform/errors.js'
import { parseExactJson } from '#platform/json/exact-json.js'
import { isDeeperThan } from '#platform/json/json-depth.js'
import { holdsMoreValuesThan } from '#platform/json/json-values.js'
import { answerQuestions } from '#platform/thread.js'

export interface BodyQuestion {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly maxDepth: number
  readonly maxValues: number
}

answerQuestions<{ question: BodyQuestion; answer: Uint8Array<ArrayBuffer> }>(({ bytes, maxDepth, maxValues }) => {
  if (holdsMoreValuesThan(bytes, maxValues)) throw invalidRequest(`The body holds more than ${maxValues} values.`)
  if (isDeeperThan(parsed(bytes), maxDepth)) throw invalidRequest(`The body is nested deeper than ${maxDepth} levels.`)
  return { answer: bytes, moved: [bytes.buffer] }
})

function parsed(bytes: Uint8Array<ArrayBuffer>): unknown {
  try {
    return parseExactJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  } catch (cause) {
    throw new AppError('invalid_request_error', 'The body is not valid JSON in UTF-8.', { cause })
  }
}
