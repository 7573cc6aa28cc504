/** Event streams on a real socket: the reader's pace, the reader's leaving, and the heartbeat of one who waits. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { startHeartbeat, writePieces, type StreamPiece } from '../../src/edge/sse.js'

let server: Server | undefined
afterEach(() => {
  vi.useRealTimers()
  server?.closeAllConnections()
  server?.close()
})

/** A connection to a server that answers with `handle`. */
async function open(handle: (response: ServerResponse) => void): Promise<Socket> {
  server = createServer((_, response) => handle(response))
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  return socket
}

function counting(lines: string): { source: AsyncIterator<StreamPiece>; taken: () => number; returned: () => boolean } {
  let taken = 0
  let isReturned = false
  return {
    source: {
      next: async () => (taken++, { done: false, value: { lines, endsAnswer: false } }),
      return: async () => ((isReturned = true), { done: true, value: undefined }),
    },
    taken: () => taken,
    returned: () => isReturned,
  }
}

it('a reader that stalls holds the source back, and one that leaves returns it', async () => {
  const endless = counting('x'.repeat(10_000))
  const socket = await open((response) => void writePieces(response, endless.source, () => ''))
  socket.pause()
  // Kernel buffers fill up; after that nothing more is taken.
  let before = -1
  await expect
    .poll(
      () => {
        const stalled = endless.taken() > 0 && endless.taken() === before
        before = endless.taken()
        return stalled
      },
      { interval: 100 },
    )
    .toBe(true)
  expect(endless.taken()).toBeLessThan(5_000)
  expect(endless.returned()).toBe(false)
  socket.destroy()
  await expect.poll(endless.returned).toBe(true)
})

it('pieces that are there at once are one write, and later ones do not wait for each other', async () => {
  let goOn = () => {}
  const pause = new Promise<void>((resolve) => (goOn = resolve))
  async function* pieces() {
    for (const lines of ['1', '2', '3']) yield { lines, endsAnswer: false }
    await pause
    yield { lines: '4', endsAnswer: true }
  }
  const socket = await open((response) => void writePieces(response, pieces(), () => ''))
  let text = ''
  socket.on('data', (data) => (text += String(data)))
  const body = () => text.slice(text.indexOf('\r\n\r\n') + 4)
  const chunkOf = (data: string) => `${data.length.toString(16)}\r\n${data}\r\n`
  const early = chunkOf('data: 1\n\ndata: 2\n\ndata: 3\n\n')
  await expect.poll(body, { interval: 5 }).toBe(early)
  goOn()
  await expect.poll(body, { interval: 5 }).toBe(`${early}${chunkOf('data: 4\n\n')}${chunkOf('data: [DONE]\n\n')}0\r\n\r\n`)
  socket.destroy()
})

it('the heartbeat begins a 200 with comments that end no event', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let stop: (() => void) | undefined
  const socket = await open((response) => {
    stop = startHeartbeat(response)
  })
  let text = ''
  socket.on('data', (data) => (text += String(data)))
  await expect.poll(() => stop, { interval: 5 }).toBeDefined()
  vi.advanceTimersByTime(9_999)
  expect(text).toBe('')
  vi.advanceTimersByTime(10_001)
  stop!()
  await new Promise((resolve) => setImmediate(resolve))
  await vi.waitFor(() => expect(text.match(/: ping\n\n/g)).toHaveLength(2))
  expect(text).toContain('HTTP/1.1 200 OK')
  expect(text).not.toContain('data:')
  socket.destroy()
})
