/** The GraphiQL page, emitted once by the build so that it needs no network and no runtime dependency. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { entryPoint } from '#platform/entry-point.js'

/** Answers with the page; it talks to the path that it was loaded from and streams subscriptions over server-sent events. */
export function createGraphiqlPage(): (response: ServerResponse) => void {
  const path = entryPoint('./graphiql.js', import.meta.url).replace(/\.js$/, '.html')
  const page = readFileSync(path)
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-length': page.byteLength,
    'content-security-policy': contentSecurityPolicy(page.toString('utf8')),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
  return (response) => void response.writeHead(200, headers).end(page)
}

/** Only the scripts that are in the page run, and it reaches nobody but this server: a key is typed into it. */
function contentSecurityPolicy(page: string): string {
  const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, script = '']) => {
    const digest = createHash('sha256').update(script).digest('base64')
    return `'sha256-${digest}'`
  })
  return [
    "default-src 'self'",
    `script-src ${scripts.join(' ')} blob:`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}
