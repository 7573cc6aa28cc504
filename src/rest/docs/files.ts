/** The documentation at /docs and /llms.txt, as the build has made it. It is for everybody: nobody needs a key to read it. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Router } from 'express'
import { fileSender } from '../stored-files.js'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
}

/** Pages have no scripts and forms, and look at nothing of another host. */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

/** By address, with a digest of what is in the file. */
type Manifest = Readonly<Record<string, { readonly file: string; readonly digest: string }>>

/** @param folder what the build has written; without it there is no documentation. */
export function documentation(folder: string): Router {
  const router = Router({ caseSensitive: true })
  const list = join(folder, 'files.json')
  if (!existsSync(list)) return router
  const files = new Map(Object.entries(JSON.parse(readFileSync(list, 'utf8')) as Manifest))
  const sendFile = fileSender(folder, new Set(globSync('*', { cwd: folder })))
  router.get(['/docs', '/docs/*path', '/llms.txt', '/llms-full.txt'], (request, response, next) => {
    const found = files.get(request.path.replace(/(?<=.)\/$/, ''))
    if (!found) return next()
    const extension = extname(found.file)
    sendFile(request, response, found.file, {
      'content-type': TYPES[extension] ?? 'application/octet-stream',
      // The stylesheet has a name for each of its contents; pages and Markdown are asked for again and are mostly a 304.
      'cache-control': extension === '.css' ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag: found.digest,
      ...(extension === '.html' && PAGE_HEADERS),
    })
  })
  return router
}
