/**
 * The answer of a provider, whatever API it speaks: a body as text, the events of a stream, or a failure. The exchange itself is
 * `ProviderPool`.
 */
import { inCohort } from '#platform/cohort.js'
import { ProviderApi } from '#platform/vocabulary/words.js'
import type { ChatLimits } from '../limits.js'
import type { ProviderConfig } from '../ports.js'
import { EventTooLarge, SseParser } from './sse-parser.js'
import type { RequestEnd } from '../call/request-end.js'
import { ProviderFailure } from './provider-failure.js'
import { readWords } from './provider-words.js'
import type { Exchange, ExchangeHandler, ProviderPool, ProviderRequest, ResponseHead } from './exchange.js'

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
          inCohort(() => resolve(chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString()))
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
  /**
   * Where it can read several events at once: takes what begins at a place of the stream's text, and answers the place where the
   * next event begins that it has not taken.
   */
  takeEvents?(text: string, at: number): number
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
  /** Bytes of this turn: a provider's read comes in many pieces, one for each event, and is cheaper read in one. */
  #arrived: Buffer[] = []

  constructor(
    limits: ChatLimits,
    provider: ProviderConfig,
    private readonly handler: ProviderStreamHandler,
  ) {
    this.#collector = new ErrorCollector(limits, provider)
    const takes = handler.takeEvents && ((text: string, at: number) => (this.#isOver ? at : handler.takeEvents!(text, at)))
    this.#parser = new SseParser((data) => this.#onEvent(data), limits.eventBytes, takes)
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
    if (this.#arrived.length === 1) inCohort(() => this.#readArrived())
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
    const tooLong = /context_length_exceeded|maximum context length|context window|prompt is too long|exceed context limit/i.test(
      text,
    )
    const option = /continuous_usage_stats/.exec(text) ?? /stream_options|include_usage/.exec(text)
    return new ProviderFailure(
      'status',
      isUnpaid(text, this.provider) ? PAYMENT_REQUIRED : this.#head!.status,
      this.#head!.retryAfterMs,
      tooLong ? 'context_length_exceeded' : null,
      readWords(text, this.provider),
      option && (option[0] === 'continuous_usage_stats' ? 'continuous_usage_stats' : 'stream_options'),
    )
  }
}

const PAYMENT_REQUIRED = 402

/** Anthropic says 400 of a bill too, which is the operator's matter and not the caller's. */
const isUnpaid = (text: string, { api }: ProviderConfig): boolean =>
  api === ProviderApi.MESSAGES && /credit balance is too low|reached your specified API usage limits/i.test(text)
