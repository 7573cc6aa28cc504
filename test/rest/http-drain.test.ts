/** The end of an HTTP server whose handlers do not all come back, and what a stop does not wait for. */
import { connect } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { systemClock } from '#platform/clock.js'
import { createLog } from '#platform/log.js'
import { createMetrics } from '#platform/metrics.js'
import { createContextSource } from '#platform/requests/request-context.js'
import { startHttpServer, type HttpServerOptions } from '../../src/server/http/http.js'
import { route } from '../../src/edge/route.js'
import { openAiError, sendJson } from '../../src/edge/responses.js'

async function startServer(shutdownMs: number, hot: Partial<Pick<HttpServerOptions, 'cors' | 'direct'>> = {}) {
  const contexts = createContextSource({ authenticate: () => null, clock: systemClock })
  const edge = { contexts, onUnexpected: () => undefined }
  const drained: string[] = []
  const server = await startHttpServer({
    accessLog: null,
    tracer: null,
    host: '127.0.0.1',
    port: 0,
    limits: { headerBytes: 16_384, headerMs: 20_000, keepAliveMs: 75_000, bodyMs: 60_000, drainMs: 60_000, shutdownMs },
    log: createLog({ level: 'silent' }),
    metrics: createMetrics(),
    cors: () => false,
    hint: () => '',
    routeName: (url) => url,
    requests: contexts.requests,
    onDrain: () => drained.push('drained'),
    mount(app) {
      app.get(
        '/hangs',
        route(edge, openAiError, () => new Promise(() => undefined), 'open'),
      )
      app.get(
        '/quick',
        route(edge, openAiError, (_request, response) => sendJson(response, 200, {}), 'open'),
      )
    },
    ...hot,
  })
  return { server, drained, requests: contexts.requests }
}

it('a handler that does not come back is refused, so that its caller hears of the stop', async () => {
  const { server, drained, requests } = await startServer(50)
  const answer = fetch(`${server.url}/hangs`)
  await expect.poll(() => requests.size).toBe(1)
  await server.stop()
  const response = await answer
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await response.json()).toMatchObject({ error: { code: 'shutting_down' } })
  expect(drained).toEqual(['drained'])
})

it('nobody is waited for who asks nothing: not a kept connection, not one that has sent half a request', async () => {
  // The limits are a minute each, so a server that waits does not get to the end of this test.
  const { server } = await startServer(60_000)
  expect((await fetch(`${server.url}/quick`)).status).toBe(200)
  const { hostname, port } = new URL(server.url)
  const half = connect(Number(port), hostname)
  await once(half, 'connect')
  half.write('GET /quick HTTP/1.1\r\nHost: x\r\n')
  const closed = new Promise((resolve) => half.on('error', () => undefined).once('close', resolve))
  await Promise.all([server.stop(), server.stop()])
  await closed
})

it('a hot route is not begun for a client that has left within the turn of the event loop that brought it', async () => {
  const begun: (string | undefined)[] = []
  const { server, requests } = await startServer(50, {
    // The first thing that a request meets, and in this turn.
    cors: (request, response) => {
      if (request.headers['x-leaves']) response.destroy()
      return false
    },
    direct: new Map([
      [
        'GET /hot',
        (request, response) => {
          begun.push(request.url)
          sendJson(response, 200, {})
        },
      ],
    ]),
  })
  await expect(fetch(`${server.url}/hot`, { headers: { 'x-leaves': 'yes' } })).rejects.toThrow(TypeError)
  expect(begun).toEqual([])
  expect((await fetch(`${server.url}/hot`)).status).toBe(200)
  expect([begun, requests.size]).toEqual([['/hot'], 0])
  await server.stop()
})
