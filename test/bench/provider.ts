/**
 * The provider of the benchmark, at a tenth of what a gateway costs: an OpenAI-compatible server that reads just enough of a
 * request to know how it ends, and answers with prepared bytes. The model says with what: `json`, or `stream-<chunks>-<ms>` with
 * a chunk every so many milliseconds (0: all at once).
 */
import { createServer, type AddressInfo, type Socket } from 'node:net'

const usage = { prompt_tokens: 12, completion_tokens: 64, total_tokens: 76 }
const base = { id: 'chatcmpl-bench', created: 1_750_000_000, model: 'bench' }

const completion = JSON.stringify({
  ...base,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'some words of an answer '.repeat(14) }, finish_reason: 'stop' }],
  usage,
})
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(completion)}\r\n\r\n${completion}`,
)
const STREAM_HEAD = Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n')

const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const event = (body: object) => chunk(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...body })}\n\n`)
const DELTAS = Array.from({ length: 16 }, (_, index) =>
  Buffer.from(event({ choices: [{ index: 0, delta: { content: `word-${index} ` }, finish_reason: null }] })),
)
const END = Buffer.from(
  `${event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })}${chunk('data: [DONE]\n\n')}0\r\n\r\n`,
)

function stream(socket: Socket, chunks: number, everyMs: number): void {
  socket.write(STREAM_HEAD)
  if (everyMs === 0) {
    for (let index = 0; index < chunks; index++) socket.write(DELTAS[index % DELTAS.length]!)
    return void socket.write(END)
  }
  let sent = 0
  const timer = setInterval(() => {
    if (sent < chunks) return void socket.write(DELTAS[sent++ % DELTAS.length]!)
    clearInterval(timer)
    socket.write(END)
  }, everyMs)
  socket.once('close', () => clearInterval(timer))
}

function answer(socket: Socket, body: string): void {
  const [, chunks, everyMs] = /"model"\s*:\s*"stream-(\d+)-(\d+)"/.exec(body) ?? []
  if (chunks === undefined) socket.write(ANSWER)
  else stream(socket, Number(chunks), Number(everyMs))
}

/** @returns how many characters the first whole request in `text` has, 0 when it is not whole. */
function takeRequest(socket: Socket, text: string): number {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return 0
  const from = end + 4
  const length = /content-length: *(\d+)/i.exec(text.slice(0, end))?.[1]
  if (length !== undefined) {
    const to = from + Number(length)
    if (text.length < to) return 0
    answer(socket, text.slice(from, to))
    return to
  }
  const to = text.indexOf('\r\n0\r\n\r\n', from)
  if (to < 0) return 0
  answer(socket, text.slice(from, to))
  return to + 7
}

const server = createServer({ noDelay: true }, (socket) => {
  let rest = ''
  socket.on('data', (data) => {
    rest += data.toString('latin1')
    for (let taken = takeRequest(socket, rest); taken > 0; taken = takeRequest(socket, rest)) rest = rest.slice(taken)
  })
  socket.on('error', () => socket.destroy())
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
