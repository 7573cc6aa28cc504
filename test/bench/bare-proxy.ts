/** The yardstick of the benchmark: node:http in, undici out, bytes passed through unread; no key, no bill. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'

const pool = new Pool(process.argv[2]!, { connections: 1024, pipelining: 1 })

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const abort = new AbortController()
    response.once('close', () => response.writableFinished || abort.abort())
    const body = Buffer.concat(parts)
    const headers = { 'content-type': 'application/json' }
    pool.request({ path: request.url ?? '/', method: 'POST', headers, body, signal: abort.signal }).then(
      (answer) => {
        const { 'content-type': type, 'content-length': length } = answer.headers
        response.writeHead(answer.statusCode, {
          'content-type': String(type),
          ...(length ? { 'content-length': String(length) } : {}),
        })
        answer.body.on('data', (part: Buffer) => {
          if (response.write(part)) return
          answer.body.pause()
          response.once('drain', () => answer.body.resume())
        })
        answer.body.on('end', () => response.end())
        answer.body.on('error', () => response.destroy())
      },
      () => (response.headersSent ? response.destroy() : response.writeHead(502).end()),
    )
  })
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
