/** What an operator reads of a subgraph in another process that goes away and comes back. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { systemClock } from '#platform/clock.js'
import { createLog } from '#platform/log.js'
import { connectSubgraph } from '../../src/graph/gateway/remote/remote-subgraph.js'
import { createRequestBodies } from '../../src/graph/gateway/remote/request-bodies.js'
import { createSubgraphWatch } from '../../src/graph/gateway/remote/subgraph-watch.js'
import { contextFor } from '../inference/chat-kit.js'
import { ManualClock } from '../kit/manual-clock.js'

const REQUEST = { query: '{ secret(of: "prompt") }', variables: {}, context: contextFor({}) }

let server: Server | null = null
let close: () => Promise<void> = () => Promise.resolve()

async function listen(port: number, answer: string): Promise<number> {
  const opened = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(answer)
  })
  server = opened
  await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve))
  return (opened.address() as AddressInfo).port
}

async function stop(): Promise<void> {
  const stopped = server
  server = null
  if (!stopped) return
  stopped.closeAllConnections()
  await new Promise((resolve) => stopped.close(resolve))
}

afterEach(async () => {
  await close()
  await stop()
})

function watched(port: number) {
  const lines: Record<string, unknown>[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }
  const clock = new ManualClock()
  const subgraph = connectSubgraph({
    name: 'pricing',
    endpoint: `http://127.0.0.1:${port}/graphql`,
    limits: { connectMs: 5_000, answerMs: 30_000, idleMs: 30_000, silenceMs: 30_000 },
    clock: systemClock,
    bodies: createRequestBodies(),
    watch: createSubgraphWatch('pricing', clock, createLog({ level: 'info', destination })),
  })
  close = () => subgraph.close()
  return { subgraph, clock, lines }
}

it('is one line when it stops answering and one when it answers again', async () => {
  const port = await listen(0, '{"data":{}}')
  const { subgraph, clock, lines } = watched(port)
  await subgraph.ask(REQUEST)
  expect(lines).toEqual([])

  await stop()
  await subgraph.ask(REQUEST)
  await subgraph.ask(REQUEST)
  expect(await subgraph.isAnswering(1_000)).toBe(false)
  expect(lines).toEqual([expect.objectContaining({ level: 50, subgraph: 'pricing', reason: 'ECONNREFUSED' })])

  await listen(port, '{"data":{}}')
  await clock.advance(1_999)
  await subgraph.ask(REQUEST)
  expect(lines).toHaveLength(1)
  await clock.advance(3_001)
  await subgraph.ask(REQUEST)
  await subgraph.ask(REQUEST)
  expect(lines.slice(1)).toEqual([expect.objectContaining({ level: 30, subgraph: 'pricing', seconds: 5, failures: 3 })])
})

it('is also one that answers with something else than GraphQL, of which nothing is told', async () => {
  const { subgraph, clock, lines } = watched(await listen(0, '{"hello":"from a stranger"}'))
  await subgraph.ask(REQUEST)
  await clock.advance(10_000)
  await subgraph.ask(REQUEST)
  expect(lines).toEqual([expect.objectContaining({ subgraph: 'pricing', reason: 'The answer is not of GraphQL.' })])
  expect(JSON.stringify(lines)).not.toMatch(/stranger|secret/)
})

it('is none when the caller left', async () => {
  const { subgraph, lines } = watched(await listen(0, '{"data":{}}'))
  await subgraph.ask({ ...REQUEST, context: contextFor({ signal: AbortSignal.abort() }) })
  expect(lines).toEqual([])
})
