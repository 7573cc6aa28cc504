/** A call of each REST operation that works as it stands on a server that has just been started. */

interface Example {
  /** JSON. */
  readonly body?: object
  /** Values of the path's parameters, and a query behind it. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: string
  readonly headers?: readonly string[]
  /** Of curl, for an answer that does not end by itself. */
  readonly options?: string
}

const ASK = [{ role: 'user', content: 'Hello' }]
const PYTHON = { language: 'python', code: 'import hashlib\nhashlib.md5(password)\n' }
const MCP_HEADERS = ['Accept: application/json, text/event-stream']
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'example', version: '1' } },
}

const EXAMPLES: Readonly<Record<string, Example>> = {
  createChatCompletion: { body: { model: 'light', messages: ASK } },
  createResponse: { body: { model: 'light', input: 'Hello', store: true } },
  readResponse: { path: { response_id: '$RESPONSE_ID' } },
  deleteResponse: { path: { response_id: '$RESPONSE_ID' } },
  listInputItems: { path: { response_id: '$RESPONSE_ID' }, query: '?order=asc' },
  createMessage: { body: { model: 'light', max_tokens: 256, messages: ASK } },
  countMessageTokens: { body: { model: 'light', messages: ASK } },
  listModels: {},
  readModel: { path: { id: 'llama-3.1-8b-instruct' } },
  listPrices: { query: '?model=llama-3.1-8b-instruct' },
  listBenchmarks: {},
  readCredits: {},
  listGpuOffers: {},
  rentGpu: { body: { gpu_model: 'L4', docker_image: 'ubuntu:24.04' } },
  listRentals: {},
  readRental: { path: { rental_id: '$RENTAL_ID' } },
  terminateRental: { path: { rental_id: '$RENTAL_ID' } },
  scanCode: { body: PYTHON },
  batchScan: { body: { files: [{ filename: 'a.py', ...PYTHON }] } },
  readScannerConfig: {},
  listRules: {},
  readScannerHealth: {},
  readMcpMessages: { headers: ['Accept: text/event-stream', 'mcp-session-id: $MCP_SESSION'], options: '--max-time 5' },
  sendMcpMessage: { body: INITIALIZE, headers: MCP_HEADERS, options: '-i' },
  endMcpSession: { headers: ['mcp-session-id: $MCP_SESSION'] },
  readLiveness: {},
  readReadiness: {},
  readMetrics: {},
  readOpenApi: {},
}

const ORIGIN = 'http://127.0.0.1:8787'

/** A path that is new to the API gets its example above; a test says which has none. */
export function exampleCall(operationId: string, method: string, path: string, isOpen: boolean): string {
  const example = EXAMPLES[operationId] ?? {}
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => example.path?.[name] ?? '')
  const headers = [
    ...(isOpen ? [] : ['Authorization: Bearer $SLUICE_API_KEY']),
    ...(example.body ? ['Content-Type: application/json'] : []),
    ...(example.headers ?? []),
  ].map((header) => `-H "${header}"`)
  // Where a shell would read an address otherwise, as at the ? and the $, it stands in quotes.
  const target = `${ORIGIN}${address}${example.query ?? ''}`
  const request = [
    'curl',
    ...(example.options ? [example.options] : []),
    ...(method === 'get' || (method === 'post' && example.body) ? [] : [`-X ${method.toUpperCase()}`]),
    /[?$&]/.test(target) ? `"${target}"` : target,
  ].join(' ')
  const body = example.body ? [`-d '${JSON.stringify(example.body)}'`] : []
  return [request, ...(headers.length > 0 ? [headers.join(' ')] : []), ...body].join(' \\\n  ')
}
