/** The parameters of a GraphQL request, from a JSON body or from a URL, as the specification of GraphQL over HTTP has them. */
import type { IncomingMessage } from 'node:http'
import { AppError } from '#platform/errors.js'
import { parseExactJson } from '#platform/json/exact-json.js'
import { readJsonObject, type BodyLimits, type LargeReader } from '../edge/json-body.js'
import { Refusal } from './graph-errors.js'

export interface GraphRequest {
  readonly method: 'GET' | 'POST'
  /** The text of the document. */
  readonly query: string
  readonly operationName: string | null
  readonly variables: Readonly<Record<string, unknown>>
}

/**
 * Reads and checks the parameters.
 *
 * @throws Refusal when they are not those of a GraphQL request; AppError for another method, and for a body over its limits.
 */
export async function readGraphRequest(request: IncomingMessage, limits: BodyLimits, large: LargeReader): Promise<GraphRequest> {
  const { method } = request
  if (method !== 'GET' && method !== 'POST') throw new AppError('method_not_allowed', '/graphql takes GET and POST.')
  const given = method === 'GET' ? urlParameters(request.url ?? '') : await bodyParameters(request, limits, large)
  const { query, operationName, variables, extensions } = given
  if (variables !== undefined && !isMap(variables)) throw malformed('"variables" must be a JSON object.')
  if (extensions !== undefined && !isMap(extensions)) throw malformed('"extensions" must be a JSON object.')
  if (operationName !== undefined && typeof operationName !== 'string') throw malformed('"operationName" must be a string.')
  if (query === undefined && extensions?.['persistedQuery']) {
    throw new Refusal('PERSISTED_QUERY_NOT_SUPPORTED', ['PersistedQueryNotSupported'])
  }
  if (typeof query !== 'string' || query === '') throw malformed('"query" must be the text of a GraphQL document.')
  return { method, query, operationName: operationName || null, variables: variables ?? {} }
}

type Parameters = Readonly<Record<string, unknown>>

/** `null` counts as left out. */
const present = (parameters: Parameters): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== null))

async function bodyParameters(request: IncomingMessage, limits: BodyLimits, large: LargeReader): Promise<Parameters> {
  if (request.headers['content-type'] === undefined) {
    throw new AppError('unsupported_media_type', 'Send the request as "Content-Type: application/json".')
  }
  return present(await readJsonObject(request, limits, large))
}

function urlParameters(url: string): Parameters {
  const search = new URLSearchParams(url.split('?')[1] ?? '')
  return present({
    query: search.get('query'),
    operationName: search.get('operationName'),
    variables: jsonParameter(search, 'variables'),
    extensions: jsonParameter(search, 'extensions'),
  })
}

function jsonParameter(search: URLSearchParams, name: string): unknown {
  const text = search.get(name)
  if (text === null || text === '') return null
  try {
    return parseExactJson(Buffer.from(text))
  } catch {
    throw malformed(`"${name}" must be a JSON object.`)
  }
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const malformed = (message: string) => new Refusal('BAD_REQUEST', [message])
