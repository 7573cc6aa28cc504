/**
 * What the events of one stream have in common: nearly all differ only in one string, the delta's text.
 *
 * The shape is learnt from an event that has been parsed completely: the characters before the text, those after it, and both
 * as we want to send them. An event of that shape is relayed by exchanging the surroundings, after the text between them has
 * been proven to be exactly one JSON string; several such events in a row are relayed as one.
 */
import { TEXT_FIELDS } from './answer-text.js'
import { isObject, type JsonObject } from '../tokens/usage.js'

/** Of one-byte characters: one wider character would make every text that is relayed twice as wide, and slow to write. */
const HOLE = '<hole>'
const HOLE_JSON = JSON.stringify(HOLE)

/** How far a run goes, in characters of the provider. */
const RUN_CHARACTERS = 8_192

/** One event, or several in a row. */
export interface Relayed {
  /** The chunk for the caller as JSON; a line for each event of a run. */
  readonly payload: string
  readonly text: string
  /** Of a run: the text of each event. */
  readonly texts: readonly string[] | null
}

export interface Run extends Relayed {
  /** Where the next event begins. */
  readonly end: number
}

/** The one text of a translated chunk that may vary, and where it is. */
interface TextPlace {
  readonly owner: JsonObject
  readonly field: string
  readonly text: string
  readonly path: readonly (string | number)[]
}

interface Surroundings {
  readonly before: string
  readonly after: string
}

export class EventShape {
  /** Events of this shape as lines of a stream: how one begins, how it ends, and both between two of them. */
  readonly #opening: string
  readonly #closing: string
  readonly #theirSeparator: string
  readonly #ourSeparator: string

  private constructor(
    /** The index of the choice whose text it is. */
    readonly choice: number,
    private readonly theirs: Surroundings,
    private readonly ours: Surroundings,
  ) {
    this.#opening = `data: ${theirs.before}`
    this.#closing = `${theirs.after}\n\n`
    this.#theirSeparator = this.#closing + this.#opening
    this.#ourSeparator = `${ours.after}\n${ours.before}`
  }

  /** Learns from an event and what it was translated to; null when more than the text in that place would have to change. */
  static of(data: string, translated: JsonObject, place: TextPlace): EventShape | null {
    const key = JSON.stringify(place.field)
    const match = new RegExp(`${key}\\s*:\\s*"`).exec(data)
    if (!match) return null
    const start = match.index + match[0].length
    const end = stringEnd(data, start)
    if (end === -1) return null
    const theirs = { before: data.slice(0, start), after: data.slice(end) }
    // The proof: with another text in this place the event differs in that text and in nothing else.
    const probe = JSON.parse(`${theirs.before}${HOLE_JSON.slice(1, -1)}${theirs.after}`) as JsonObject
    const original = JSON.parse(data) as JsonObject
    if (!exchangesOnly(place.path, probe, original)) return null
    place.owner[place.field] = HOLE
    const ours = JSON.stringify(translated)
    place.owner[place.field] = place.text
    const hole = ours.indexOf(HOLE_JSON)
    if (hole === -1 || ours.includes(HOLE_JSON, hole + 1)) return null
    const choice = (translated['choices'] as JsonObject[])[0]!['index'] as number
    return new EventShape(choice, theirs, { before: ours.slice(0, hole + 1), after: ours.slice(hole + HOLE_JSON.length - 1) })
  }

  /** An event of this shape as ours; null when it is of another. */
  relay(data: string): Relayed | null {
    const { before, after } = this.theirs
    if (data.length < before.length + after.length || !data.startsWith(before) || !data.endsWith(after)) return null
    const inner = data.slice(before.length, data.length - after.length)
    const text = readString(inner)
    return text === null ? null : { payload: this.ours.before + inner + this.ours.after, text, texts: null }
  }

  /**
   * The whole events of this shape that begin at a place of a stream's text, one behind the other; null when there is none.
   * Where an event of another shape stands between two of them, what is taken for a text has its line end in it.
   */
  relayRun(stream: string, at: number): Run | null {
    if (!stream.startsWith(this.#opening, at)) return null
    const start = at + this.#opening.length
    const inners = stream.slice(start, at + RUN_CHARACTERS).split(this.#theirSeparator)
    const last = inners.pop()!
    const close = last.indexOf(this.#closing)
    if (close !== -1) inners.push(last.slice(0, close))
    const texts = readStrings(inners)
    if (texts.length === 0) return null
    inners.length = texts.length
    const joined = inners.join('')
    const between = (texts.length - 1) * this.#theirSeparator.length
    return {
      payload: this.ours.before + inners.join(this.#ourSeparator) + this.ours.after,
      text: texts === inners ? joined : texts.join(''),
      texts,
      end: start + joined.length + between + this.#closing.length,
    }
  }
}

/** The one text of a translated chunk that may vary; null when there is none, or more than one. */
export function textPlace(translated: JsonObject): TextPlace | null {
  const delta = (translated['choices'] as JsonObject[])[0]!['delta'] as JsonObject
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

/** The values of as many of these as are JSON strings, up to the first that is none; the same array where all are as they stand. */
function readStrings(inners: readonly string[]): readonly string[] {
  if (!inners.some((inner) => NEEDS_PARSING.test(inner))) return inners
  const texts: string[] = []
  for (const inner of inners) {
    const text = readString(inner)
    if (text === null) break
    texts.push(text)
  }
  return texts
}
