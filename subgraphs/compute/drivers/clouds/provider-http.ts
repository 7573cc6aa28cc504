/** HTTP to a provider: JSON both ways, and one reading of status codes that every HTTP driver shares. */
import { request } from 'undici'
import { DriverError } from '../driver.js'

export interface ProviderHttp {
  readonly baseUrl: string
  /** From the operator's configuration; sent as bearer token and never logged. */
  readonly apiKey: string
  /** Of one answer. */
  readonly maxAnswerBytes: number
}

export interface ProviderAnswer {
  readonly status: number
  /** Parsed JSON; null for an empty or unreadable body. */
  readonly body: unknown
}

export interface ProviderCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly signal: AbortSignal
}

const DEFAULT_RETRY_MS = 5_000
const MAX_RETRY_MS = 300_000

/**
 * Sends one request. Refused credentials, rate limits and answers that tell nothing become faults here; every other answer
 * (2xx, 400, 404, 409, 422) goes back to the driver.
 *
 * @throws DriverError auth, rate_limited or in_doubt
 */
export async function callProvider(http: ProviderHttp, { method, path, body, signal }: ProviderCall): Promise<ProviderAnswer> {
  let status: number
  let text: string
  let retryAfter: string | undefined
  try {
    const response = await request(new URL(path, http.baseUrl), {
      method,
      headers: {
        authorization: `Bearer ${http.apiKey}`,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    })
    status = response.statusCode
    retryAfter = oneHeader(response.headers['retry-after'])
    text = await readText(response.body, http.maxAnswerBytes)
  } catch (cause) {
    throw new DriverError({ kind: 'in_doubt' }, `no answer to ${method} ${path}`, { cause })
  }
  if (status === 401 || status === 403) throw new DriverError({ kind: 'auth' }, `${status} to ${method} ${path}`)
  if (status === 429)
    throw new DriverError({ kind: 'rate_limited', retryAfterMs: retryMs(retryAfter) }, `429 to ${method} ${path}`)
  if (status >= 500 || status === 408) throw new DriverError({ kind: 'in_doubt' }, `${status} to ${method} ${path}`)
  const answer = parse(text)
  // A page of some proxy in between says nothing about instances.
  if (status < 400 && text !== '' && answer === null) throw new DriverError({ kind: 'in_doubt' }, `no JSON to ${method} ${path}`)
  return { status, body: answer }
}

const oneHeader = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

function retryMs(header: string | undefined): number {
  const seconds = Number(header)
  return header !== undefined && seconds >= 0 ? Math.min(MAX_RETRY_MS, Math.max(1_000, seconds * 1000)) : DEFAULT_RETRY_MS
}

async function readText(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > maxBytes) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** A field of an answer that may be anything. */
export function field(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined
    current = (current as Record<string | number, unknown>)[key]
  }
  return current
}

export const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A JSON number of US dollars as nano-USD; null for anything that is not a price. */
export function dollars(value: unknown): bigint | null {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0 || value > 1_000_000) return null
  return BigInt(value.toFixed(9).replace('.', ''))
}
