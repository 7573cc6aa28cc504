/** The OpenAPI description of declared routes. Everything in it is said where the routes are; here is how it is put together. */
import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi'
import { faultStatuses, openApiPath, type Answer, type Endpoint } from '../endpoint.js'
import { faultAnswers } from './fault-answers.js'
import { requestId } from './shapes.js'
import { tidied } from './tidied.js'

/** What is said of the API as a whole, and of groups of its routes. */
export interface ApiProse {
  readonly title: string
  readonly summary: string
  readonly description: string
  readonly serverUrl: string
  readonly serverDescription: string
  readonly apiKey: string
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** Descriptions of paths with several methods. */
  readonly paths: Readonly<Record<string, string>>
}

export interface DescribedApi {
  readonly endpoints: readonly Endpoint[]
  readonly prose: ApiProse
  readonly version: string
}

/** The document as an object, the same for the same declarations. */
export function openApiDocument({ endpoints, prose, version }: DescribedApi): object {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = openApiPath(endpoint.path)
    const description = prose.paths[path]
    paths[path] ??= description === undefined ? {} : { description }
    paths[path][endpoint.method] = operation(endpoint)
  }
  const document = createDocument({
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: prose.title,
      version,
      summary: prose.summary,
      description: prose.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: prose.serverUrl, description: prose.serverDescription }],
    security: [{ apiKey: [] }],
    tags: [...prose.tags],
    paths,
    components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: prose.apiKey } } },
  })
  return tidied(document) as object
}

function operation(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { operationId, tag, summary, description, access, input } = endpoint
  const { path, query, headers: header, body } = input
  const requestParams = { ...(path && { path }), ...(query && { query }), ...(header && { header }) }
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(access !== 'key' && { security: [] }),
    ...(Object.keys(requestParams).length > 0 && { requestParams }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: responses(endpoint),
  }
}

function responses(endpoint: Endpoint): Record<`${number}`, ZodOpenApiResponseObject> {
  const { access, faultShape, answers } = endpoint
  const faults = faultStatuses(endpoint).filter((status) => !(status in answers))
  return Object.fromEntries([
    ...Object.entries(answers).map(([status, answer]) => [status, answerResponse(answer, access !== 'probe')]),
    ...faults.map((status) => {
      const answer = faultAnswers[faultShape][status]
      if (!answer) throw new Error(`${endpoint.operationId} answers ${status}, of which nothing is said.`)
      return [String(status), answer]
    }),
  ]) as Record<`${number}`, ZodOpenApiResponseObject>
}

function answerResponse({ description, body, content, headers }: Answer, hasRequestId: boolean): ZodOpenApiResponseObject {
  const named = { ...(hasRequestId && { 'x-request-id': requestId }), ...headers }
  const types = content ?? (body && { 'application/json': { schema: body } })
  return {
    description,
    ...(Object.keys(named).length > 0 && { headers: z.object(named) }),
    ...(types && { content: Object.fromEntries(Object.entries(types).map(([type, content]) => [type, { ...content }])) }),
  }
}
