/**
 * A provider that does what it is told: a real HTTP server on loopback that plays one scene per request and keeps a record of
 * each call, with what it received and whether it was broken off.
 *
 * The scene is chosen by `play`, or by the model name of the request when `scenes` has one of that name, so that several
 * deployments at one server can behave differently.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scene } from './fake-provider-scenes.js'

export interface FakeCall {
  readonly headers: IncomingMessage['headers']
  readonly path: string
  readonly body: Record<string, unknown>
  /** The body as it came. */
  readonly text: string
  /** Performance time when the answer's connection closed before the answer's end; null while or when all is well. */
  abortedAt: number | null
  /** Bytes that the socket took, once the answer is over. */
  bytesWritten: number
  /** The scene has played to its end. */
  isFinished: boolean
}

export class FakeProvider {
  readonly calls: FakeCall[] = []
  /** By the request's `model`; wins over `scene`. */
  readonly scenes = new Map<string, Scene>()
  #server: Server
  #watchers: (() => void)[] = []

  private constructor(public scene: Scene) {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy())
    })
    this.#server.keepAliveTimeout = 30_000
  }

  static async start(scene: Scene): Promise<FakeProvider> {
    const provider = new FakeProvider(scene)
    await new Promise<void>((resolve) => provider.#server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, resolve))
    return provider
  }

  /** What an operator would configure, without `/chat/completions`. */
  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  /** Calls that are neither finished nor broken off. */
  get openCalls(): number {
    return this.calls.filter(({ abortedAt, isFinished }) => abortedAt === null && !isFinished).length
  }

  /** Resolves when the condition holds; looks again whenever something happens to a call. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#watchers.push(resolve))
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  #changed(): void {
    const watchers = this.#watchers
    this.#watchers = []
    for (const watcher of watchers) watcher()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const body = JSON.parse(text) as Record<string, unknown>
    const call: FakeCall = {
      headers: request.headers,
      path: request.url ?? '',
      body,
      text,
      abortedAt: null,
      bytesWritten: 0,
      isFinished: false,
    }
    this.calls.push(call)
    this.#changed()
    const { socket } = request
    const before = socket.bytesWritten
    response.once('close', () => {
      call.bytesWritten = socket.bytesWritten - before
      if (response.writableFinished) call.isFinished = true
      else call.abortedAt = performance.now()
      this.#changed()
    })
    const scene = this.scenes.get(String(body['model'])) ?? this.scene
    await scene(response, call)
  }
}

/** An async disposable form of `FakeProvider.start`. */
export async function startFakeProvider(scene: Scene): Promise<FakeProvider & AsyncDisposable> {
  const provider = await FakeProvider.start(scene)
  return Object.assign(provider, { [Symbol.asyncDispose]: () => provider.stop() })
}
