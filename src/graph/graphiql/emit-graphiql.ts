/** Build step: writes the offline GraphiQL page beside the compiled graph machine, as it is sent, and its security policy. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import { EXAMPLES } from './examples.js'

// Whoever is signed in to the console asks with that session; others write "Bearer <API_KEY>" here.
const HEADERS = JSON.stringify({ authorization: '', 'x-sluice-console': '1' }, null, 2)

const page = renderGraphiQL({
  title: 'Sluice GraphiQL',
  subscriptionsProtocol: 'GRAPHQL_SSE' as never,
  isHeadersEditorEnabled: true,
  defaultHeaders: HEADERS,
  headers: HEADERS,
  // For who has none of their own yet.
  defaultTabs: EXAMPLES.map(({ query, variables }) => ({
    query,
    headers: HEADERS,
    ...(variables && { variables: JSON.stringify(variables, null, 2) }),
  })),
})
const here = (name: string) => new URL(name, import.meta.url)
writeFileSync(here('./graphiql.html'), page)
writeFileSync(here('./graphiql.html.gz'), gzipSync(page, { level: 9 }))
writeFileSync(here('./graphiql.csp'), contentSecurityPolicy())

/** Only the scripts that are in the page run, and it reaches nobody but this server: a key is typed into it. */
function contentSecurityPolicy(): string {
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
