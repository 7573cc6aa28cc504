/** A chat completion as a message: the parts that a whole answer and a stream share, and the whole answer. */
type JsonObject = Record<string, unknown>

/** The parts of a completion that are read here, of a whole one or a chunk. */
interface Spoken {
  readonly content?: string | null
  readonly refusal?: string | null
  readonly tool_calls?: readonly ToolCall[] | null
}

export interface ToolCall {
  readonly index?: number
  readonly id?: string | null
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null } | null
}

interface ChatChoice<Part extends string> {
  readonly index?: number
  readonly finish_reason?: string | null
  /** The text that ended the answer, where the provider says. */
  readonly stop_reason?: unknown
  readonly [field: string]: unknown
  readonly message?: Part extends 'message' ? Spoken : never
  readonly delta?: Part extends 'delta' ? Spoken | null : never
}

interface ChatUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly prompt_tokens_details?: { readonly cached_tokens?: number | null } | null
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null
}

interface Chat<Part extends string> {
  readonly id: string
  readonly created?: number
  readonly model: string
  readonly choices: readonly ChatChoice<Part>[]
  readonly usage?: ChatUsage | null
  /** Ours, beside the provider's fields. */
  readonly sluice?: JsonObject
}

export type Completion = Chat<'message'>
export type Chunk = Chat<'delta'>

/** The tokens of the bill; those that the provider had in its cache are not in `input_tokens`, as in Anthropic's API. */
export function usageOf(usage: ChatUsage | null | undefined) {
  const cached = usage?.prompt_tokens_details?.cached_tokens ?? 0
  return {
    input_tokens: (usage?.prompt_tokens ?? 0) - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: usage?.completion_tokens ?? 0,
    output_tokens_details: null,
    server_tool_use: null,
  }
}

/** Of a message these are more than of its end; typed clients read them all. */
export const messageUsageOf = (usage: ChatUsage | null | undefined) => ({
  ...usageOf(usage),
  cache_creation: null,
  inference_geo: null,
  service_tier: null,
  speed: null,
})

/** What a chat completion has no counterpart for; typed clients read it. */
export const UNSAID = { container: null, stop_details: null } as const

/** Only callers make the calls here. */
export const toolUse = (id: string, name: string, input: object) => ({
  type: 'tool_use',
  id,
  name,
  input,
  caller: { type: 'direct' },
})

/** Why the model stopped, by what is known of its first choice. */
export function stopOf(
  finish: { readonly finish_reason?: string | null; readonly stop_reason?: unknown },
  seen: { readonly hasCalls: boolean; readonly isRefused: boolean },
  stopSequences: readonly string[],
) {
  const { finish_reason: reason, stop_reason: at } = finish
  if (reason === 'length') return { stop_reason: 'max_tokens', stop_sequence: null } as const
  if (reason === 'content_filter' || seen.isRefused) return { stop_reason: 'refusal', stop_sequence: null } as const
  if (seen.hasCalls) return { stop_reason: 'tool_use', stop_sequence: null } as const
  if (typeof at === 'string' && stopSequences.includes(at)) return { stop_reason: 'stop_sequence', stop_sequence: at } as const
  return { stop_reason: 'end_turn', stop_sequence: null } as const
}

export const messageId = (completionId: string): string => completionId.replace(/^chatcmpl-/, 'msg_')

export function messageOf({ id, model, choices, usage, sluice }: Completion, stopSequences: readonly string[] = []) {
  const choice = choices[0] ?? {}
  const { content, refusal, tool_calls: calls } = choice.message ?? {}
  const texts = [content, refusal].filter((text) => typeof text === 'string' && text !== '')
  const uses = (calls ?? []).map((call, at) =>
    toolUse(call.id ?? `toolu_${messageId(id)}_${at}`, call.function?.name ?? '', inputOf(call.function?.arguments ?? '')),
  )
  return {
    id: messageId(id),
    type: 'message',
    role: 'assistant',
    model,
    content: [...texts.map((text) => ({ type: 'text', text, citations: null })), ...uses],
    ...stopOf(choice, { hasCalls: uses.length > 0, isRefused: typeof refusal === 'string' && refusal !== '' }, stopSequences),
    ...UNSAID,
    diagnostics: null,
    usage: messageUsageOf(usage),
    ...(sluice && { sluice }),
  }
}

/** Arguments are an object here. What a model wrote that is none, such as a call cut at its limit, is kept as its text. */
function inputOf(text: string): JsonObject {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as JsonObject
  } catch {
    // Told below.
  }
  return { INVALID_JSON: text }
}
