/**
 * One provider's streamed answer between its socket and its reader: translated events in a queue with a byte budget.
 *
 * A full queue pauses the provider; an empty one lets it go on. `started` settles when it is known whether this provider
 * answers at all, so that another one can be tried before the caller has seen anything.
 */
import type { Clock } from '#platform/clock.js'
import type { ChatLimits } from '../limits.js'
import { completionEvents } from '../chat/completion.js'
import { asFailure } from '../call/failover.js'
import { ChunkTranslator, type StreamIdentity, type TranslatedEvent } from '../chat/frames.js'
import { openStream, type ProviderStreamHandler } from './provider-answer.js'
import { dialectOf } from './provider-dialects.js'
import { ProviderFailure } from './provider-failure.js'
import type { Exchange, ProviderPool, ProviderRequest } from './exchange.js'

/** How the provider ended: properly, or with a failure. */
export type StreamEnd = 'complete' | ProviderFailure

export interface ProviderStreamOptions {
  readonly pool: ProviderPool
  readonly request: ProviderRequest
  readonly identity: StreamIdentity
  /** How many choices have to end before the stream may. */
  readonly choices: number
  /** Chunks that differ only in their text may come as one event. */
  readonly joinsChunks: boolean
  readonly limits: ChatLimits
  readonly clock: Clock
}

export class ProviderStream implements ProviderStreamHandler {
  /** Resolves at the first event that a caller waits for; rejects with ProviderFailure. */
  readonly started: Promise<void>
  /** Set when no more events will come; queued ones may remain. */
  ended: StreamEnd | null = null
  /** Called when there is something new to take. */
  onChange: (() => void) | null = null
  readonly #translator: ChunkTranslator
  readonly #exchange: Exchange
  #queue: TranslatedEvent[] = []
  #head = 0
  #queuedCharacters = 0
  #isPaused = false
  #hasStarted = false
  #cancelGrace: (() => void) | null = null
  #resolveStarted: () => void = () => undefined
  #rejectStarted: (failure: ProviderFailure) => void = () => undefined

  constructor(private readonly options: ProviderStreamOptions) {
    this.#translator = new ChunkTranslator(options.identity)
    this.started = new Promise((resolve, reject) => {
      this.#resolveStarted = resolve
      this.#rejectStarted = reject
    })
    const { pool, request, limits } = options
    this.#exchange = openStream(pool, request, limits, dialectOf(pool.provider).stream(this))
  }

  /** Whether events wait for the reader. */
  get hasQueued(): boolean {
    return this.#head < this.#queue.length
  }

  /** The next event, if there is one. */
  take(): TranslatedEvent | null {
    const event = this.#queue[this.#head]
    if (event === undefined) return null
    this.#head++
    if (this.#head === this.#queue.length) {
      this.#queue = []
      this.#head = 0
    }
    this.#queuedCharacters -= event.payload?.length ?? 0
    if (this.#isPaused && this.#queuedCharacters < this.options.limits.queuedBytes / 2) {
      this.#isPaused = false
      this.#exchange.resume()
    }
    return event
  }

  /**
   * Nothing more is wanted of the provider. A call that has ended may end its connection's turn in order, and so may one that
   * has reached its limit, which the provider knows and ends at as well, by its own count; any other is cut.
   */
  finish(hasReachedLimit: boolean): void {
    const { afterFinishTimeMs, overrunTimeMs } = this.options.limits
    if (this.ended === null && hasReachedLimit) {
      this.#exchange.leave(overrunTimeMs)
      this.#end('complete')
    } else if (this.ended === 'complete') this.#exchange.leave(afterFinishTimeMs)
    else this.cancel()
  }

  /** Ends the call to the provider. Queued events stay. */
  cancel(): void {
    this.#cancelGrace?.()
    this.#exchange.cancel()
    if (this.ended === null) this.#end(new ProviderFailure('cancelled'))
  }

  onEvent(data: string): void {
    if (this.ended !== null) return
    let event: TranslatedEvent
    try {
      event = this.#translator.translate(data)
    } catch (error) {
      this.#exchange.cancel()
      return this.#end(asFailure(error))
    }
    this.#add(event)
  }

  takeEvents(text: string, at: number): number {
    const run = this.options.joinsChunks && this.ended === null ? this.#translator.translateRun(text, at) : null
    if (!run) return at
    this.#add(run.event)
    return run.end
  }

  #add(event: TranslatedEvent): void {
    this.#queue.push(event)
    this.#queuedCharacters += event.payload?.length ?? 0
    if (!this.#isPaused && this.#queuedCharacters > this.options.limits.queuedBytes) {
      this.#isPaused = true
      this.#exchange.pause()
    }
    if (event.finishes) this.#onFinish()
    if (event.isMeaningful && !this.#hasStarted) {
      this.#hasStarted = true
      this.#resolveStarted()
    }
    this.onChange?.()
  }

  onWhole(body: string): void {
    try {
      for (const event of completionEvents(body, this.options.identity)) this.onEvent(event)
    } catch (error) {
      return this.#end(asFailure(error))
    }
    this.onEnd(true)
  }

  onEnd(isDone: boolean): void {
    if (!this.#hasStarted) return this.#end(new ProviderFailure('empty'))
    // A clean end in the middle of an answer is a broken answer, however politely the connection was closed.
    const isComplete = isDone || this.#hasFinished
    this.#end(isComplete ? 'complete' : new ProviderFailure('cut'))
  }

  onFailure(failure: ProviderFailure): void {
    this.#end(this.#hasFinished ? 'complete' : failure)
  }

  get #hasFinished(): boolean {
    return this.#translator.finished.size >= this.options.choices
  }

  /** Every choice has ended: usage and `[DONE]` may follow, but nobody waits long for them. */
  #onFinish(): void {
    if (!this.#hasFinished || this.#cancelGrace) return
    this.#cancelGrace = this.options.clock.setTimeout(() => {
      this.#exchange.cancel()
      this.#end('complete')
    }, this.options.limits.afterFinishTimeMs)
  }

  #end(end: StreamEnd): void {
    if (this.ended !== null) return
    this.ended = end
    this.#cancelGrace?.()
    if (!this.#hasStarted) this.#rejectStarted(end === 'complete' ? new ProviderFailure('empty') : end)
    this.onChange?.()
  }
}
