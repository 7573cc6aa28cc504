/**
 * The requests that this process is answering, and the one way to end them early: each has a signal, and whoever ends a
 * request aborts that with the reason (see end-reasons.ts).
 *
 * A request is what somebody waits for: its answer exists only on its connection, so a stop lets it run to its end. A watcher
 * looks on at something that goes on without it (a rental, a price, an inbox of events), would never end by itself, and can go
 * on looking at another server, so a stop ends it first.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientLeft } from './end-reasons.js'
import type { AppError } from '../errors.js'
import { PassingMap } from '../passing-map.js'

/** Answers a request with a fault in the form of its edge, or breaks the connection when the answer has begun. */
export type Refuse = (request: IncomingMessage, response: ServerResponse, fault: AppError) => void

export interface OpenRequest {
  readonly signal: AbortSignal
  /** Null until the caller is known, and for callers without a key. */
  keyId: string | null
}

class Entry implements OpenRequest {
  keyId: string | null = null
  isWatcher = false
  readonly #controller = new AbortController()

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly refuse: Refuse,
  ) {}

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  end(reason: AppError): void {
    this.#controller.abort(reason)
  }
}

export class OpenRequests {
  readonly #open = new PassingMap<number, Entry>()
  #opened = 0
  #watchersEnd: AppError | null = null
  #allEnd: AppError | null = null

  /** From now on until its response is closed. A response that is closed before it was finished is a client that has left. */
  add(request: IncomingMessage, response: ServerResponse, refuse: Refuse): OpenRequest {
    const entry = new Entry(request, response, refuse)
    const number = (this.#opened += 1)
    this.#open.set(number, entry)
    response.on('close', () => {
      this.#open.delete(number)
      if (!response.writableFinished) entry.end(clientLeft())
    })
    if (this.#allEnd) entry.end(this.#allEnd)
    return entry
  }

  get size(): number {
    return this.#open.size
  }

  /** How many have been opened so far. */
  get opened(): number {
    return this.#opened
  }

  /** This request only looks on. */
  watch(signal: AbortSignal): void {
    const entry = this.#open.values().find((open) => open.signal === signal)
    if (!entry) return
    entry.isWatcher = true
    if (this.#watchersEnd) entry.end(this.#watchersEnd)
  }

  /** Answers that have not begun will say that their connection closes. */
  closeConnections(): void {
    for (const { response } of this.#open.values()) response.shouldKeepAlive = false
  }

  /** Ends the watchers, and those that come from now on. */
  endWatchers(reason: AppError): void {
    this.#watchersEnd = reason
    for (const entry of this.#open.values()) if (entry.isWatcher) entry.end(reason)
  }

  /** Ends all requests, and those that come from now on. */
  endAll(reason: AppError): void {
    this.#watchersEnd = this.#allEnd = reason
    for (const entry of this.#open.values()) entry.end(reason)
  }

  /** Answers what is still open although it was ended: its handler does not come back. */
  refuseAll(reason: AppError): void {
    for (const { request, response, refuse } of this.#open.values()) refuse(request, response, reason)
  }

  /** The keys of the requests that are open. */
  keyIds(): ReadonlySet<string> {
    const keyIds = new Set<string>()
    for (const { keyId } of this.#open.values()) if (keyId !== null) keyIds.add(keyId)
    return keyIds
  }

  endThoseOf(keyId: string, reason: AppError): void {
    for (const entry of this.#open.values()) if (entry.keyId === keyId) entry.end(reason)
  }
}
