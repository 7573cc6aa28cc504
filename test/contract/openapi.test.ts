/** schema/openapi.yaml: it has the routes of the running server and the error table, and it is strict. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorTable } from '#platform/errors.js'
import { packageVersion } from '../../src/platform/package-root.js'
import type { ChatEdge } from '../../src/rest/chat-completions/route.js'
import { restEndpoints } from '../../src/rest/endpoints.js'
import { opsEndpoints, type OpsEdge } from '../../src/rest/ops/route.js'
import { createRouter } from '../../src/rest/router.js'
import { scanEndpoints, type ScanEdge } from '../../src/rest/scan/route.js'
import { startTestApp, type TestApp } from '../kit/app.js'
import { judged } from './judged-calls.js'
import { departures, METHODS, openApi } from './openapi-document.js'

let app: TestApp
const { call } = judged(() => app)

beforeAll(async () => {
  app = await startTestApp({ isOfOneServer: true })
})
afterAll(() => app[Symbol.asyncDispose]())

describe('the routes', () => {
  /** What express holds, in OpenAPI's words: `/models/*id` and `/rentals/:id` are `{}`. */
  const mounted = async () => {
    const routers = [
      createRouter(restEndpoints, {} as ChatEdge),
      createRouter(scanEndpoints, {} as ScanEdge),
      createRouter(opsEndpoints, {} as OpsEdge),
    ]
    const onRouters = routers.flatMap(({ stack }) =>
      stack.flatMap(({ route }) =>
        METHODS.filter((method) => route && (route as unknown as { methods: Record<string, boolean> }).methods[method]).map(
          (method) => `${method} ${route!.path.replace(/[:*]\w+/g, '{}')}`,
        ),
      ),
    )
    // One route takes them all there and says itself which it serves.
    const served = (await call('PUT', '/mcp')).headers.get('allow')!.toLowerCase().split(', ')
    return [...onRouters, ...served.map((method) => `${method} /mcp`)]
  }

  it('of the server are exactly those of the description', async () => {
    const described = Object.entries(openApi.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`),
    )
    expect(described.toSorted()).toEqual((await mounted()).toSorted())
  })
})

describe('the description', () => {
  it('is served as JSON, names the server that was asked and carries the version of the program', async () => {
    const served = (await call('GET', '/openapi.json', { key: null })).json
    expect(served).toEqual({ ...openApi, servers: [{ url: app.url }] })
    expect(openApi.info.version).toBe(packageVersion())
  })

  it('names every code and type of the error table', () => {
    const { ErrorCode, ErrorType, ScanError } = openApi.components.schemas
    expect(ErrorCode!.enum).toEqual(Object.keys(errorTable))
    expect(new Set(ErrorType!.enum)).toEqual(new Set(Object.values(errorTable).map(({ type }) => type)))
    const scannerCodes = new Set(Object.values(errorTable).map(({ scannerCode }) => scannerCode))
    expect(new Set(ScanError!.properties?.['code']?.enum)).toEqual(scannerCodes)
  })

  it('refers to nothing that is not there, and has nothing that nobody refers to', () => {
    const text = JSON.stringify(openApi)
    const used = new Set([...text.matchAll(/"\$ref":"(#[^"]+)"/g)].map(([, pointer]) => pointer!))
    const { schemas, responses, headers } = openApi.components
    const present = Object.entries({ schemas, responses, headers }).flatMap(([kind, group]) =>
      Object.keys(group).map((name) => `#/components/${kind}/${name}`),
    )
    expect([...used].toSorted()).toEqual(present.toSorted())
  })

  it('is strict: an unknown field, a number for a decimal and a missing field are found', async () => {
    const answer = await call('GET', '/v1/credits')
    const changed = (change: (body: Record<string, unknown>) => void) => {
      const body = JSON.parse(answer.text) as Record<string, unknown>
      change(body)
      return departures('GET', '/v1/credits', { ...answer, text: JSON.stringify(body) })
    }
    expect(changed(() => undefined)).toEqual([])
    expect(changed((body) => (body['extra'] = 1))).not.toEqual([])
    expect(changed((body) => (body['balance'] = 10))).not.toEqual([])
    expect(changed((body) => delete body['held'])).not.toEqual([])
    expect(departures('GET', '/v1/credits', { ...answer, status: 418 })).not.toEqual([])
    expect(
      departures('GET', '/v1/credits', { ...answer, headers: new Headers({ 'content-type': 'application/json' }) }),
    ).not.toEqual([])
  })
})
