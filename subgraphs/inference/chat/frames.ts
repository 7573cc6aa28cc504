/**
 * The provider's stream events as ours.
 *
 * One id, created and model for the whole stream; `role` only in a choice's first delta; usage taken out of every chunk, so
 * that it is sent once, where the caller asked for it; everything that we do not know is kept.
 *
 * The hot path does not re-encode: what an event has in common with the last one is exchanged as it stands (event-shape.ts).
 */
import { textOf } from './answer-text.js'
import { EventShape, textPlace, type Relayed } from './event-shape.js'
import { isObject, takeUsage, type JsonObject, type ReportedUsage } from '../tokens/usage.js'

/** What is the same in every chunk of one stream. */
export interface StreamIdentity {
  readonly id: string
  /** Epoch seconds. */
  readonly created: number
  readonly model: string
}

/** One event of the provider, understood. */
export interface TranslatedEvent {
  /**
   * The chunk for the caller as JSON, of a run a line for each; null when nothing is to be sent now, such as for a chunk that was
   * only usage.
   */
  readonly payload: string | null
  /** The chunk as an object when it had to be parsed, else null. */
  readonly object: JsonObject | null
  /** Delivered text that counts as output: content, refusal, reasoning and tool call arguments. */
  readonly text: string
  /** Of a run, which is several chunks that differ only in a text of one choice: that text of each; else null. */
  readonly texts: readonly string[] | null
  /** The index of the choice whose text it is; -1 when the event has no choice or several. */
  readonly choice: number
  /** A choice ended here. */
  readonly finishes: boolean
  /** Something that a caller waits for: text, a tool call, an end, usage. A lone role is not. */
  readonly isMeaningful: boolean
  readonly usage: ReportedUsage | null
}

/** The event is an error object of the provider. Its text is not ours to repeat. */
export class ProviderErrorEvent extends Error {
  override readonly name = 'ProviderErrorEvent'
}

/** The event is not a chat completion chunk. */
export class MalformedEvent extends Error {
  override readonly name = 'MalformedEvent'
}

const KNOWN_FIELDS = new Set(['id', 'object', 'created', 'model', 'choices', 'usage', 'system_fingerprint', 'service_tier'])
/** A stream whose events never fit (such as padded ones) must not pay for learning each time. */
const LEARN_AT_MOST = 16
const MAX_CHOICES = 128

export class ChunkTranslator {
  /** The indexes of the choices that have ended. */
  readonly finished = new Set<number>()
  readonly #started = new Set<number>()
  readonly #toolCalls = new Map<number, number>()
  #shape: EventShape | null = null
  #learnt = 0

  constructor(readonly identity: StreamIdentity) {}

  /** @throws ProviderErrorEvent, MalformedEvent */
  translate(data: string): TranslatedEvent {
    const relayed = this.#relay(data)
    if (relayed) return relayed
    const object = parseEvent(data)
    const usage = takeUsage(object)
    const seen = this.#normalise(object)
    const payload = isWorthSending(object, usage !== null) ? JSON.stringify(object) : null
    if (seen.mayRepeat && usage === null && payload !== null) this.#learn(data, object)
    const { text, choice, finishes } = seen
    return { payload, object, text, texts: null, choice, finishes, isMeaningful: seen.isMeaningful || usage !== null, usage }
  }

  /** The events alike that begin at a place of a stream's text, as one, and where the next one begins; null when there is none. */
  translateRun(text: string, at: number): { readonly event: TranslatedEvent; readonly end: number } | null {
    const run = this.#shape?.relayRun(text, at) ?? null
    return run && { event: eventOf(this.#shape!, run), end: run.end }
  }

  #relay(data: string): TranslatedEvent | null {
    const relayed = this.#shape?.relay(data) ?? null
    return relayed && eventOf(this.#shape!, relayed)
  }

  #learn(data: string, translated: JsonObject): void {
    const place = this.#learnt < LEARN_AT_MOST ? textPlace(translated) : null
    if (!place) return
    this.#learnt++
    this.#shape = EventShape.of(data, translated, place) ?? this.#shape
  }

  /** Makes the object ours, in place. */
  #normalise(object: JsonObject): Omit<TranslatedEvent, 'payload' | 'object' | 'texts' | 'usage'> & { mayRepeat: boolean } {
    object['id'] = this.identity.id
    object['object'] = 'chat.completion.chunk'
    object['created'] = this.identity.created
    object['model'] = this.identity.model
    const choices = object['choices'] as JsonObject[]
    let text = ''
    let finishes = false
    let isMeaningful = false
    let mayRepeat = choices.length === 1
    for (const choice of choices) {
      const index = choiceIndex(choice)
      const delta = readDelta(choice)
      const isFirst = !this.#started.has(index)
      this.#started.add(index)
      if (isFirst) mayRepeat = false
      setRole(choice, delta, isFirst)
      if (choice['finish_reason'] === '' || choice['finish_reason'] === undefined) choice['finish_reason'] = null
      if (choice['finish_reason'] !== null) {
        finishes = isMeaningful = true
        this.finished.add(index)
      }
      const calls = this.#numberToolCalls(index, delta)
      // A call's name and number change what the next event means; only the arguments that follow may repeat.
      if (calls.hasNew || finishes) mayRepeat = false
      const delivered = textOf(delta)
      text += delivered
      if (delivered !== '' || calls.count > 0 || delta['audio'] !== undefined) isMeaningful = true
    }
    return { text, choice: choices.length === 1 ? (choices[0]!['index'] as number) : -1, finishes, isMeaningful, mayRepeat }
  }

  /** Tool calls without an index get one: a new id is a new call, anything else goes on with the last. */
  #numberToolCalls(choice: number, delta: JsonObject): { count: number; hasNew: boolean } {
    const calls = delta['tool_calls']
    if (calls === null) delete delta['tool_calls']
    let count = 0
    let hasNew = isObject(delta['function_call'])
    if (!Array.isArray(calls)) return { count, hasNew }
    for (const call of calls) {
      if (!isObject(call)) throw new MalformedEvent('tool_calls')
      const last = this.#toolCalls.get(choice) ?? -1
      if (!isIndex(call['index'])) {
        call['index'] = call['id'] === undefined || call['id'] === null ? Math.max(0, last) : last + 1
        hasNew = true
      }
      if ((call['index'] as number) > last) this.#toolCalls.set(choice, call['index'] as number)
      if (call['id'] !== undefined) hasNew = true
      count++
    }
    return { count, hasNew }
  }
}

const eventOf = ({ choice }: EventShape, { payload, text, texts }: Relayed): TranslatedEvent => ({
  payload,
  object: null,
  text,
  texts,
  choice,
  finishes: false,
  isMeaningful: text !== '',
  usage: null,
})

function parseEvent(data: string): JsonObject {
  let object: unknown
  try {
    object = JSON.parse(data)
  } catch {
    throw new MalformedEvent('json')
  }
  if (!isObject(object)) throw new MalformedEvent('object')
  if (object['error'] !== undefined && object['error'] !== null) throw new ProviderErrorEvent('error')
  const choices = (object['choices'] ??= [])
  if (!Array.isArray(choices) || choices.length > MAX_CHOICES || !choices.every(isObject)) throw new MalformedEvent('choices')
  if (choices.length === 0 && !Object.keys(object).some((key) => KNOWN_FIELDS.has(key) && key !== 'choices')) {
    throw new MalformedEvent('not a chunk')
  }
  return object
}

/** An event without choices is its usage, and else nothing, unless it carries something that we do not know. */
function isWorthSending(object: JsonObject, hadUsage: boolean): boolean {
  if ((object['choices'] as unknown[]).length > 0) return true
  if (hadUsage) return false
  return Object.entries(object).some(([key, value]) => !KNOWN_FIELDS.has(key) && !isEmpty(value))
}

const isEmpty = (value: unknown): boolean => value === null || (isObject(value) && Object.keys(value).length === 0)

const isIndex = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0

function choiceIndex(choice: JsonObject): number {
  if (!isIndex(choice['index'])) choice['index'] = 0
  return choice['index'] as number
}

function readDelta(choice: JsonObject): JsonObject {
  // Some servers send the whole message in the place of the delta.
  if (!isObject(choice['delta']) && isObject(choice['message'])) {
    choice['delta'] = choice['message']
    delete choice['message']
  }
  if (!isObject(choice['delta'])) choice['delta'] = {}
  return choice['delta'] as JsonObject
}

function setRole(choice: JsonObject, delta: JsonObject, isFirst: boolean): void {
  if (isFirst) choice['delta'] = { role: 'assistant', ...delta, ...(delta['role'] ? {} : { role: 'assistant' }) }
  else if ('role' in delta) delete delta['role']
}
