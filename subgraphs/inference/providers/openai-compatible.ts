/**
 * An OpenAI-compatible provider: our request as its body, its answer as text, chunks or a failure. The mapping is pure; the
 * exchange itself is `ProviderPool`.
 */
import type { ChatLimits } from '../limits.js'
import type { Candidate, ProviderConfig, StreamUsage } from '../ports.js'
import { EventTooLarge, SseParser } from './sse-parser.js'
import type { ChatRequest } from '../chat/request.js'
import type { RequestEnd } from '../call/request-end.js'
import type { JsonObject } from '../tokens/usage.js'
import { ProviderFailure } from './provider-failure.js'
import { readWords } from './provider-words.js'
import type { Exchange, ExchangeHandler, ProviderPool, ProviderRequest, ResponseHead } from './provider-pool.js'

/**
 * The body for a provider.
 *
 * @param outputLimit what a clipped hold allows each choice to be long; null when the caller's own limit or the model's holds
 * @param usage what to ask for in a stream; null when the answer is not streamed
 */
export function providerBody(
  request: ChatRequest,
  candidate: Candidate,
  outputLimit: number | null,
  usage: StreamUsage | null,
): ProviderRequest['body'] {
  const body: JsonObject = { ...request.body, model: candidate.providerModelId, stream: usage !== null }
  if (outputLimit !== null) body[candidate.provider.maxTokensField ?? 'max_tokens'] = outputLimit
  const options = usage === null ? null : streamOptions(usage)
  if (options) body['stream_options'] = options
  return request.large ? withMembers(body, request.large.rest) : JSON.stringify(body)
}

/** One JSON object of two: what is set here, and the members of a text that is too large to be read or copied here. */
function withMembers(body: JsonObject, rest: Uint8Array): readonly Uint8Array[] {
  const begin = Buffer.from(JSON.stringify(body))
  begin[begin.length - 1] = COMMA
  return [begin, rest.subarray(1)]
}

const COMMA = 44

function streamOptions(usage: StreamUsage): JsonObject | null {
  if (usage === 'none') return null
  if (usage === 'continuous') return { include_usage: true, continuous_usage_stats: true }
  return { include_usage: true }
}

/** Collects a whole JSON answer. Rejects with ProviderFailure. */
export function requestCompletion(
  pool: ProviderPool,
  request: ProviderRequest,
  limits: ChatLimits,
  end: RequestEnd,
): Promise<string> {
  return new Promise((resolve, reject) => {
    if (end.reason !== null) return reject(new ProviderFailure('cancelled'))
    const chunks: Buffer[] = []
    const collector = new ErrorCollector(limits, pool.provider)
    const settle = (finish: () => void) => {
      end.onEnd = null
      finish()
    }
    const exchange = pool.post(request, {
      onHead: (head) => collector.begin(head),
      onData(bytes) {
        if (!collector.isActive) chunks.push(bytes)
        else if (collector.add(bytes)) {
          exchange.cancel()
          settle(() => reject(collector.failure()))
        }
      },
      onEnd: () =>
        settle(() => {
          if (collector.isActive) return reject(collector.failure())
          resolve(chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString())
        }),
      onFailure: (failure) => settle(() => reject(collector.isActive ? collector.failure() : failure)),
    })
    end.onEnd = () => {
      exchange.cancel()
      reject(new ProviderFailure('cancelled'))
    }
  })
}

/** What a streamed answer reports: events in order, then exactly one of `onEnd` and `onFailure`. */
export interface ProviderStreamHandler {
  /** One event's data; `[DONE]` is reported as `onEnd`. */
  onEvent(data: string): void
  /** The provider ignored `stream` and sent this body. */
  onWhole(body: string): void
  /** A clean end; `isDone` when `[DONE]` was seen. */
  onEnd(isDone: boolean): void
  onFailure(failure: ProviderFailure): void
}

/** Opens a streamed answer. */
export function openStream(
  pool: ProviderPool,
  request: ProviderRequest,
  limits: ChatLimits,
  handler: ProviderStreamHandler,
): Exchange {
  const reader = new StreamReader(limits, pool.provider, handler)
  reader.exchange = pool.post(request, reader)
  return reader.exchange
}

class StreamReader implements ExchangeHandler {
  exchange: Exchange | null = null
  #isOver = false
  readonly #collector: ErrorCollector
  readonly #parser: SseParser
  #whole: Buffer[] | null = null
  /** Bytes of this tick: a provider's read comes in many pieces, one for each event, and is cheaper read in one. */
  #arrived: Buffer[] = []

  constructor(
    limits: ChatLimits,
    provider: ProviderConfig,
    private readonly handler: ProviderStreamHandler,
  ) {
    this.#collector = new ErrorCollector(limits, provider)
    this.#parser = new SseParser((data) => this.#onEvent(data), limits.eventBytes)
  }

  onHead(head: ResponseHead): void {
    this.#collector.begin(head)
    if (/^application\/(\w+\+)?json\b/i.test(head.contentType)) this.#whole = []
  }

  onData(bytes: Buffer): void {
    if (this.#isOver) return
    if (this.#collector.isActive) {
      if (this.#collector.add(bytes)) this.#fail(this.#collector.failure())
      return
    }
    if (this.#whole) {
      this.#whole.push(bytes)
      return
    }
    this.#arrived.push(bytes)
    if (this.#arrived.length === 1) process.nextTick(() => this.#readArrived())
  }

  #readArrived(): void {
    const arrived = this.#arrived
    if (this.#isOver || arrived.length === 0) return
    this.#arrived = []
    try {
      this.#parser.push(arrived.length === 1 ? arrived[0]! : Buffer.concat(arrived))
    } catch (error) {
      this.#fail(new ProviderFailure(error instanceof EventTooLarge ? 'too_large' : 'malformed'))
    }
  }

  onEnd(): void {
    this.#readArrived()
    if (this.#isOver) return
    if (this.#collector.isActive) return this.#fail(this.#collector.failure())
    if (this.#whole) {
      this.#isOver = true
      return this.handler.onWhole(Buffer.concat(this.#whole).toString())
    }
    this.#parser.end()
    if (this.#isOver) return
    this.#isOver = true
    this.handler.onEnd(false)
  }

  onFailure(failure: ProviderFailure): void {
    this.#readArrived()
    this.#fail(this.#collector.isActive ? this.#collector.failure() : failure)
  }

  #onEvent(data: string): void {
    if (this.#isOver) return
    if (data !== '[DONE]' && data.trim() !== '[DONE]') return this.handler.onEvent(data)
    // What follows is junk. The rest of the answer is read and dropped, so that the connection can be used again.
    this.#isOver = true
    this.handler.onEnd(true)
  }

  #fail(failure: ProviderFailure): void {
    if (this.#isOver) return
    this.#isOver = true
    this.exchange?.cancel()
    this.handler.onFailure(failure)
  }
}

/** Reads a few kilobytes of a refused answer. */
class ErrorCollector {
  #head: ResponseHead | null = null
  #bytes: Buffer[] = []
  #length = 0

  constructor(
    private readonly limits: ChatLimits,
    private readonly provider: ProviderConfig,
  ) {}

  get isActive(): boolean {
    return this.#head !== null
  }

  begin(head: ResponseHead): void {
    if (head.status !== 200) this.#head = head
  }

  /** True when enough was read. */
  add(bytes: Buffer): boolean {
    if (this.#length < this.limits.errorBodyBytes) this.#bytes.push(bytes)
    this.#length += bytes.length
    return this.#length >= this.limits.errorBodyBytes
  }

  failure(): ProviderFailure {
    const text = Buffer.concat(this.#bytes).toString('utf8', 0, this.limits.errorBodyBytes)
    const tooLong = /context_length_exceeded|maximum context length|context window/i.test(text)
    const option = /continuous_usage_stats/.exec(text) ?? /stream_options|include_usage/.exec(text)
    return new ProviderFailure(
      'status',
      this.#head!.status,
      this.#head!.retryAfterMs,
      tooLong ? 'context_length_exceeded' : null,
      readWords(text, this.provider),
      option && (option[0] === 'continuous_usage_stats' ? 'continuous_usage_stats' : 'stream_options'),
    )
  }
}
