/**
 * What was asked and answered, on the span of its call: only where the operator has set `telemetry.content`. An answer is what
 * was handed over of it, in the words of the GenAI semantic conventions.
 */
import type { TraceSpan } from '#platform/requests/tracing.js'
import type { ChatRequest } from '../chat/request.js'
import type { ChatReport } from '../ports.js'
import { isObject, type JsonObject } from '../tokens/usage.js'
import { promptContent } from './prompt-content.js'
import { Room, type BoundedText } from './room.js'

interface Call {
  id: string | null
  readonly name: BoundedText
  readonly arguments: BoundedText
}

interface Choice {
  readonly reasoning: BoundedText
  readonly text: BoundedText
  readonly calls: Map<number, Call>
  finishReason: string | null
}

/** Ids of calls are short wherever they are meant. */
const ID_CHARACTERS = 64

export class CallContent {
  readonly #room = new Room()
  readonly #choices = new Map<number, Choice>()

  constructor(
    private readonly span: TraceSpan,
    request: ChatRequest,
  ) {
    span.set(promptContent(request))
  }

  /** Takes in a chunk of the answer, or all of it. */
  read(object: JsonObject, part: 'delta' | 'message'): void {
    const choices = object['choices']
    if (!Array.isArray(choices)) return
    for (const choice of choices) if (isObject(choice)) this.#readChoice(choice, choice[part])
  }

  /** Writes the answer down, where there is one. */
  end(outcome: ChatReport['outcome']): void {
    if (this.#choices.size === 0) return
    const otherwise = outcome === 'completed' ? 'stop' : outcome === 'blocked' ? 'content_filter' : 'error'
    const messages = [...this.#choices.values()].map(({ reasoning, text, calls, finishReason }) => ({
      role: 'assistant',
      parts: [
        ...(reasoning.isEmpty ? [] : [{ type: 'reasoning', content: reasoning }]),
        ...(text.isEmpty ? [] : [{ type: 'text', content: text }]),
        ...[...calls.values()].map((call) => ({ type: 'tool_call', ...call })),
      ],
      finish_reason: finishReason ?? otherwise,
    }))
    this.span.set({ 'gen_ai.output.messages': JSON.stringify(messages) })
  }

  #readChoice({ index, finish_reason: reason }: JsonObject, said: unknown): void {
    const choice = this.#choice(typeof index === 'number' ? index : 0)
    if (typeof reason === 'string') choice.finishReason = FINISH_REASONS[reason] ?? reason.slice(0, ID_CHARACTERS)
    if (!isObject(said)) return
    const { reasoning_content: reasoning = said['reasoning'], content, refusal, tool_calls: calls } = said
    if (typeof reasoning === 'string') choice.reasoning.add(reasoning)
    for (const text of [content, refusal]) if (typeof text === 'string') choice.text.add(text)
    if (Array.isArray(calls)) for (const [at, call] of calls.entries()) if (isObject(call)) this.#readCall(choice, call, at)
  }

  #readCall({ calls }: Choice, { index, id, function: called }: JsonObject, at: number): void {
    const place = typeof index === 'number' ? index : at
    const known = calls.get(place)
    if (!known && this.#room.isFull) return
    const call = known ?? { id: null, name: this.#room.open(), arguments: this.#room.open() }
    if (!known) calls.set(place, call)
    if (typeof id === 'string') call.id ??= id.slice(0, ID_CHARACTERS)
    if (!isObject(called)) return
    if (typeof called['name'] === 'string') call.name.add(called['name'])
    if (typeof called['arguments'] === 'string') call.arguments.add(called['arguments'])
  }

  #choice(index: number): Choice {
    const known = this.#choices.get(index)
    if (known) return known
    const choice = { reasoning: this.#room.open(), text: this.#room.open(), calls: new Map<number, Call>(), finishReason: null }
    this.#choices.set(index, choice)
    return choice
  }
}

/** What the conventions call otherwise than OpenAI does. */
const FINISH_REASONS: Readonly<Record<string, string>> = { tool_calls: 'tool_call', function_call: 'tool_call' }
