/**
 * The provider of the benchmark: an OpenAI-compatible server that answers at once from prepared bytes, so that what is measured
 * is the gateway in front of it. Prints its URL.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const CHUNKS = Number(process.argv[2] ?? 100)
const usage = { prompt_tokens: 12, completion_tokens: CHUNKS, total_tokens: 12 + CHUNKS }
const base = { id: 'chatcmpl-bench', created: 1_750_000_000, model: 'bench' }

const answer = Buffer.from(
  JSON.stringify({
    ...base,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'word '.repeat(CHUNKS) }, finish_reason: 'stop' }],
    usage,
  }),
)

const frame = (body: object) => `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...body })}\n\n`
const deltas = Array.from({ length: CHUNKS }, (_, index) =>
  Buffer.from(
    frame({
      choices: [
        { index: 0, delta: index === 0 ? { role: 'assistant', content: 'word ' } : { content: 'word ' }, finish_reason: null },
      ],
    }),
  ),
)
const end = Buffer.from(
  frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) + frame({ choices: [], usage }) + 'data: [DONE]\n\n',
)

const server = createServer((request, response) => {
  const body: Buffer[] = []
  request.on('data', (chunk: Buffer) => body.push(chunk))
  request.on('end', () => {
    if (!Buffer.concat(body).includes('"stream":true')) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
      return void response.end(answer)
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    // A frame a turn of the event loop, as a model would send them: each is a segment of its own.
    let sent = 0
    const next = () => {
      if (sent === deltas.length) return void response.end(end)
      response.write(deltas[sent++]!)
      setImmediate(next)
    }
    next()
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`)
})
