/**
 * The limit of a streamed answer: lets every choice through up to the tokens that its hold pays for, and ends it there with
 * `finish_reason: length`, in the middle of an event where it must be. What is let through is counted as it goes.
 */
import { endAtLimit, keepText, textOf } from './answer-text.js'
import { isWithin, type Cover } from '../call/billing.js'
import type { TranslatedEvent } from './frames.js'
import { DeliveredText } from '../tokens/token-count.js'
import { isObject, type JsonObject } from '../tokens/usage.js'

export class AnswerLimit {
  /** Something was withheld: what the provider reports is not what was delivered. */
  isCut = false
  /** Ends of choices that were cut, to be delivered next. */
  readonly ends: TranslatedEvent[] = []
  readonly #texts = new Map<number, DeliveredText>()
  readonly #closed = new Set<number>()

  constructor(
    private readonly count: (text: string) => number,
    private readonly cover: Cover,
  ) {}

  /** UTF-16 units delivered so far, over all choices. */
  get characters(): number {
    let sum = 0
    for (const text of this.#texts.values()) sum += text.characters
    return sum
  }

  /** Tokens delivered so far, over all choices. */
  tokens(): number {
    let sum = 0
    for (const text of this.#texts.values()) sum += text.tokens()
    return sum
  }

  /** What of an event may be delivered; null when that is nothing. */
  admit(event: TranslatedEvent): TranslatedEvent | null {
    if (event.texts !== null) return this.#admitRun(event, event.texts)
    // A provider that counts along knows better than we whether its answer keeps the limit.
    const limit = event.usage !== null && isWithin(event.usage, this.cover) ? Infinity : this.cover.answerTokens
    const { choice, text } = event
    if (choice >= 0) {
      const kept = this.#take(choice, text, limit)
      return kept === text.length ? event : this.#rewrite(event, () => kept)
    }
    const several = (event.object?.['choices'] ?? []) as readonly JsonObject[]
    if (several.length === 0) return event
    const keptOf = new Map(several.map((item) => [item, this.#take(item['index'] as number, deltaText(item), limit)]))
    const isWhole = several.every((item) => keptOf.get(item) === deltaText(item).length)
    return isWhole ? event : this.#rewrite(event, (item) => keptOf.get(item)!)
  }

  /** The chunks of a run up to the one in which its choice reaches the limit. */
  #admitRun(run: TranslatedEvent, texts: readonly string[]): TranslatedEvent | null {
    const limit = this.cover.answerTokens
    const delivered = this.#closed.has(run.choice) ? undefined : this.#texts.get(run.choice)
    if (delivered?.addBelow(run.text, limit)) return run
    for (const [index, text] of texts.entries()) {
      const kept = this.#take(run.choice, text, limit)
      if (kept < text.length) return this.#endRun(run, texts, index, kept)
    }
    return run
  }

  #endRun(run: TranslatedEvent, texts: readonly string[], index: number, kept: number): TranslatedEvent | null {
    const lines = run.payload!.split('\n')
    const last = this.#rewrite({ ...run, payload: lines[index]!, text: texts[index]!, texts: null }, () => kept)
    if (index === 0) return last
    const payload = [...lines.slice(0, index), ...(last ? [last.payload] : [])].join('\n')
    return { ...run, payload, text: texts.slice(0, index).join('') + (last?.text ?? ''), texts: null }
  }

  /** Counts what a choice may still say of a text; -1 when it may not even end any more. */
  #take(choice: number, text: string, limit: number): number {
    if (this.#closed.has(choice)) return -1
    let delivered = this.#texts.get(choice)
    if (!delivered) {
      // A choice that nobody asked for is no part of the hold.
      if (this.#texts.size >= this.cover.choices) {
        this.#closed.add(choice)
        this.isCut = true
        return -1
      }
      delivered = new DeliveredText(this.count)
      this.#texts.set(choice, delivered)
    }
    if (text === '') return 0
    if (limit !== Infinity) return delivered.addWithin(text, limit)
    delivered.add(text)
    return text.length
  }

  #rewrite(event: TranslatedEvent, keptOf: (choice: JsonObject) => number): TranslatedEvent | null {
    const object = event.object ?? (JSON.parse(event.payload!) as JsonObject)
    const left = (object['choices'] as JsonObject[]).filter((choice) => this.#shorten(choice, keptOf(choice), object))
    object['choices'] = left
    if (left.length === 0) return event.usage === null ? null : { ...event, object, payload: null, text: '', finishes: false }
    const text = left.map(deltaText).join('')
    const finishes = left.some((choice) => choice['finish_reason'] !== null)
    return { ...event, object, payload: JSON.stringify(object), text, finishes }
  }

  /** Cuts one choice of an event; false when nothing of it is left. */
  #shorten(choice: JsonObject, kept: number, event: JsonObject): boolean {
    if (kept < 0) return false
    if (kept === deltaText(choice).length) return true
    const index = choice['index'] as number
    this.isCut = true
    this.#closed.add(index)
    this.ends.push(endOf(event, index))
    keepText(choice['delta'] as JsonObject, kept)
    choice['logprobs'] = null
    choice['finish_reason'] = null
    return kept > 0
  }
}

const deltaText = (choice: JsonObject): string => (isObject(choice['delta']) ? textOf(choice['delta']) : '')

function endOf(event: JsonObject, index: number): TranslatedEvent {
  const choice: JsonObject = { index, delta: {} }
  endAtLimit(choice)
  const { id, object: kind, created, model } = event
  const object: JsonObject = { id, object: kind, created, model, choices: [choice] }
  return {
    payload: JSON.stringify(object),
    object,
    text: '',
    texts: null,
    choice: index,
    finishes: true,
    isMeaningful: true,
    usage: null,
  }
}
