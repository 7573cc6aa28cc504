/** Files that the build has made, each sent in the smallest of the forms that lie beside it. */
import { readFileSync } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import type { Request, Response } from 'express'
import Negotiator from 'negotiator'

/** What the build writes beside a file, by the name of the encoding, the smallest first. */
const COMPRESSED: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz' }

type FileSender = (request: Request, response: Response, name: string, headers: OutgoingHttpHeaders) => void

/**
 * Every file is read once, when it is first asked for. An `etag` among the headers is that of the file; it gets the encoding's
 * name, since bytes that differ must not share one, and whoever has it already gets a 304.
 *
 * @param names all files of the folder, compressed forms too
 */
export function fileSender(folder: string, names: ReadonlySet<string>): FileSender {
  const read = new Map<string, Buffer>()
  return (request, response, name, { etag, ...headers }) => {
    const accepted = new Negotiator(request).encodings()
    const isThere = (encoding: string) => names.has(name + COMPRESSED[encoding])
    const encoding = Object.keys(COMPRESSED).find((one) => accepted.includes(one) && isThere(one)) ?? 'identity'
    response.vary('Accept-Encoding')
    response.set('x-content-type-options', 'nosniff')
    if (etag !== undefined) response.set('etag', `"${etag}-${encoding}"`)
    if (request.fresh) return void response.writeHead(304, headers).end()
    const file = name + (COMPRESSED[encoding] ?? '')
    const bytes = read.get(file) ?? readFileSync(join(folder, file))
    read.set(file, bytes)
    response.writeHead(200, {
      ...headers,
      'content-length': bytes.length,
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    })
    response.end(bytes)
  }
}
