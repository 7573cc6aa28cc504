/**
 * One streamed answer on its way to one reader: what is delivered, what it costs, and how it ends.
 *
 * Invariants: the settlement happens exactly once, whoever ends the stream, and is durable before the last chunk is handed
 * over; what is billed is what was delivered and never exceeds the hold, because every choice ends at its limit; the
 * provider's call ends with the stream; the last event says that the answer is complete (`endsAnswer`), or why it is not,
 * unless the reader has left. Tokens count when the reader takes them.
 */
import type { Clock } from '#platform/clock.js'
import { AppError, toAppError } from '#platform/errors.js'
import type { TraceSpan } from '#platform/requests/tracing.js'
import { EndedAs } from '#platform/vocabulary/words.js'
import type { AnswerScan, AnswerScanReport } from '../answers/answer-scan.js'
import type { AnswerLimit } from './answer-limit.js'
import { billedCount, billedReport, isWithin, type Cover } from '../call/billing.js'
import { endedBy, type ChatCall, type Outcome } from '../call/chat-call.js'
import { ChatCodeFindings, ChatCompletionChunk, ChatStreamFault } from './chat-type.js'
import { reportFailure, type Attempt } from '../call/failover.js'
import type { TranslatedEvent } from './frames.js'
import type { ChatLimits } from '../limits.js'
import { countPrompt } from '../tokens/prompt-size.js'
import type { ProviderStream } from '../providers/provider-stream.js'
import { ProviderFailure } from '../providers/provider-failure.js'
import { usageObject, type JsonObject, type ReportedUsage } from '../tokens/usage.js'

/**
 * As `text`, chunks that are there at the same time are one event, whose payload has a line for each of them. As `events`, what
 * is said about a block of code is an event of its own; what takes longer than the last chunk waits comes behind that.
 */
export type StreamForm = 'chunks' | 'text' | 'events'

export type ChatStreamEvent = ChatCompletionChunk | ChatCodeFindings | ChatStreamFault

/**
 * Why the stream is over: the provider finished or broke, our limits cut the answer short, the reader stopped reading or left,
 * the caller's key does not let its code through, or the reason for which the request was ended.
 */
type Ending = 'complete' | 'broken' | 'over_limit' | 'over_time' | 'stalled' | 'closed' | 'blocked' | AppError

const ENDED_AS: Record<Exclude<Ending, AppError>, EndedAs> = {
  complete: 'completed',
  broken: 'provider_cut',
  over_limit: 'completed',
  over_time: 'time_limit',
  stalled: 'client_closed',
  closed: 'client_closed',
  blocked: 'blocked',
}

const endedAsOf = (ending: Ending): EndedAs => (typeof ending === 'string' ? ENDED_AS[ending] : endedBy(ending))

/** A caller who left reads nothing more, and time that is over shortens the answer; every other reason is told as a fault. */
function endingOf(reason: AppError): Ending {
  if (reason.code === 'client_closed_request') return 'closed'
  return reason.code === 'timeout' ? 'over_time' : reason
}

export interface ChatStreamOptions {
  readonly call: ChatCall
  readonly form: StreamForm
  readonly provider: ProviderStream
  readonly attempt: Attempt
  /** Lets the answer through as far as the hold pays for it. */
  readonly delivered: AnswerLimit
  readonly cover: Cover
  /** Null where nobody wants to know about the code of the answer. */
  readonly scan: AnswerScan | null
  /** The prompt's tokens, roughly: for the meter only. */
  readonly promptTokensAbout: number
  readonly span: TraceSpan | undefined
  readonly clock: Clock
  readonly limits: ChatLimits
  readonly onFault: (error: unknown) => void
  /** The provider broke the answer off. */
  readonly onBroken: (failure: ProviderFailure) => void
  /** Called once when the stream is settled. */
  readonly onSettled: () => void
}

/** An event goes no further over this: what is taken counts as delivered, and a reader may stall at any event. */
const EVENT_CHARACTERS = 16_384

export class ChatStream implements AsyncIterableIterator<ChatStreamEvent> {
  #held: TranslatedEvent | null = null
  #usage: ReportedUsage | null = null
  /** The provider's chunk that carried only usage, for whatever else is in it. */
  #usageChunk: JsonObject = {}
  #ending: Promise<void> | null = null
  #isEnded = false
  #hasLeft = false
  /** The choices whose finish_reason has been handed over, or is held back for the last chunk. */
  readonly #finished = new Set<number>()
  /** What is left to hand over after the settlement. */
  #tail: ChatStreamEvent[] = []
  #wake: (() => void) | null = null
  #lastReadAt: number
  #meteredCharacters = 0

  constructor(private readonly options: ChatStreamOptions) {
    this.#lastReadAt = options.clock.monotonic()
    const { provider, call } = options
    provider.onChange = () => this.#wakeReader()
    if (options.scan) options.scan.onScanned = () => this.#wakeReader()
    call.end.onEnd = () => void this.#end(endingOf(call.end.reason!))
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<ChatStreamEvent>> {
    const ready = this.#isHeld || this.#isRefused ? null : this.#takeReady()
    return ready ? Promise.resolve({ done: false, value: ready }) : this.#wait()
  }

  /** A block of code has ended, and nothing may follow it before it has been looked at. */
  get #isHeld(): boolean {
    return this.options.scan !== null && this.#ending === null && this.options.scan.isHolding
  }

  /** A block of code has been looked at that the key does not let through: nothing follows it, whenever the reader comes. */
  get #isRefused(): boolean {
    return this.options.scan !== null && this.#ending === null && this.options.scan.refused.length > 0
  }

  /** The reader leaves: the provider's call ends, and what was delivered is settled. */
  async return(): Promise<IteratorResult<ChatStreamEvent>> {
    this.#tail = []
    this.#hasLeft = true
    await this.#end('closed')
    this.#wakeReader()
    this.#tail = []
    return { done: true, value: undefined }
  }

  /** Once a second: meters what was delivered, and cuts a reader that has stopped reading. */
  tick(nowMs: number): void {
    if (this.#ending) return
    const { call, delivered, provider, limits, promptTokensAbout } = this.options
    const isWaiting = this.#wake === null && (provider.hasQueued || provider.ended !== null)
    if (isWaiting && nowMs - this.#lastReadAt >= limits.stalledReaderTimeMs) return void this.#end('stalled')
    if (delivered.characters === this.#meteredCharacters) return
    this.#meteredCharacters = delivered.characters
    call.meter({ input: promptTokensAbout, cachedInput: 0, output: delivered.tokens() })
  }

  async #wait(): Promise<IteratorResult<ChatStreamEvent>> {
    for (;;) {
      while (this.#isHeld) await this.#woken()
      if (this.#isRefused) await this.#end('blocked')
      const ready = this.#takeReady()
      if (ready) return { done: false, value: ready }
      if (this.#isEnded) {
        const last = this.#tail.shift()
        if (last) return { done: false, value: last }
        if (!this.#owesNews) return { done: true, value: undefined }
        await this.#woken()
      } else if (this.#ending) await this.#ending
      else if (this.options.provider.ended !== null)
        await this.#end(this.options.provider.ended === 'complete' ? 'complete' : 'broken')
      else await this.#woken()
    }
  }

  /** The answer is over, and something of its code is still being looked at for a reader who wants to hear of it. */
  get #owesNews(): boolean {
    return this.options.form === 'events' && !this.#hasLeft && this.options.scan?.isRunning === true
  }

  /** The provider or the scanner has said something, or the stream is over. */
  #woken(): Promise<void> {
    return new Promise<void>((resolve) => (this.#wake = resolve))
  }

  #wakeReader(): void {
    const wake = this.#wake
    this.#wake = null
    wake?.()
  }

  /** The next event that can be handed over without waiting. */
  #takeReady(): ChatStreamEvent | null {
    this.#lastReadAt = this.options.clock.monotonic()
    const news = this.#takeScanned()
    if (news) return news
    let payload = this.#takePayload()
    if (payload === null) return null
    if (this.options.form === 'text') {
      for (let next = this.#takePayload(); next !== null; next = this.#takePayload()) {
        payload += `\n${next}`
        if (payload.length >= EVENT_CHARACTERS || this.#isHeld) break
      }
    }
    return new ChatCompletionChunk(payload)
  }

  #takePayload(): string | null {
    const { delivered, provider, cover } = this.options
    while (this.#ending === null) {
      const cut = delivered.ends.shift()
      const taken = cut ?? provider.take()
      if (taken === null) return null
      const event = cut ?? delivered.admit(taken)
      if (event === null) continue
      // A count from before this text does not cover it.
      if (event.text !== '') this.#usage = null
      if (event.usage) this.#noteUsage(event, event.usage)
      const payload = this.#payloadOf(event)
      if (delivered.isCut && this.#finished.size >= cover.choices) void this.#end('over_limit')
      if (payload !== null) return payload
    }
    return null
  }

  #takeScanned(): ChatCodeFindings | null {
    const { scan, form } = this.options
    const block = scan && form === 'events' ? scan.scanned.shift() : undefined
    return block ? new ChatCodeFindings(block) : null
  }

  #noteUsage(event: TranslatedEvent, usage: ReportedUsage): void {
    this.#usage = usage
    if (event.payload === null && event.object) this.#usageChunk = event.object
  }

  /** The end of a choice is kept back until the usage is known, unless the caller wants usage in a chunk of its own. */
  #payloadOf(event: TranslatedEvent): string | null {
    if (event.payload === null) return null
    const { scan, call } = this.options
    if (scan || call.facts.content) {
      const object = event.object ?? (JSON.parse(event.payload) as JsonObject)
      scan?.read(object, 'delta')
      call.facts.content?.read(object, 'delta')
    }
    if (event.finishes) this.#noteFinishes(event)
    if (!event.finishes || !this.#holdsEnds) return event.payload
    const earlier = this.#held
    this.#held = event
    return earlier?.payload ?? null
  }

  /** Where code may be withheld, what is said of it decides how a choice ends. */
  get #holdsEnds(): boolean {
    return !this.options.call.facts.request.wantsUsageChunk || this.options.scan?.withholds === true
  }

  /** An event that ends a choice was parsed, because no learnt shape has an end in it. */
  #noteFinishes({ object }: TranslatedEvent): void {
    for (const choice of choicesOf(object)) if (choice['finish_reason'] !== null) this.#finished.add(choice['index'] as number)
  }

  #end(ending: Ending): Promise<void> {
    this.#ending ??= this.#finish(ending)
    return this.#ending
  }

  async #finish(ending: Ending): Promise<void> {
    const { call, provider } = this.options
    const failure = provider.ended instanceof ProviderFailure ? provider.ended : null
    call.end.close()
    provider.finish(ending === 'over_limit')
    try {
      const scanned = await this.#scanReport(ending)
      const outcome = await this.#outcome(ending)
      this.#reportHealth(failure, outcome.tokens.output)
      this.options.span?.event('end', { 'sluice.ended_as': outcome.endedAs })
      this.options.span?.end()
      await call.settle(outcome)
      this.#tail.push(...this.#lastEvents(ending, outcome, failure, scanned))
    } catch (error) {
      this.options.onFault(error)
      this.#tail.push(new ChatStreamFault(toAppError(error)))
    } finally {
      this.#isEnded = true
      this.options.onSettled()
      this.#wakeReader()
    }
  }

  async #scanReport(ending: Ending): Promise<AnswerScanReport | null> {
    const { scan, limits } = this.options
    return scan && ending !== 'closed' ? scan.end(limits.answerScanMs) : null
  }

  /** The provider's count when there is one for all that was delivered and nothing else, else ours. */
  async #outcome(ending: Ending): Promise<Outcome> {
    const { call, delivered, cover, scan } = this.options
    const isBlocked = ending === 'complete' && scan !== null && scan.refused.length > 0
    const ended = { endedAs: isBlocked ? EndedAs.BLOCKED : endedAsOf(ending), ...(scan && { codeFindings: scan.findings }) }
    if (this.#usage && !delivered.isCut && isWithin(this.#usage, cover)) {
      return { ...ended, ...billedReport(this.#usage, cover), usageSource: 'reported' }
    }
    const output = delivered.tokens()
    const nothingArrived = output === 0 && ending !== 'complete'
    const input = nothingArrived ? 0 : await countPrompt(call.facts.request, this.options.attempt.kept.model.tokenizer)
    return { ...ended, tokens: billedCount(input, output, cover), usageSource: 'counted' }
  }

  #reportHealth(failure: ProviderFailure | null, outputTokens: number): void {
    const { attempt, call, clock } = this.options
    if (failure !== null) {
      this.options.onBroken(failure)
      return reportFailure(attempt.trial, failure)
    }
    const callDelay = attempt.startedAt - call.facts.begunAt
    const firstTokenMs = (call.firstTokenMs ?? callDelay) - callDelay
    attempt.trial.answered({
      latencyMs: firstTokenMs,
      firstTokenMs,
      outputTokens,
      durationMs: clock.monotonic() - attempt.startedAt,
    })
  }

  #lastEvents(
    ending: Ending,
    outcome: Outcome,
    failure: ProviderFailure | null,
    scanned: AnswerScanReport | null,
  ): ChatStreamEvent[] {
    if (ending === 'closed') return []
    const fault = this.#faultOf(ending, failure)
    // A choice that had ended before another one broke is whole.
    if (fault) return [...(this.#held?.payload ? [new ChatCompletionChunk(this.#held.payload)] : []), new ChatStreamFault(fault)]
    const usage = usageObject(outcome.tokens, outcome.details)
    const last = this.#lastObject(ending === 'blocked' ? 'content_filter' : ending === 'complete' ? 'stop' : 'length')
    const told = { usage, ...(scanned && { sluice: { scan: scanned } }) }
    const usageFields = { ...this.#usageChunk, ...this.#emptyChunk([]) }
    const events = this.#lastScanned()
    if (!this.options.call.facts.request.wantsUsageChunk) return [...events, lastChunk({ ...usageFields, ...last, ...told })]
    if (last) events.push(new ChatCompletionChunk(JSON.stringify(last), last))
    return [...events, lastChunk({ ...usageFields, ...told })]
  }

  #lastScanned(): ChatStreamEvent[] {
    const events: ChatStreamEvent[] = []
    for (let news = this.#takeScanned(); news !== null; news = this.#takeScanned()) events.push(news)
    return events
  }

  #faultOf(ending: Ending, failure: ProviderFailure | null): AppError | null {
    if (typeof ending !== 'string') return ending
    if (ending === 'stalled') return new AppError('timeout', 'The answer was not read for too long and was ended.')
    if (ending !== 'broken') return null
    const { providerId } = this.options.attempt.kept.candidate
    return new AppError('upstream_error', `The provider ${providerId} broke off the answer (${failure?.kind ?? 'cut'}).`)
  }

  /** The chunk that ends the answer: the provider's, with ours for every choice that it did not end or that we cut short. */
  #lastObject(finishReason: string): JsonObject | null {
    const all = Array.from({ length: this.options.call.facts.request.choices }, (_, index) => index)
    const ours = all
      .filter((index) => !this.#finished.has(index))
      .map((index) => ({ index, delta: {}, logprobs: null, finish_reason: finishReason }))
    const theirs = this.#held?.object
    if (theirs) return { ...theirs, choices: [...choicesOf(theirs).map((choice) => this.#withEnd(choice)), ...ours] }
    return ours.length === 0 ? null : this.#emptyChunk(ours)
  }

  /** A choice whose code is withheld ends for that. */
  #withEnd(choice: JsonObject): JsonObject {
    const isRefused = this.options.scan?.refused.some((block) => block.choice === choice['index']) ?? false
    return isRefused ? { ...choice, finish_reason: 'content_filter' } : choice
  }

  #emptyChunk(choices: JsonObject[]): JsonObject {
    const { id, created, model } = this.options.call.identity(this.options.attempt.kept)
    return { id, object: 'chat.completion.chunk', created, model, choices }
  }
}

const lastChunk = (object: JsonObject): ChatCompletionChunk => new ChatCompletionChunk(JSON.stringify(object), object, true)

const choicesOf = (chunk: JsonObject | null): JsonObject[] => (chunk?.['choices'] ?? []) as JsonObject[]
