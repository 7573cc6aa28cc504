/** A subscription that crosses to another process ends with the reason for which it was ended here, or broke there. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ExecutionResult } from '@graphql-tools/utils'
import { expect, it } from 'vitest'
import { systemClock } from '#platform/clock.js'
import { authenticationError } from '#platform/requests/context.js'
import { serverStops } from '#platform/requests/end-reasons.js'
import { connectSubgraph } from '../../src/graph/gateway/remote/remote-subgraph.js'
import { createRequestBodies } from '../../src/graph/gateway/remote/request-bodies.js'
import { contextFor } from '../inference/chat-kit.js'

const EVENT = 'event: next\ndata: {"data":{"tick":1}}\n\n'

/** What a gateway sees of a subscription after its first event, when `cut` is called then. */
async function lastResult(cut: (response: ServerResponse) => void, signal: AbortSignal): Promise<ExecutionResult | undefined> {
  let response: ServerResponse | undefined
  const server = createServer((_request, opened) => {
    response = opened.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(EVENT)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const subgraph = connectSubgraph({
    name: 'toy',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    limits: { connectMs: 5_000, answerMs: 30_000, idleMs: 30_000, silenceMs: 30_000 },
    clock: systemClock,
    bodies: createRequestBodies(),
    watch: { failed: () => undefined, answered: () => undefined },
  })
  const request = { query: 'subscription { tick }', variables: {}, context: contextFor({ signal }) }
  const results = (await subgraph.follow(request)) as AsyncIterable<ExecutionResult>
  const seen: ExecutionResult[] = []
  for await (const result of results) {
    seen.push(result)
    if (seen.length === 1) cut(response!)
  }
  await subgraph.close()
  server.closeAllConnections()
  server.close()
  return seen.length > 1 ? seen.at(-1) : undefined
}

it.each([
  ['the key ended', authenticationError()],
  ['the gateway stops', serverStops()],
])('%s: the reason of the request, not a fault of the subgraph', async (_, reason) => {
  const request = new AbortController()
  const last = await lastResult(() => request.abort(reason), request.signal)
  expect(last?.errors?.[0]?.originalError).toBe(reason)
})

it.each<[string, (response: ServerResponse) => void]>([
  ['ends without a complete', (response) => response.end()],
  ['loses its connection', (response) => response.socket!.resetAndDestroy()],
])('a subgraph that %s has broken off, and that is told', async (_, cut) => {
  const last = await lastResult(cut, new AbortController().signal)
  expect(last?.errors?.[0]?.originalError).toMatchObject({ code: 'service_unavailable' })
})
