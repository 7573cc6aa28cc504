import { request, type IncomingHttpHeaders } from 'node:http'

/** Without what `fetch` adds: it decompresses, and it asks caches for nothing old as soon as a request has conditions. */
export const rawGet = (url: string, path: string, headers: Record<string, string>) =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    request(`${url}${path}`, { headers }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => resolve({ status: incoming.statusCode!, headers: incoming.headers, bytes: Buffer.concat(chunks) }))
    })
      .once('error', reject)
      .end()
  })
