/** The GraphiQL page, emitted once by the build so that it needs no network and no runtime dependency. */
import { createReadStream, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import Negotiator from 'negotiator'
import { entryPoint } from '#platform/entry-point.js'

/**
 * Answers with the page; it talks to the path that it was loaded from and streams subscriptions over server-sent events.
 * It has nine megabytes, which stay on the disk.
 */
export function createGraphiqlPage(): (request: IncomingMessage, response: ServerResponse) => void {
  const emitted = (extension: string) => entryPoint('./graphiql.js', import.meta.url).replace(/\.js$/, extension)
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': readFileSync(emitted('.csp'), 'utf8'),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
  return (request, response) => {
    const isPacked = new Negotiator(request).encodings(['gzip', 'identity'])[0] === 'gzip'
    response.appendHeader('vary', 'Accept-Encoding')
    if (isPacked) response.setHeader('content-encoding', 'gzip')
    response.writeHead(200, headers)
    // A reader that left is nobody's fault; a file that cannot be read ends the connection, because its status is out.
    pipeline(createReadStream(emitted(isPacked ? '.html.gz' : '.html')), response, () => undefined)
  }
}
