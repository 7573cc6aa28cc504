/**
 * The sandbox model server: its own process, on loopback, OpenAI-compatible. The gateway runs it as a provider without a key
 * or a network, and the sandbox GPU driver runs it as the model server of an instance.
 *
 * Its options come as one JSON argument; the port goes to the parent as a message, or to standard output without a parent.
 * It ends with its parent.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { timingSafeEqual } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isObject, type JsonObject } from '../tokens/usage.js'
import { writeCompletion, type WrittenChoice, type WrittenCompletion } from './completion-writer.js'

/** The argument of the process, as JSON. */
export interface SandboxServerOptions {
  /** Demanded as bearer token on everything but /health; null lets everyone on this machine in. */
  readonly apiKey: string | null
  /** What /v1/models lists; requests for any model are answered. */
  readonly models: readonly string[]
  /** 0 takes a free one. */
  readonly port: number
  readonly tokensPerSecond: number
  /** Until then /health answers 503 and chat too, like a server that loads its weights. */
  readonly bootMs: number
}

/** What the process tells its parent when it listens. */
interface SandboxListening {
  readonly kind: 'listening'
  readonly port: number
}

const MAX_BODY_BYTES = 64 * 1024 * 1024
const options = JSON.parse(process.argv[2] ?? '{}') as SandboxServerOptions
const readyAt = Date.now() + options.bootMs

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy())
})
server.listen(options.port, '127.0.0.1', () => {
  const listening: SandboxListening = { kind: 'listening', port: (server.address() as AddressInfo).port }
  if (process.send) process.send(listening)
  else process.stdout.write(`${JSON.stringify(listening)}\n`)
})
process.on('disconnect', () => process.exit(0))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://sandbox').pathname
  if (path === '/health') return sendJson(response, isReady() ? 200 : 503, { status: isReady() ? 'ok' : 'loading' })
  if (!isAuthorised(request)) return sendError(response, 401, 'Invalid API key.')
  if (!isReady()) return sendError(response, 503, 'The model is loading.')
  if (path === '/v1/models' && request.method === 'GET') {
    const data = options.models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'sandbox' }))
    return sendJson(response, 200, { object: 'list', data })
  }
  if (path !== '/v1/chat/completions' || request.method !== 'POST') return sendError(response, 404, 'Not found.')
  const body = await readBody(request)
  if (!body) return sendError(response, 400, 'The body must be a JSON object.')
  const completion = writeCompletion(body)
  await (body['stream'] === true ? stream(response, body, completion) : whole(response, body, completion))
}

const isReady = (): boolean => Date.now() >= readyAt

function isAuthorised(request: IncomingMessage): boolean {
  if (options.apiKey === null) return true
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${options.apiKey}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

async function readBody(request: IncomingMessage): Promise<JsonObject | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
    return isObject(body) ? body : null
  } catch {
    return null
  }
}

function sendJson(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const sendError = (response: ServerResponse, status: number, message: string): void =>
  sendJson(response, status, { error: { message, type: 'sandbox_error', code: null, param: null } })

const usageOf = ({ promptTokens, completionTokens }: WrittenCompletion): JsonObject => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
})

const createdNow = (): number => Math.floor(Date.now() / 1_000)

async function whole(response: ServerResponse, body: JsonObject, completion: WrittenCompletion): Promise<void> {
  const longest = Math.max(...completion.choices.map(({ tokenCount }) => tokenCount))
  await pause((longest * 1_000) / options.tokensPerSecond)
  const choices = completion.choices.map((choice, index) => ({
    index,
    message: {
      role: 'assistant',
      content: choice.toolCall ? null : choice.tokens.join(''),
      ...(choice.toolCall && { tool_calls: [{ ...toolCallHead(choice.toolCall), function: wholeFunction(choice.toolCall) }] }),
    },
    logprobs: null,
    finish_reason: choice.finishReason,
  }))
  const { id } = completion
  sendJson(response, 200, {
    id,
    object: 'chat.completion',
    created: createdNow(),
    model: body['model'],
    choices,
    usage: usageOf(completion),
  })
}

type ToolCall = NonNullable<WrittenChoice['toolCall']>
const toolCallHead = (call: ToolCall) => ({ id: call.id, type: 'function' })
const wholeFunction = (call: ToolCall) => ({ name: call.name, arguments: call.arguments.join('') })

async function stream(response: ServerResponse, body: JsonObject, completion: WrittenCompletion): Promise<void> {
  const options_ = isObject(body['stream_options']) ? body['stream_options'] : {}
  const head = { id: completion.id, object: 'chat.completion.chunk', created: createdNow(), model: body['model'] }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  const send = (fields: JsonObject) => response.write(`data: ${JSON.stringify({ ...head, ...fields })}\n\n`)
  const sendDelta = (index: number, delta: JsonObject, finishReason: string | null = null) =>
    send({ choices: [{ index, delta, logprobs: null, finish_reason: finishReason }] })
  const pace = createPace()
  for (const [index, choice] of completion.choices.entries()) {
    sendDelta(index, { role: 'assistant', content: choice.toolCall ? null : '' })
    for (const delta of deltasOf(choice)) {
      await pace()
      if (response.destroyed) return
      sendDelta(index, delta)
    }
    sendDelta(index, {}, choice.finishReason)
  }
  if (options_['include_usage'] === true) send({ choices: [], usage: usageOf(completion) })
  response.end('data: [DONE]\n\n')
}

function deltasOf(choice: WrittenChoice): JsonObject[] {
  const { toolCall } = choice
  if (!toolCall) return choice.tokens.map((content) => ({ content }))
  const first = { tool_calls: [{ index: 0, ...toolCallHead(toolCall), function: { name: toolCall.name, arguments: '' } }] }
  return [first, ...toolCall.arguments.map((text) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] }))]
}

/** Keeps the average pace of tokens, whatever the timers' resolution is. */
function createPace(): () => Promise<void> {
  const startedAt = performance.now()
  let tokens = 0
  return async () => {
    tokens++
    const dueInMs = startedAt + (tokens * 1_000) / options.tokensPerSecond - performance.now()
    if (dueInMs >= 1) await pause(dueInMs)
  }
}
