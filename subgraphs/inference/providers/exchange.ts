/** One request to a provider and its answer, as bytes: what a pool of connections offers (provider-pool.ts). */
import type { ProviderConfig } from '../ports.js'
import type { ProviderFailure } from './provider-failure.js'

/** The few facts of a provider's head that we look at. */
export interface ResponseHead {
  readonly status: number
  readonly contentType: string
  readonly retryAfterMs: number | null
}

/** Receives one answer: `onHead`, `onData` any number of times, then exactly one of `onEnd` and `onFailure`. */
export interface ExchangeHandler {
  onHead(head: ResponseHead): void
  onData(bytes: Buffer): void
  onEnd(): void
  onFailure(failure: ProviderFailure): void
}

/** One request on its way. */
export interface Exchange {
  pause(): void
  resume(): void
  /** Ends the call now and closes its connection; the handler hears nothing more. */
  cancel(): void
  /**
   * Drops what still comes, so that a call which ends in order leaves its connection for the next one; after `graceMs` it is
   * cancelled. The handler hears at most its end.
   */
  leave(graceMs: number): void
}

/** One request to a provider. */
export interface ProviderRequest {
  /** In pieces when it is large: joining them would cost another copy of it. */
  readonly body: string | readonly Uint8Array[]
  readonly traceparent: string | undefined
  /** How long the head of the answer may take. */
  readonly firstByteTimeMs: number
}

export interface ProviderPool {
  readonly provider: ProviderConfig
  post(request: ProviderRequest, handler: ExchangeHandler): Exchange
  /** Takes no new requests and ends when those under way are answered. */
  retire(): Promise<void>
  /** Ends everything now. */
  close(): Promise<void>
}
