/**
 * The MCP servers of sessions: five tools, rules as resources, one prompt. The same over HTTP and standard input.
 *
 * It is built on the SDK's low-level server, because the high-level one answers wrong arguments in its own words and the
 * contract has codes for them.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation'
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  type CallToolResult,
  type LoggingLevel,
  type ServerNotification,
  type ServerRequest,
  type Tool as ToolDescription,
} from '@modelcontextprotocol/sdk/types.js'
import type { RequestContext } from '#platform/requests/context.js'
import { faultIn } from '#platform/requests/end-reasons.js'
import type { AppError } from '#platform/errors.js'
import { scannerError } from '../edge/responses.js'
import { createCallLog, type CallLog } from './call-log.js'
import { complete } from './completions.js'
import { fixPrompt, fixViolations } from './fix-prompt.js'
import type { SessionMemory } from './http/mcp-sessions.js'
import { listRuleResources, readRuleResource, ruleTemplate } from './rule-resources.js'
import { RemoteFault, type FaultBody, type ScanBackend, type ToolCall } from '../edge/scan/scan-backend.js'
import { toolSchema } from './tool-schemas.js'
import { createTools, toolNamed, type Tool } from './tools.js'

export interface McpServerOptions {
  readonly backend: ScanBackend
  readonly version: string
  readonly languages: readonly string[]
  /** What a file of this language is called whose sender gave it no name. */
  readonly filenameFor: (language: string) => string
  /** Called with the faults that clients see only as SERVER_ERROR. */
  readonly onUnexpected: (error: AppError) => void
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

const INSTRUCTIONS =
  'Checks source code against compliance standards. Scan what you write before you hand it over; for several files prefer one batch_scan. Violations carry a suggestion and the rule that found them.'

/** One server for each session. What the tools take and give is described once: that takes longer than all else of a session. */
export function createMcpServers(options: McpServerOptions): (memory?: SessionMemory) => Server {
  const tools = createTools(options)
  const descriptions = [...tools.values()].map(describe)
  return (memory = ownMemory()) => createMcpServer({ ...options, tools, descriptions }, memory)
}

interface SessionOptions extends McpServerOptions {
  readonly tools: ReadonlyMap<string, Tool>
  readonly descriptions: ToolDescription[]
}

/** For what clients fill in. The SDK builds a validator for each session, and this server has no forms. */
const noForms: jsonSchemaValidator = {
  getValidator() {
    throw new Error('This server asks its clients to fill in nothing.')
  },
}

function createMcpServer(options: SessionOptions, memory: SessionMemory): Server {
  const { backend, version, languages } = options
  const server = new Server(
    { name: 'sluice', title: 'Sluice compliance scanner', version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
      instructions: INSTRUCTIONS,
      jsonSchemaValidator: noForms,
    },
  )
  const log = createCallLog(memory.logLevel)
  server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    memory.setLogLevel(params.level)
    return {}
  })
  serveTools(server, options, log)
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }, extra) =>
    orMcpError(options, extra, () => listRuleResources(backend, toolCall(extra), params?.cursor)),
  )
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [ruleTemplate] }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }, extra) =>
    orMcpError(options, extra, async () => ({ contents: [await readRuleResource(backend, toolCall(extra), params.uri)] })),
  )
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [fixPrompt] }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }, extra) => {
    if (params.name !== fixPrompt.name) throw new McpError(ErrorCode.InvalidParams, 'There is no such prompt.')
    return orMcpError(options, extra, () => fixViolations(options, toolCall(extra), params.arguments ?? {}))
  })
  server.setRequestHandler(CompleteRequestSchema, ({ params }, extra) =>
    orMcpError(options, extra, () => complete(params, languages, backend, toolCall(extra))),
  )
  return server
}

/** Of a server that has one client for its whole life. */
function ownMemory(): SessionMemory {
  let level: LoggingLevel = 'error'
  return { logLevel: () => level, setLogLevel: (wanted) => void (level = wanted) }
}

function serveTools(server: Server, options: SessionOptions, log: CallLog): void {
  const { tools, descriptions } = options
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: descriptions }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const started = performance.now()
    try {
      const { structuredContent, text } = await toolNamed(tools, params.name).call(params.arguments, toolCall(extra))
      const milliseconds = Math.round(performance.now() - started)
      log.write('info', { tool: params.name, milliseconds }, extra.sendNotification)
      return { content: [{ type: 'text', text }], structuredContent: { ...structuredContent } }
    } catch (error) {
      const body = faultBody(error, extra, options)
      log.write('error', { tool: params.name, ...body }, extra.sendNotification)
      return { isError: true, content: [{ type: 'text', text: JSON.stringify(body) }] }
    }
  })
}

const describe = ({ name, title, description, input, output }: Tool): ToolDescription => ({
  name,
  title,
  description,
  inputSchema: toolSchema(input),
  outputSchema: toolSchema(output),
  annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})

function toolCall(extra: Extra): ToolCall {
  const progressToken = extra._meta?.progressToken
  return {
    signal: extra.signal,
    context: (extra.authInfo?.extra?.['context'] as RequestContext | undefined) ?? null,
    onProgress(progress, total) {
      if (progressToken === undefined || extra.signal.aborted) return
      const message = `${progress} of ${total} files`
      // A client that has left needs no progress; that it left is noticed elsewhere.
      extra
        .sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total, message } })
        .catch(() => undefined)
    },
  }
}

function faultBody(error: unknown, extra: Extra, { onUnexpected }: McpServerOptions): FaultBody {
  if (error instanceof RemoteFault) return error.body
  const { signal, context } = toolCall(extra)
  // A client may cancel one call without leaving.
  const known = faultIn({ signal: context?.signal.aborted ? context.signal : signal }, error)
  if (known.code === 'server_error') onUnexpected(known)
  return scannerError(known) as FaultBody
}

/** Resources and prompts have no error results: their faults are JSON-RPC errors that carry the contract's body as data. */
async function orMcpError<T>(options: McpServerOptions, extra: Extra, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof McpError) throw error
    const body = faultBody(error, extra, options)
    const code = body.code === 'SERVER_ERROR' ? ErrorCode.InternalError : ErrorCode.InvalidParams
    throw new McpError(code, body.error, body)
  }
}
