/** A receiver of webhooks: a real HTTP server that verifies what it is sent with the library that receivers use. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'

export interface Received {
  /** `webhook-id`. */
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: Record<string, unknown>
}

export type Answer = number | ((response: ServerResponse, message: Received) => void)

export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string
  /** Everything that was sent here, whatever was answered. */
  readonly attempts: Received[]
  /** What was answered with 2xx. */
  readonly taken: Received[]
  /** Messages that are not what somebody who knows the secret has sent; to be empty. */
  readonly forged: unknown[]
  /** The last request as it came. */
  last: { readonly body: string; readonly headers: Record<string, string> } | null
  /** Needed before the first message. */
  secret: string
  answer: (message: Received) => Answer
  /** Resolves when `taken` has so many. */
  took(count: number): Promise<Received[]>
  tried(count: number): Promise<Received[]>
}

/** @param now of whoever sends: the library compares it with its own clock. */
export async function webhookReceiver(now: () => number = Date.now): Promise<WebhookReceiver> {
  const server = createServer((request, response) => void receive(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const part of request) body += String(part)
    const headers = request.headers as Record<string, string>
    receiver.last = { body, headers }
    const message = verified(receiver.secret, body, headers, now())
    if (message === null) {
      receiver.forged.push(body)
      return void response.writeHead(400).end()
    }
    receiver.attempts.push(message)
    const answer = receiver.answer(message)
    if (typeof answer === 'function') return answer(response, message)
    if (answer < 300) receiver.taken.push(message)
    response.writeHead(answer).end()
  }

  const reaches = (list: Received[], count: number) =>
    vi.waitFor(
      () => {
        if (list.length < count) throw new Error(`${list.length} of ${count} messages: ${JSON.stringify(list)}`)
        return list
      },
      { timeout: 20_000, interval: 5 },
    )
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    attempts: [],
    taken: [],
    forged: [],
    last: null,
    secret: '',
    answer: () => 204,
    took: (count) => reaches(receiver.taken, count),
    tried: (count) => reaches(receiver.attempts, count),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}

function verified(secret: string, body: string, headers: Record<string, string>, nowMs: number): Received | null {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs })
  try {
    return { ...(new Webhook(secret).verify(body, headers) as Omit<Received, 'id'>), id: headers['webhook-id']! }
  } catch {
    return null
  } finally {
    vi.useRealTimers()
  }
}
