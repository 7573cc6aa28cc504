/** What a caller who asked for a path that does not exist probably meant. */
import type { Endpoint } from '../edge/endpoint.js'

/** A sentence with a space before it, or nothing. */
export type PathHint = (method: string, path: string) => string

/** Of a declared route, or of one that another edge serves. */
export type KnownRoute = Pick<Endpoint, 'method' | 'path'>

/** Names that other servers, or other versions of their APIs, have for what is here. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  '/v1/completions': '/v1/chat/completions',
  '/v1/chat': '/v1/chat/completions',
  '/v1/chat/completion': '/v1/chat/completions',
  '/v1/generate': '/v1/chat/completions',
  '/v1/engines': '/v1/models',
  '/v1/tags': '/v1/models',
  '/v1/prices': '/v1/pricing',
  '/v1/balance': '/v1/credits',
  '/v1/rentals': '/v1/gpu/rentals',
  '/v1/offers': '/v1/gpu/offers',
  '/v1/scan': '/api/scan',
  '/v1/graphql': '/graphql',
  '/v1/mcp': '/mcp',
  '/mcp/sse': '/mcp',
  '/sse': '/mcp',
  '/health': '/healthz',
  '/ready': '/readyz',
}

export function createPathHint(known: readonly KnownRoute[]): PathHint {
  const byPath = Map.groupBy(known, ({ path }) => path)
  const routes = [...byPath].map(([path, group]) => ({
    form: formOf(path),
    methods: group.map(({ method }) => method.toUpperCase()),
  }))
  const found = (path: string) => routes.find(({ form }) => form.test(path))
  return (method, path) => {
    for (const guess of guesses(path)) {
      const route = guess === path ? undefined : found(guess)
      if (!route) continue
      const best = route.methods.includes(method) ? method : route.methods[0]
      return ` Use ${best} ${guess}.`
    }
    return ''
  }
}

/** What a declared path matches. */
export const formOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\+\w+\}/g, '.+').replace(/\{\w+\}/g, '[^/]+')}$`)

/** Longest that is looked at: the path is the caller's. */
const MAX_PATH = 200

function* guesses(path: string): Generator<string> {
  if (path.length > MAX_PATH) return
  const plain = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
  // A base URL that holds the version already, or that of another product.
  const bare = plain.replace(/^(?:\/(?:api|openai|v1|v1beta)(?=\/))+/i, '')
  for (const guess of [plain, plain.toLowerCase(), `/v1${bare}`, `/v1${bare.toLowerCase()}`, `/api${bare}`, bare]) {
    yield guess
    const other = OTHER_NAMES[guess]
    if (other !== undefined) yield other
  }
}
