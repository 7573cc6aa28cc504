/**
 * Simulators of GPU providers on loopback, written from the providers' public documentation. They answer in the provider's own
 * shapes and misbehave on request, in the ways that the failure table of compute lists.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the next calls of a verb do instead of working. */
export type Trouble =
  | { readonly kind: 'status'; readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  /** Never answers. */
  | { readonly kind: 'hang' }
  /** Cuts the connection; `acts`: after it did what was asked. */
  | { readonly kind: 'reset'; readonly acts?: boolean }
  /** 200 with something that is not JSON. */
  | { readonly kind: 'garbage' }
  /** Does what was asked and answers with an error. */
  | { readonly kind: 'acts_then_fails'; readonly status: number }

export type Verb = 'offers' | 'create' | 'get' | 'list' | 'destroy'

export interface SimulatedCall {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Record<string, unknown>
}

export interface Answer {
  readonly status: number
  readonly body?: unknown
}

export interface Machine {
  readonly id: string
  readonly label: string
  readonly request: Record<string, unknown>
  state: 'provisioning' | 'running' | 'ended'
}

/** What one provider's simulator adds: which verb a call is, and its answer. */
export interface Dialect {
  verbOf(call: SimulatedCall): Verb | null
  answer(verb: Verb, call: SimulatedCall, cloud: FakeCloudServer): Answer
}

export const API_KEY = 'test-provider-key'

export class FakeCloudServer implements AsyncDisposable {
  readonly machines = new Map<string, Machine>()
  readonly calls: { verb: Verb | null; call: SimulatedCall }[] = []
  readonly #troubles = new Map<Verb, Trouble[]>()
  readonly #dialect: Dialect
  readonly #server = createServer((request, response) => void this.#serve(request, response).catch(() => response.destroy()))

  private constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  static async start(dialect: Dialect): Promise<FakeCloudServer> {
    const cloud = new FakeCloudServer(dialect)
    await new Promise<void>((resolve) => cloud.#server.listen(0, '127.0.0.1', resolve))
    return cloud
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The next call of the verb meets this. */
  trouble(verb: Verb, trouble: Trouble): void {
    this.#troubles.set(verb, [...(this.#troubles.get(verb) ?? []), trouble])
  }

  /** No trouble any more. */
  calm(): void {
    this.#troubles.clear()
  }

  /** Instances come up, or are taken away. */
  setAll(state: Machine['state']): void {
    for (const machine of this.machines.values()) machine.state = state
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://cloud')
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>)
    const call = { method: request.method ?? '', path: url.pathname, query: url.searchParams, body }
    if (request.headers.authorization !== `Bearer ${API_KEY}`) return send(response, { status: 401, body: { error: 'auth' } })
    const verb = this.#dialect.verbOf(call)
    this.calls.push({ verb, call })
    if (verb === null) return send(response, { status: 404 })
    const trouble = this.#troubles.get(verb)?.shift()
    const acts =
      trouble === undefined || trouble.kind === 'acts_then_fails' || (trouble.kind === 'reset' && trouble.acts === true)
    const answer = acts ? this.#dialect.answer(verb, call, this) : { status: 500 }
    if (trouble) return stumble(response, trouble)
    send(response, answer)
  }
}

function stumble(response: ServerResponse, trouble: Trouble): void {
  switch (trouble.kind) {
    case 'status':
      for (const [name, value] of Object.entries(trouble.headers ?? {})) response.setHeader(name, value)
      return send(response, trouble)
    case 'acts_then_fails':
      return send(response, { status: trouble.status, body: {} })
    case 'garbage':
      response.end('<html>')
      return
    case 'reset':
      response.destroy()
      return
    case 'hang':
  }
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body === undefined ? '' : JSON.stringify(body))
}
