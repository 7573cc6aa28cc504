/** Event streams whose readers do not read, over a real connection; only the time is virtual. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, it, vi } from 'vitest'
import { roomToWrite } from '../../src/edge/reader-pace.js'
import { ManualClock } from '../kit/manual-clock.js'

const STALLED_MS = 60_000
const CHUNK = 'x'.repeat(1_000_000)

/** A response whose client has stopped to read, with more written than the kernel takes. */
async function withStalledReader(work: (response: ServerResponse, read: () => void) => Promise<void>): Promise<void> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  try {
    client.pause()
    client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
    // What goes on is told by the socket: everything that it could hand over is gone.
    for (let chunks = 0; chunks < 16; chunks++) response.write(CHUNK)
    await work(response, () => client.resume())
  } finally {
    client.destroy()
    server.closeAllConnections()
    server.close()
  }
}

it('a reader that takes nothing for the time limit is cut off, and whoever writes goes on', async () => {
  await withStalledReader(async (response) => {
    const clock = new ManualClock()
    let isOver = false
    const waiting = roomToWrite(response, { clock, stalledMs: STALLED_MS }).then(() => (isOver = true))
    await clock.advance(STALLED_MS - 1)
    expect([isOver, response.destroyed]).toEqual([false, false])
    await clock.advance(1)
    await waiting
    expect(response.destroyed).toBe(true)
  })
})

it('a reader that goes on in time is written to, also after the limit', async () => {
  await withStalledReader(async (response, read) => {
    const clock = new ManualClock()
    const waiting = roomToWrite(response, { clock, stalledMs: STALLED_MS })
    await clock.advance(STALLED_MS - 1)
    read()
    await waiting
    await clock.advance(STALLED_MS)
    expect([response.destroyed, response.writableNeedDrain]).toEqual([false, false])
  })
})

it('a reader that leaves ends the wait', async () => {
  await withStalledReader(async (response) => {
    const waiting = roomToWrite(response, { clock: new ManualClock(), stalledMs: STALLED_MS })
    response.socket!.destroy()
    await waiting
    expect(await vi.waitUntil(() => response.destroyed)).toBe(true)
  })
})
