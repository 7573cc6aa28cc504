/** The error table: each code at each edge, and what of a fault may leave the server. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  AppError,
  errorCodeOf,
  errorTable,
  invalidRequest,
  modelNotFound,
  reworded,
  toAppError,
  type ErrorCode,
} from '#platform/errors.js'
import { packageRoot } from '../../src/platform/package-root.js'
import { requestFaults } from '../../src/graph/graph-errors.js'
import { openAiError, scannerError, sendError, type ErrorShape } from '../../src/edge/responses.js'

/** As the contracts and our decisions beside them state it, written out once more by hand. */
const EXPECTED: Record<ErrorCode, readonly [status: number, type: string, scannerCode: string]> = {
  invalid_request_error: [400, 'invalid_request_error', 'INVALID_REQUEST'],
  pricing_pending: [400, 'invalid_request_error', 'INVALID_REQUEST'],
  context_length_exceeded: [400, 'invalid_request_error', 'INVALID_REQUEST'],
  unsupported_language: [400, 'invalid_request_error', 'UNSUPPORTED_LANGUAGE'],
  authentication_error: [401, 'authentication_error', 'AUTH_ERROR'],
  insufficient_credits: [402, 'insufficient_credits', 'INVALID_REQUEST'],
  insufficient_scope: [403, 'permission_error', 'AUTH_ERROR'],
  model_not_found: [404, 'model_not_found', 'INVALID_REQUEST'],
  not_found: [404, 'not_found_error', 'INVALID_REQUEST'],
  rental_not_found: [404, 'not_found_error', 'INVALID_REQUEST'],
  unsupported_endpoint: [404, 'invalid_request_error', 'INVALID_REQUEST'],
  method_not_allowed: [405, 'invalid_request_error', 'INVALID_REQUEST'],
  not_acceptable: [406, 'invalid_request_error', 'INVALID_REQUEST'],
  offer_unavailable: [409, 'invalid_request_error', 'INVALID_REQUEST'],
  idempotency_conflict: [409, 'invalid_request_error', 'INVALID_REQUEST'],
  conflict: [409, 'invalid_request_error', 'INVALID_REQUEST'],
  payload_too_large: [413, 'invalid_request_error', 'INVALID_REQUEST'],
  unsupported_media_type: [415, 'invalid_request_error', 'INVALID_REQUEST'],
  rate_limit: [429, 'rate_limit', 'RATE_LIMIT'],
  client_closed_request: [499, 'invalid_request_error', 'SERVER_ERROR'],
  server_error: [500, 'server_error', 'SERVER_ERROR'],
  upstream_error: [502, 'upstream_error', 'SERVER_ERROR'],
  model_deploying: [503, 'model_deploying', 'SERVER_ERROR'],
  service_unavailable: [503, 'server_error', 'SERVER_ERROR'],
  shutting_down: [503, 'server_error', 'SERVER_ERROR'],
  timeout: [504, 'upstream_error', 'TIMEOUT'],
}

/** Where GraphQL has a word that its clients know; every other code is the same there. */
const GRAPHQL_WORDS: Partial<Record<ErrorCode, string>> = {
  authentication_error: 'UNAUTHENTICATED',
  service_unavailable: 'SERVICE_UNAVAILABLE',
  shutting_down: 'SERVICE_UNAVAILABLE',
}

const codes = Object.keys(errorTable) as ErrorCode[]

/** The answer of a real server to `thrown`, and what it was told to log. */
async function answerTo(thrown: unknown, shape: ErrorShape = openAiError) {
  const logged: AppError[] = []
  const server = createServer((request, response) => sendError(request, response, thrown, shape, (error) => logged.push(error)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const body = (await response.json()) as Record<string, unknown>
  server.close()
  return { status: response.status, headers: response.headers, body, logged }
}

describe('the table', () => {
  it('is the list in docs/error-codes.md, which says of each when it comes and what to do', () => {
    const document = readFileSync(join(packageRoot, 'docs', 'error-codes.md'), 'utf8')
    const rows = [...document.matchAll(/^\| `(\w+)` \| (?:`(\w+)` )?\| (\d+) \| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm)]
    expect(rows.map(([, code, word, status, scannerCode]) => [code, word ?? code, Number(status), scannerCode])).toEqual(
      codes.map((code) => [code, GRAPHQL_WORDS[code] ?? code, EXPECTED[code][0], EXPECTED[code][2]]),
    )
    const ofRequests = [...document.matchAll(/^\| `([A-Z_]+)` \| (\d+) \| [^|]+ \| [^|]+ \|$/gm)]
    expect(Object.fromEntries(ofRequests.map(([, code, status]) => [code, Number(status)]))).toEqual(requestFaults)
  })

  it('has exactly the codes, statuses and types that are documented', () => {
    const actual = codes.map((code) => {
      const { httpStatus, type, scannerCode } = new AppError(code, 'x')
      return [code, [httpStatus, type, scannerCode]]
    })
    expect(Object.fromEntries(actual)).toEqual(EXPECTED)
  })

  it.each(codes)('%s has its word in GraphQL, and is known again when it comes from a process of ours', (code) => {
    const word = new AppError(code, 'x').graphqlCode
    expect(word).toBe(GRAPHQL_WORDS[code] ?? code)
    // Who stops is unavailable for who asked.
    expect(errorCodeOf(word)).toBe(code === 'shutting_down' ? 'service_unavailable' : code)
    expect(errorCodeOf('INTERNAL_SERVER_ERROR')).toBeNull()
  })

  it.each(codes)('%s leaves as its status in both contract shapes, which stay apart', async (code) => {
    const error = new AppError(code, 'A sentence.', { param: 'messages[0].role' })
    const [status, type, scannerCode] = EXPECTED[code]
    const v1 = await answerTo(error)
    expect(v1.status).toBe(status)
    expect(v1.body).toEqual({ error: { message: 'A sentence.', type, code, param: 'messages[0].role' } })
    const api = await answerTo(error, scannerError)
    expect(api.status).toBe(status)
    expect(api.body).toEqual({ error: 'A sentence.', code: scannerCode, details: 'field: messages[0].role' })
  })
})

describe('headers of a fault', () => {
  it('say when to ask again, as the body of the scanner does', async () => {
    const error = new AppError('rate_limit', 'Slow down.', { retryAfterSeconds: 7 })
    expect((await answerTo(error)).headers.get('retry-after')).toBe('7')
    expect((await answerTo(error, scannerError)).body).toEqual({
      error: 'Slow down.',
      code: 'RATE_LIMIT',
      retry_after_seconds: 7,
    })
  })

  it('keep SDKs from multiplying calls that the failover has made already', async () => {
    const retried = await Promise.all(
      codes.map(async (code) => [code, (await answerTo(new AppError(code, 'x'))).headers.get('x-should-retry')] as const),
    )
    expect(retried.filter(([, value]) => value !== null)).toEqual([['upstream_error', 'false']])
  })
})

describe('what is not an AppError', () => {
  it.each([
    new Error('secret internals at /srv/app/x.ts'),
    'secret text',
    { secret: true },
    null,
    undefined,
    new TypeError('secret'),
  ])('%s is a server_error that says nothing of it, and is logged with its cause', async (thrown) => {
    const { status, body, logged } = await answerTo(thrown)
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toMatch(/secret|srv/)
    expect(body).toMatchObject({ error: { type: 'server_error', code: 'server_error', param: null } })
    expect(logged).toHaveLength(1)
    expect(logged[0]!.cause).toBe(thrown)
  })

  it('stays itself when it is public', () => {
    const error = invalidRequest('Wrong.', 'model')
    expect(toAppError(error)).toBe(error)
  })

  it('a public fault is not logged as a failure of the server', async () => {
    expect((await answerTo(invalidRequest('Wrong.'))).logged).toEqual([])
  })

  it('internal detail and cause never leave, in either shape', async () => {
    const error = new AppError('upstream_error', 'Public.', { detail: 'hidden detail', cause: new Error('hidden cause') })
    for (const shape of [openAiError, scannerError])
      expect(JSON.stringify((await answerTo(error, shape)).body)).not.toContain('hidden')
  })
})

describe('an unknown model', () => {
  it('is named in the message, cut, and without what no screen should get', () => {
    expect(modelNotFound('gpt-5-mni').message).toContain('"gpt-5-mni"')
    expect(modelNotFound('a\u001b[31m\u0000\u202eb').message).toContain('"a[31mb"')
    expect(modelNotFound('x'.repeat(10_000)).message.length).toBeLessThan(200)
  })
})

describe('a reworded fault', () => {
  it('has the words of its edge in message and param, and all else unchanged', () => {
    const options = { param: 'modelId', publicCode: 'x', detail: 'd', cause: 'c', retryAfterSeconds: 3 }
    const fault = new AppError('conflict', 'One of modelId and dockerImage is needed.', options)
    const words = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const { code, publicCode, detail, cause, retryAfterSeconds } = fault
    const kept = { code, publicCode, detail, cause, retryAfterSeconds }
    expect(reworded(fault, words)).toMatchObject({ ...kept, param: 'model_id' })
    expect(reworded(fault, words).message).toBe('_one of model_id and docker_image is needed.')
  })
})
