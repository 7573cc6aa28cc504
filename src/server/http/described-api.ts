/** The HTTP API as a whole: every declared route of every edge, and what the OpenAPI description says of all of them. */
import { packageVersion } from '#platform/package-root.js'
import type { Endpoint } from '../../edge/endpoint.js'
import type { ApiProse } from '../../edge/openapi/document.js'
import { MCP_DESCRIPTION, mcpEndpoints } from '../../mcp/http/mcp-endpoints.js'
import { restEndpoints } from '../../rest/endpoints.js'
import { opsEndpoints } from '../../rest/ops/route.js'
import type { KnownRoute } from '../../rest/path-hints.js'
import { scanEndpoints } from '../../rest/scan/route.js'

const endpoints: readonly Endpoint[] = [...restEndpoints, ...scanEndpoints, ...mcpEndpoints, ...opsEndpoints]

/** What a hint may name: besides what is described here, /graphql, which describes itself. */
export const knownRoutes: readonly KnownRoute[] = [
  ...endpoints,
  { method: 'post', path: '/graphql' },
  { method: 'get', path: '/graphql' },
]

/** The OpenAPI document of this program. The library behind it is loaded when it is first asked for. */
export async function describeApi(): Promise<object> {
  const { openApiDocument } = await import('../../edge/openapi/document.js')
  return openApiDocument({ endpoints, prose, version: packageVersion() })
}

const prose: ApiProse = {
  title: 'Sluice',
  summary: 'A self-hosted inference gateway with an OpenAI-compatible API.',
  description: `Chat completions, the model catalogue, live prices, the price benchmark, GPU rental and credits under \`/v1\`; the compliance
scanner under \`/api\` and, for assistants, at \`/mcp\`.

- Every request under \`/v1\`, \`/api\` and \`/mcp\` carries \`Authorization: Bearer <API_KEY>\`; only \`/api/health\` needs none.
- Prices and amounts are exact decimal strings in US dollars; times are ISO 8601 in UTC.
- Every answer carries \`x-request-id\`.
- The same and more is at \`/graphql\`.
`,
  serverUrl: 'http://127.0.0.1:8787',
  serverDescription: 'Where `npm start` serves.',
  apiKey: 'An API key. Missing, malformed, unknown, expired and revoked keys get the same 401.',
  tags: [
    { name: 'chat', description: 'Chat completions in the OpenAI shape.' },
    { name: 'models', description: 'What can be asked for and whether it answers now.' },
    { name: 'pricing', description: 'What it costs, here and elsewhere.' },
    { name: 'gpu', description: 'GPUs to rent.' },
    { name: 'account', description: "The caller's own credits." },
    { name: 'scanner', description: 'Source code against compliance standards.' },
    { name: 'operations', description: 'Probes and metrics of the server.' },
  ],
  paths: { '/mcp': MCP_DESCRIPTION },
}
