/**
 * HTTP to one provider: a thin layer over undici's `Pool.dispatch`, which costs a fraction of `request` or `fetch`.
 *
 * It owns the timers (connect, first byte, idle), the byte limits and cancelling; it knows nothing of chat. Nothing of a
 * caller's headers goes up but the trace context, and nothing of the provider's headers comes down but what is named here.
 */
import { Readable } from 'node:stream'
import { Pool } from 'undici'
import type { Clock } from '#platform/clock.js'
import { keyHeaders } from '#platform/requests/provider-key.js'
import type { ChatLimits } from '../limits.js'
import type { ProviderConfig } from '../ports.js'
import type { Exchange, ExchangeHandler, ProviderPool } from './exchange.js'
import { dialectOf } from './provider-dialects.js'
import { ProviderFailure, retryAfterMs } from './provider-failure.js'

export function createProviderPool(provider: ProviderConfig, limits: ChatLimits, clock: Clock): ProviderPool {
  const base = new URL(provider.baseUrl)
  const path = `${base.pathname.replace(/\/+$/, '')}/${dialectOf(provider).path}${base.search}`
  const pool = new Pool(base.origin, {
    connections: provider.connections ?? limits.connectionsPerProvider,
    pipelining: 1,
    connect: { timeout: limits.connectTimeMs },
    keepAliveTimeout: 30_000,
    // Our own timers: one per exchange, on the clock that tests move.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })
  const shared = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'user-agent': 'sluice',
    ...keyHeaders(provider.api, provider.apiKey),
  }
  return {
    provider,
    post({ body, traceparent, firstByteTimeMs }, handler) {
      const exchange = new DispatchedExchange(handler, firstByteTimeMs, limits, clock)
      const traced = traceparent === undefined ? shared : { ...shared, traceparent }
      const isWhole = typeof body === 'string'
      const headers = isWhole ? traced : { ...traced, 'content-length': lengthOf(body) }
      pool.dispatch({ method: 'POST', path, headers, body: isWhole ? body : Readable.from(body) }, exchange)
      return exchange
    },
    retire: () => pool.close().catch(() => undefined),
    close: () => pool.destroy(null).catch(() => undefined),
  }
}

const lengthOf = (pieces: readonly Uint8Array[]): string => String(pieces.reduce((sum, piece) => sum + piece.length, 0))

interface Controller {
  abort(reason: Error): void
  pause(): void
  resume(): void
}

const CANCELLED = new Error('cancelled')

/** undici's handler and our handle in one object: one allocation per request on the hot path. */
class DispatchedExchange implements Exchange {
  #controller: Controller | null = null
  #isOver = false
  #isPaused = false
  #hasHead = false
  #isLeft = false
  #receivedBytes = 0
  #lastActivity: number
  #cancelTimer: () => void

  constructor(
    private readonly handler: ExchangeHandler,
    private readonly firstByteTimeMs: number,
    private readonly limits: ChatLimits,
    private readonly clock: Clock,
  ) {
    this.#lastActivity = clock.monotonic()
    // The shorter of the two limits, so that the first byte needs no other timer.
    this.#cancelTimer = clock.setTimeout(() => this.#checkTime(), Math.min(firstByteTimeMs, limits.idleTimeMs))
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(CANCELLED)
  }

  onResponseStart(controller: Controller, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (this.#isOver || status < 200) return
    this.#hasHead = true
    this.#lastActivity = this.clock.monotonic()
    // We never ask for compression; an answer in a coding would be garbage to us and to the caller.
    const encoding = headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') return this.#fail(new ProviderFailure('malformed', status))
    this.handler.onHead({
      status,
      contentType: String(headers['content-type'] ?? ''),
      retryAfterMs: retryAfterMs(headers['retry-after'], this.clock.now()),
    })
    if (this.#isPaused) controller.pause()
  }

  onResponseData(_controller: Controller, bytes: Buffer): void {
    if (this.#isOver || this.#isLeft) return
    this.#lastActivity = this.clock.monotonic()
    this.#receivedBytes += bytes.length
    if (this.#receivedBytes > this.limits.responseBytes) return this.#fail(new ProviderFailure('too_large'))
    this.handler.onData(bytes)
  }

  onResponseEnd(): void {
    if (!this.#finish()) return
    this.handler.onEnd()
  }

  onResponseError(_controller: Controller, error: Error): void {
    if (!this.#finish()) return
    this.handler.onFailure(new ProviderFailure(failureKind(error, this.#hasHead)))
  }

  pause(): void {
    this.#isPaused = true
    if (this.#hasHead) this.#controller?.pause()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#lastActivity = this.clock.monotonic()
    if (this.#hasHead && !this.#isOver) this.#controller?.resume()
  }

  cancel(): void {
    if (this.#finish()) this.#controller?.abort(CANCELLED)
  }

  leave(graceMs: number): void {
    if (this.#isOver || this.#isLeft) return
    this.#isLeft = true
    this.resume()
    this.#cancelTimer()
    this.#cancelTimer = this.clock.setTimeout(() => this.cancel(), graceMs)
  }

  #fail(failure: ProviderFailure): void {
    if (!this.#finish()) return
    this.#controller?.abort(CANCELLED)
    this.handler.onFailure(failure)
  }

  #finish(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.#cancelTimer()
    return true
  }

  #rearm(delayMs: number): void {
    this.#cancelTimer()
    this.#cancelTimer = this.clock.setTimeout(() => this.#checkTime(), delayMs)
  }

  /** One lazy timer: it looks at the last activity when it fires, instead of being set anew for every read. */
  #checkTime(): void {
    if (this.#isOver) return
    const allowedMs = this.#hasHead ? this.limits.idleTimeMs : this.firstByteTimeMs
    const idleMs = this.clock.monotonic() - this.#lastActivity
    // A paused provider is silent because of us; the reader's own timer watches that.
    if (this.#isPaused && this.#hasHead) return this.#rearm(allowedMs)
    if (idleMs < allowedMs) return this.#rearm(allowedMs - idleMs)
    this.#fail(new ProviderFailure('timeout'))
  }
}

function failureKind(error: Error, hasHead: boolean): 'connect' | 'timeout' | 'cut' | 'malformed' {
  const code = (error as { code?: unknown }).code
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout'
  if (typeof code === 'string' && (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW')) return 'malformed'
  if (hasHead) return 'cut'
  return typeof code === 'string' && (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') ? 'cut' : 'connect'
}
