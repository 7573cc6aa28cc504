/**
 * The provider's stream events as ours.
 *
 * One id, created and model for the whole stream; `role` only in a choice's first delta; usage taken out of every chunk, so
 * that it is sent once, where the caller asked for it; everything that we do not know is kept.
 *
 * The hot path does not re-encode. Within one stream nearly all events differ only in one string, the delta's text. The
 * translator learns that shape from an event that it has parsed completely: the bytes before the text, the bytes after it,
 * and both as we want to send them. An event of the same shape is relayed by exchanging the surroundings, after the text
 * between them has been proven to be exactly one JSON string.
 */
import { TEXT_FIELDS, textOf } from './answer-text.js'
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
  /** The chunk for the caller as JSON; null when nothing is to be sent now, such as for a chunk that was only usage. */
  readonly payload: string | null
  /** The chunk as an object when it had to be parsed, else null. */
  readonly object: JsonObject | null
  /** Delivered text that counts as output: content, refusal, reasoning and tool call arguments. */
  readonly text: string
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

interface Shape {
  readonly choice: number
  readonly before: string
  readonly after: string
  readonly ourBefore: string
  readonly ourAfter: string
}

/** Of one-byte characters: one wider character would make every text that is relayed twice as wide, and slow to write. */
const HOLE = '<hole>'
const HOLE_JSON = JSON.stringify(HOLE)
const KNOWN_FIELDS = new Set(['id', 'object', 'created', 'model', 'choices', 'usage', 'system_fingerprint', 'service_tier'])
/** A stream whose events never fit (such as padded ones) must not pay for learning each time. */
const LEARN_AT_MOST = 16
const MAX_CHOICES = 128

export class ChunkTranslator {
  /** The indexes of the choices that have ended. */
  readonly finished = new Set<number>()
  readonly #started = new Set<number>()
  readonly #toolCalls = new Map<number, number>()
  #shape: Shape | null = null
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
    return { payload, object, text, choice, finishes, isMeaningful: seen.isMeaningful || usage !== null, usage }
  }

  #relay(data: string): TranslatedEvent | null {
    const shape = this.#shape
    if (!shape || data.length < shape.before.length + shape.after.length) return null
    if (!data.startsWith(shape.before) || !data.endsWith(shape.after)) return null
    const inner = data.slice(shape.before.length, data.length - shape.after.length)
    const text = readString(inner)
    if (text === null) return null
    return {
      payload: shape.ourBefore + inner + shape.ourAfter,
      object: null,
      text,
      choice: shape.choice,
      finishes: false,
      isMeaningful: text !== '',
      usage: null,
    }
  }

  /** Remembers the shape of an event when exactly one of its texts can be exchanged without touching anything else. */
  #learn(data: string, translated: JsonObject): void {
    if (this.#learnt >= LEARN_AT_MOST) return
    const place = textPlace(translated)
    if (!place) return
    this.#learnt++
    const key = JSON.stringify(place.field)
    const match = new RegExp(`${key}\\s*:\\s*"`).exec(data)
    if (!match) return
    const start = match.index + match[0].length
    const end = stringEnd(data, start)
    if (end === -1) return
    const before = data.slice(0, start)
    const after = data.slice(end)
    // The proof: with another text in this place the event differs in that text and in nothing else.
    const probe = parseEvent(`${before}${HOLE_JSON.slice(1, -1)}${after}`)
    const original = parseEvent(data)
    if (!exchangesOnly(place.path, probe, original)) return
    place.owner[place.field] = HOLE
    const ours = JSON.stringify(translated)
    const hole = ours.indexOf(HOLE_JSON)
    if (hole === -1 || ours.includes(HOLE_JSON, hole + 1)) return
    const choice = (translated['choices'] as JsonObject[])[0]!['index'] as number
    const [ourBefore, ourAfter] = [ours.slice(0, hole + 1), ours.slice(hole + HOLE_JSON.length - 1)]
    this.#shape = { choice, before, after, ourBefore, ourAfter }
    place.owner[place.field] = place.text
  }

  /** Makes the object ours, in place. */
  #normalise(object: JsonObject): Omit<TranslatedEvent, 'payload' | 'object' | 'usage'> & { mayRepeat: boolean } {
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

/** The one text of a translated chunk that may vary, and where it is. */
function textPlace(object: JsonObject): { owner: JsonObject; field: string; text: string; path: (string | number)[] } | null {
  const delta = (object['choices'] as JsonObject[])[0]!['delta'] as JsonObject
  const filled = TEXT_FIELDS.filter((field) => typeof delta[field] === 'string' && delta[field] !== '')
  const calls = delta['tool_calls']
  if (filled.length === 1 && calls === undefined) {
    const field = filled[0]!
    return { owner: delta, field, text: delta[field] as string, path: ['choices', 0, 'delta', field] }
  }
  if (filled.length > 0 || !Array.isArray(calls) || calls.length !== 1) return null
  const call = (calls[0] as JsonObject)['function']
  if (!isObject(call) || typeof call['arguments'] !== 'string' || call['name']) return null
  const path = ['choices', 0, 'delta', 'tool_calls', 0, 'function', 'arguments']
  return { owner: call, field: 'arguments', text: call['arguments'], path }
}

/** True when the probe has the hole at the path and is the original in everything else. */
function exchangesOnly(path: readonly (string | number)[], probe: JsonObject, original: JsonObject): boolean {
  const last = path.at(-1)!
  const owner = (root: JsonObject) =>
    path.slice(0, -1).reduce<unknown>((value, key) => (value as Record<string | number, unknown> | undefined)?.[key], root)
  const probeOwner = owner(probe) as Record<string | number, unknown> | undefined
  const originalOwner = owner(original) as Record<string | number, unknown> | undefined
  if (!probeOwner || !originalOwner || probeOwner[last] !== HOLE) return false
  probeOwner[last] = originalOwner[last]
  return JSON.stringify(probe) === JSON.stringify(original)
}

/** The index of the quote that ends the string whose first character is at `start`; -1 when there is none. */
function stringEnd(text: string, start: number): number {
  for (let i = start; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '"') return i
  }
  return -1
}

const NEEDS_PARSING = /["\\\p{Cc}]/u

/** The value of the JSON string with these characters between its quotes; null when they are not one string. */
function readString(inner: string): string | null {
  if (!NEEDS_PARSING.test(inner)) return inner
  try {
    const value: unknown = JSON.parse(`"${inner}"`)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}
