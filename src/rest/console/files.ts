/**
 * The files of the console, as the build has made them: hashed names that browsers keep for ever, each with its compressed forms
 * beside it, and one page for every path that the console has a page for.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { Router, type RequestHandler } from 'express'
import { sendJson } from '../../edge/responses.js'
import { fileSender } from '../stored-files.js'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Only this server's own files run, and they reach nobody else. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** @param folder what the build has written; without it there is no console. */
export function consoleFiles(folder: string): Router {
  const router = Router({ caseSensitive: true })
  if (!existsSync(join(folder, 'index.html'))) return router
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const sendPage = (files: readonly string[]): RequestHandler => {
    const links = files.map((path) => `<link rel="modulepreload" crossorigin href="${path}">`)
    const html = page.replace('</head>', () => `${links.join('')}</head>`)
    return (request, response, next) => {
      response.vary('Accept')
      if (request.accepts(['json', 'html']) !== 'html') return next()
      response.writeHead(200, PAGE_HEADERS).end(html)
    }
  }
  /** Of each page the files that it loads beside the entry's. */
  const pages = Object.entries(JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as Record<string, readonly string[]>)
  router.get('/', sendPage(pages[0]?.[1] ?? []))
  for (const [path, files] of pages) {
    router.get(path, sendPage(files))
    router.get(`${path}/*below`, sendPage([]))
  }

  const names = new Set(globSync('assets/*', { cwd: folder }).map((name) => `/${name}`))
  const sendFile = fileSender(folder, names)
  router.get('/assets/:name', (request, response, next) => {
    if (!names.has(request.path)) return next()
    sendFile(request, response, request.path, {
      'content-type': TYPES[extname(request.path)] ?? 'application/octet-stream',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })
  return router
}

/** GET / for programs: what this server is and where to go on. Holds nothing of any account. */
export const homeAnswer =
  (version: string): RequestHandler =>
  (_request, response) =>
    sendJson(response, 200, {
      name: 'sluice',
      version,
      links: { graphql: '/graphql', openapi: '/openapi.json', docs: '/docs', readiness: '/readyz' },
    })
