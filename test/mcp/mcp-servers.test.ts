/** MCP through a balancer that knows nothing of sessions: any of several servers answers any request of one. */
import { createServer, request as sendRequest } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { randomBytes } from 'node:crypto'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../kit/app.js'
import { testLocation, type TestLocation } from '../kit/database.js'
import { dangerous } from './samples.js'

let database: TestLocation
let apps: TestApp[]
const adminKey = randomBytes(24).toString('hex')

beforeAll(async () => {
  database = await testLocation('postgres')
  const env = { SLUICE_DATABASE_URL: database.url, SLUICE_DATABASE_MIGRATE: 'true', SLUICE_ADMIN_KEY: adminKey }
  apps = [await startTestApp({ env }), await startTestApp({ env })]
}, 60_000)
afterAll(async () => {
  for (const app of apps) await app[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** Passes each request to the next server in turn. */
async function startBalancer(): Promise<{ url: string; close: () => void }> {
  let turn = 0
  const balancer = createServer((incoming, outgoing) => {
    const { hostname, port } = new URL(apps[turn++ % apps.length]!.url)
    const { method, url: path, headers } = incoming
    const passed = sendRequest({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      outgoing.on('close', () => answer.destroy())
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(balancer, 'listening')
  const close = () => {
    balancer.close()
    balancer.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`, close }
}

it('a session goes on at whichever server its requests reach, is cancelled and ended in all of them', async () => {
  const balancer = await startBalancer()
  const client = new Client({ name: 'test', version: '1.0.0' })
  const headers = { authorization: `Bearer ${adminKey}` }
  const transport = new StreamableHTTPClientTransport(new URL(`${balancer.url}/mcp`), { requestInit: { headers } })
  await client.connect(transport)
  expect((await client.listTools()).tools).toHaveLength(5)
  for (let turn = 0; turn < 4; turn++) {
    const result = await client.callTool({ name: 'scan_code', arguments: { code: dangerous, language: 'python' } })
    expect(result.structuredContent).toMatchObject({ status: 'completed', summary: { total_violations: 1 } })
  }

  // The log level that one server was told holds in the other once it has heard of it.
  const messages: object[] = []
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void messages.push(params))
  await client.setLoggingLevel('debug')
  const logged = async () => {
    messages.length = 0
    for (let turn = 0; turn < 2; turn++) await client.callTool({ name: 'get_config', arguments: {} })
    return messages.length
  }
  await expect.poll(logged, { timeout: 10_000 }).toBe(2)

  // The cancellation of a call reaches the server that is at work on it, although it arrives at the other.
  // Many files: on a busy machine too the first one is told long before the time of the scan is over.
  const slow = 'function f(a) { return a + 1 }\n'.repeat(4_000)
  const files = Array.from({ length: 100 }, () => ({ code: slow, language: 'javascript' }))
  const controller = new AbortController()
  const running = client.callTool({ name: 'batch_scan', arguments: { files } }, undefined, {
    signal: controller.signal,
    onprogress: () => controller.abort(),
  })
  await expect(running).rejects.toThrow()
  const newest = async () => {
    const query = '{ scans(first: 1) { nodes { status error } } }'
    const { scans } = await apps[0]!.graphql<{ scans: { nodes: { status: string; error: string | null }[] } }>(query)
    return scans.nodes[0]
  }
  await expect.poll(newest, { timeout: 20_000 }).toEqual({ status: 'ERROR', error: 'The client left.' })

  const session = { ...headers, 'mcp-session-id': transport.sessionId ?? '', 'content-type': 'application/json' }
  await transport.terminateSession()
  await client.close()
  for (const app of apps) {
    const ping = async () => {
      const accept = 'application/json, text/event-stream'
      const init = {
        method: 'POST',
        headers: { ...session, accept },
        body: JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'ping' }),
      }
      const response = await fetch(`${app.url}/mcp`, init)
      await response.text()
      return response.status
    }
    await expect.poll(ping, { timeout: 10_000 }).toBe(404)
  }
  balancer.close()
}, 60_000)
