/** GET /: what this server is and where to go on, as a page for people and as JSON for programs. Holds nothing of any account. */
import { createHash } from 'node:crypto'
import type { RequestHandler } from 'express'
import { sendJson } from '../../edge/responses.js'

interface Place {
  readonly path: string
  readonly name: string
  readonly what: string
}

const PLACES: readonly Place[] = [
  {
    path: '/graphql',
    name: 'GraphQL',
    what: 'GraphiQL in a browser; queries, mutations and subscriptions over server-sent events',
  },
  { path: '/openapi.json', name: 'OpenAPI', what: 'the REST API, which the OpenAI SDKs speak, with its base URL at /v1' },
  { path: '/readyz', name: 'Readiness', what: 'whether requests can be answered now, and if not, why' },
]

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
body { max-width: 42rem; margin: 4rem auto; padding: 0 1.25rem }
h1 { margin: 0; font-size: 1.75rem }
dt { margin-top: 1rem; font-weight: 600 }
dd { margin: 0 }
pre { padding: 1rem; overflow-x: auto; border: 1px solid color-mix(in srgb, currentcolor 20%, transparent); border-radius: .5rem }
`

/** The page has no script, loads nothing and cannot be framed. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'`

/** @param publicUrl where callers reach this server; the host that was asked when null. */
export function homePage(version: string, publicUrl: string | null): RequestHandler {
  return (request, response) => {
    response.vary('Accept')
    if (request.accepts(['html', 'json']) !== 'html') {
      return sendJson(response, 200, {
        name: 'sluice',
        version,
        links: Object.fromEntries(PLACES.map(({ name, path }) => [name.toLowerCase(), path])),
      })
    }
    response.setHeader('content-security-policy', POLICY)
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('referrer-policy', 'no-referrer')
    response.type('html').send(page(version, publicUrl ?? `http://${request.headers.host ?? 'localhost'}`))
  }
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)

const page = (version: string, url: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sluice</title>
<style>${STYLE}</style>
<h1>Sluice</h1>
<p>An inference gateway, version ${escaped(version)}. It runs.</p>
<dl>
${PLACES.map(({ path, name, what }) => `<dt><a href="${path}">${name}</a></dt>\n<dd>${escaped(what)}</dd>`).join('\n')}
</dl>
<p>Ask a model, with the key that the first start printed:</p>
<pre>curl ${escaped(url)}/v1/chat/completions \\
  -H "Authorization: Bearer $SLUICE_API_KEY" -H "Content-Type: application/json" \\
  -d '{"model": "light", "messages": [{"role": "user", "content": "Hello"}]}'</pre>
</html>
`
