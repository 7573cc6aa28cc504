/** The peer of the benchmark: what Node can do at all. http in, undici dispatch out, bytes passed through unread. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'

const upstream = new URL(process.argv[2]!)
const pool = new Pool(upstream.origin, { connections: 128, pipelining: 1 })

const server = createServer((request, response) => {
  const body: Buffer[] = []
  request.on('data', (chunk: Buffer) => body.push(chunk))
  request.on('end', () => {
    pool.dispatch(
      {
        method: 'POST',
        path: `${upstream.pathname}/chat/completions`,
        headers: { 'content-type': 'application/json' },
        body: Buffer.concat(body),
      },
      {
        onRequestStart() {},
        onResponseStart(_controller, status, headers) {
          response.writeHead(status, { 'content-type': String(headers['content-type']) })
        },
        onResponseData(_controller, chunk) {
          response.write(chunk)
        },
        onResponseEnd() {
          response.end()
        },
        onResponseError() {
          response.destroy()
        },
      },
    )
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`))
