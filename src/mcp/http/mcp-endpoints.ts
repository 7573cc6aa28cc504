/** The methods of /mcp as they are described: one route takes them all, and the protocol's own package speaks behind it. */
import { z } from 'zod'
import type { Endpoint } from '../../edge/endpoint.js'
import { text } from '../../edge/openapi/shapes.js'

const session = z.object({
  'mcp-session-id': text('The session, in every request after `initialize`.').optional(),
})

const message = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.int()]).optional(),
    method: z.string().optional(),
    params: z.looseObject({}).optional(),
  })
  .meta({ id: 'JsonRpcMessage' })

const common = { path: '/mcp', access: 'key', faultShape: 'mcp', tag: 'scanner' } as const

export const MCP_DESCRIPTION = `The Model Context Protocol (Streamable HTTP, revision 2025-11-25 and older): five tools (\`scan_code\`, \`batch_scan\`, \`get_config\`,
\`get_rules\`, \`health_check\`), the rules as resources and a prompt. Clients do the handshake; what is here is the envelope. A
session begins with \`initialize\`, whose answer carries \`mcp-session-id\`, and belongs to the key that began it.
`

export const mcpEndpoints: readonly Endpoint[] = [
  {
    ...common,
    method: 'get',
    operationId: 'readMcpMessages',
    summary: 'Waits for messages of the server.',
    input: { headers: session },
    answers: {
      200: {
        description: 'What the server has to say while the session lasts.',
        content: { 'text/event-stream': { schema: z.string() } },
      },
    },
    faults: [400, 403, 404, 406, 409],
  },
  {
    ...common,
    method: 'post',
    operationId: 'sendMcpMessage',
    summary: 'Sends a JSON-RPC message.',
    input: { headers: session, body: message },
    answers: {
      200: {
        description: 'The answer to a request, after the notifications that belong to it.',
        content: { 'text/event-stream': { schema: z.string().regex(/^event: message\n/) } },
      },
      202: { description: 'A notification or an answer was taken.' },
    },
    faults: [403, 404, 406],
  },
  {
    ...common,
    method: 'delete',
    operationId: 'endMcpSession',
    summary: 'Ends the session.',
    input: { headers: session },
    answers: { 200: { description: 'It has ended.' } },
    faults: [400, 403, 404],
  },
]
