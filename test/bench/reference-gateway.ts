/**
 * What a careful small gateway costs: Express, a hashed key, a hold that is durable before the provider is asked and a charge that
 * is durable before the last byte (SQLite, WAL, synchronous=FULL, all that wait in one commit), the body parsed once.
 */
import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import express, { type Request, type Response } from 'express'
import { Pool } from 'undici'

const [, , provider = '', folder = '', key = ''] = process.argv
const HOLD = 1_000_000
const PRICE_PER_TOKEN = 100

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const accounts = new Map([[digest(key), 'account-1']])
const pool = new Pool(provider, { connections: 1024, pipelining: 1 })
const commit = openLedger()
let holds = 0

const app = express()
app.disable('x-powered-by')
app.post(
  '/v1/chat/completions',
  express.raw({ type: 'application/json', limit: '4mb' }),
  (request, response) => void chat(request, response),
)
const server = app.listen(0, '127.0.0.1', 4096, () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})

async function chat(request: Request, response: Response): Promise<void> {
  const account = accounts.get(digest(request.headers.authorization?.replace(/^Bearer /, '') ?? ''))
  if (account === undefined) return void response.status(401).json({ error: { message: 'Unknown key.' } })
  const bytes = request.body as Buffer
  const body = JSON.parse(bytes.toString()) as { model?: string; messages?: unknown[]; stream?: boolean }
  if (!body.model || !Array.isArray(body.messages))
    return void response.status(400).json({ error: { message: 'model and messages are required.' } })
  const hold = `hold-${++holds}`
  if (!(await commit({ kind: 'hold', hold, account, amount: HOLD })))
    return void response.status(402).json({ error: { message: 'No credit.' } })
  const charge = (tokens: number) => commit({ kind: 'charge', hold, account, amount: tokens * PRICE_PER_TOKEN })
  const abort = new AbortController()
  response.once('close', () => response.writableFinished || abort.abort())
  try {
    const headers = { 'content-type': 'application/json' }
    const answer = await pool.request({
      path: '/v1/chat/completions',
      method: 'POST',
      headers,
      body: bytes,
      signal: abort.signal,
    })
    if (!body.stream) {
      const text = await answer.body.text()
      await charge(tokensIn(text))
      return void response.status(answer.statusCode).type('json').send(text)
    }
    response.writeHead(answer.statusCode, { 'content-type': 'text/event-stream' })
    for await (const part of answer.body as AsyncIterable<Buffer>) {
      if (part.includes('"usage":{')) await charge(tokensIn(part.toString()))
      if (!response.write(part)) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
    }
    response.end()
  } catch {
    await charge(0)
    if (response.headersSent) response.destroy()
    else response.status(502).end()
  }
}

const tokensIn = (text: string) => Number(/"total_tokens":(\d+)/.exec(text)?.[1] ?? 0)

interface Operation {
  readonly kind: 'hold' | 'charge'
  readonly hold: string
  readonly account: string
  readonly amount: number
}

/** Sends what came while the last commit ran as one group. */
function openLedger(): (operation: Operation) => Promise<boolean> {
  const worker = new Worker(new URL('./reference-ledger.ts', import.meta.url), { workerData: { folder } })
  let waiting: [Operation, (isDone: boolean) => void][] = []
  let running: ((isDone: boolean) => void)[] | null = null
  const flush = () => {
    running = waiting.map(([, resolve]) => resolve)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(waiting.map(([operation]) => operation))
    waiting = []
  }
  worker.on('message', (outcomes: boolean[]) => {
    for (const [index, resolve] of running!.entries()) resolve(outcomes[index]!)
    running = null
    if (waiting.length > 0) flush()
  })
  return (operation) =>
    new Promise((resolve) => {
      waiting.push([operation, resolve])
      if (running === null && waiting.length === 1) setImmediate(flush)
    })
}
