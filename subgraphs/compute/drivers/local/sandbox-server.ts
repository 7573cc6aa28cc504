/** The least that is a model server: one token for whoever has the key. The sandbox runs it when it is given no better one. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** The argument of the process, as JSON; a better server takes the same. */
export interface SandboxServerOptions {
  readonly port: number
  /** Demanded as bearer token on everything but /health. */
  readonly apiKey: string
  readonly models: readonly string[]
  /** Until then /health and chat answer 503, like a server that loads its weights. */
  readonly bootMs: number
  readonly tokensPerSecond: number
}

const options = JSON.parse(process.argv[2] ?? '{}') as SandboxServerOptions
const readyAt = Date.now() + options.bootMs

createServer(answer).listen(options.port, '127.0.0.1')
process.on('disconnect', () => process.exit(0))

function answer(request: IncomingMessage, response: ServerResponse): void {
  const send = (status: number, body: object) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
  const isReady = Date.now() >= readyAt
  if (request.url === '/health') return send(isReady ? 200 : 503, { status: isReady ? 'ok' : 'loading' })
  if (request.headers.authorization !== `Bearer ${options.apiKey}`) return send(401, { error: { message: 'Invalid API key.' } })
  if (!isReady) return send(503, { error: { message: 'The model is loading.' } })
  const created = Math.floor(Date.now() / 1000)
  const choices = [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }]
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  send(200, {
    id: `chatcmpl-${created}`,
    object: 'chat.completion',
    created,
    model: options.models[0] ?? 'sandbox',
    choices,
    usage,
  })
}
