/** Large bodies over real connections: how much of them the event loop reads before it looks at everything else. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { systemClock } from '#platform/clock.js'
import { readJson } from '../../src/edge/json-body.js'
import { createLargeBodies } from '../../src/edge/large-bodies.js'

const SENDERS = 30
const BODY = JSON.stringify({ text: 'x'.repeat(1_000_000) })
/** What Node takes from a socket at once. */
const CHUNK_BYTES = 65_536
/** Those whose turn it is, and what came of the last ones meanwhile. */
const MOST_CHUNKS = 8
const ROOM = Number.MAX_SAFE_INTEGER

const HEADS = { declared: `content-length: ${BODY.length}\r\n\r\n`, chunked: 'transfer-encoding: chunked\r\n\r\n' }
const BODIES = { declared: BODY, chunked: `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n` }

it.each(['declared', 'chunked'] as const)(
  'of many %s bodies a few are read by a chunk in a turn of the event loop',
  async (form) => {
    const large = createLargeBodies(
      { fromBytes: 1_000, accountBytes: ROOM, totalBytes: ROOM, accountWaiting: 0, waitMs: 0, maxValues: ROOM },
      systemClock,
    )
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    let admit = (): void => undefined
    const begun = new Promise<void>((resolve) => (admit = resolve))
    let waiting = 0
    const allWait = new Promise<void>((resolve) => {
      server.on('newcomer', () => ++waiting === SENDERS && resolve())
    })
    let bytes = 0
    const count = (request: IncomingMessage) => request.on('data', (chunk: Buffer) => (bytes += chunk.length))
    const texts: string[] = []
    const reading = new Promise<void>((resolve) => {
      server.on('request', (request: IncomingMessage) => {
        const reader = {
          fromBytes: 1_000,
          turns: large.turns,
          async enter() {
            server.emit('newcomer')
            await begun
            count(request)
          },
          parse: (shared: Uint8Array) => Promise.resolve(Buffer.from(shared).toString()),
        }
        void readJson(request, { maxBytes: 10_000_000 }, reader).then(
          (text) => texts.push(text as string) === SENDERS && resolve(),
        )
      })
    })
    const clients = Array.from({ length: SENDERS }, () => connect(port, '127.0.0.1'))
    try {
      for (const client of clients) client.write(`POST / HTTP/1.1\r\nhost: a\r\n${HEADS[form]}${BODIES[form]}`)
      await allWait
      admit()
      let most = 0
      let isRead = false
      void reading.then(() => (isRead = true))
      while (!isRead) {
        const before = bytes
        await turn()
        most = Math.max(most, bytes - before)
      }
      expect(most).toBeLessThanOrEqual(MOST_CHUNKS * CHUNK_BYTES)
      expect(new Set(texts)).toEqual(new Set([BODY]))
    } finally {
      for (const client of clients) client.destroy()
      server.closeAllConnections()
      server.close()
      await large.stop()
    }
  },
)
