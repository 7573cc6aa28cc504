/** A chat completion as a response: the parts that a whole answer and a stream share, and the whole answer. */
import type { Chunk, Completion, ToolCall } from '../messages/from-chat.js'
import type { ResponsesRequest } from './input.js'

type Usage = Completion['usage']
type Status = 'in_progress' | 'completed' | 'incomplete'

export interface MessagePart {
  readonly type: 'output_text' | 'refusal'
  readonly text: string
}

/** The tokens of the bill. */
function usageOf(usage: Usage) {
  const { prompt_tokens: input = 0, completion_tokens: output = 0 } = usage ?? {}
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage?.prompt_tokens_details?.cached_tokens ?? 0, cache_write_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage?.completion_tokens_details?.reasoning_tokens ?? 0 },
    total_tokens: input + output,
  }
}

const suffixOf = (completionId: string): string => completionId.replace(/^chatcmpl-/, '')

type Head = Pick<Chunk, 'id' | 'model' | 'created'>

/** What stands in the response from its beginning: much of it is what was asked. */
export const headOf = ({ id, model, created }: Head, asked: ResponsesRequest) => ({
  id: `resp_${suffixOf(id)}`,
  object: 'response',
  created_at: created ?? Math.floor(Date.now() / 1000),
  status: 'in_progress',
  access_programs: null,
  background: false,
  error: null,
  incomplete_details: null,
  instructions: asked.instructions ?? null,
  max_output_tokens: asked.max_output_tokens ?? null,
  model,
  output: [] as readonly object[],
  parallel_tool_calls: asked.parallel_tool_calls ?? true,
  previous_response_id: asked.previous_response_id ?? null,
  reasoning: { effort: asked.reasoning?.effort ?? null, summary: null },
  store: asked.store === true,
  temperature: asked.temperature ?? null,
  text: { format: asked.text?.format ?? { type: 'text' } },
  tool_choice: asked.tool_choice ?? 'auto',
  tools: asked.tools ?? [],
  top_p: asked.top_p ?? null,
  truncation: 'disabled',
  usage: null,
  metadata: asked.metadata ?? {},
})

/** How the answer ended, by what the model says. */
export function endOf(finishReason: string | null | undefined, usage: Usage) {
  const cut = { length: 'max_output_tokens', content_filter: 'content_filter' }[finishReason ?? '']
  const status = cut === undefined ? ('completed' as const) : ('incomplete' as const)
  return { status, incomplete_details: cut === undefined ? null : { reason: cut }, usage: usageOf(usage) }
}

export const messageItem = (completionId: string, parts: readonly MessagePart[], status: Status) => ({
  id: `msg_${suffixOf(completionId)}`,
  type: 'message',
  status,
  role: 'assistant',
  content: parts.map(partOf),
})

export const partOf = ({ type, text }: MessagePart) =>
  type === 'refusal' ? { type, refusal: text } : { type, text, annotations: [], logprobs: [] }

/** `place` is that of the call among the calls of the completion. */
export const callItem = (completionId: string, call: ToolCall, place: number, args: string, status: Status) => ({
  id: `fc_${suffixOf(completionId)}_${place}`,
  type: 'function_call',
  status,
  call_id: call.id ?? `call_${suffixOf(completionId)}_${place}`,
  name: call.function?.name ?? '',
  arguments: args,
})

export function responseOf(completion: Completion, asked: ResponsesRequest) {
  const { id, choices, usage, sluice } = completion
  const choice = choices[0] ?? {}
  const { content, refusal, tool_calls: calls } = choice.message ?? {}
  const end = endOf(choice.finish_reason, usage)
  const parts: MessagePart[] = [
    ...(content ? [{ type: 'output_text' as const, text: content }] : []),
    ...(refusal ? [{ type: 'refusal' as const, text: refusal }] : []),
  ]
  const said = parts.length > 0 ? [messageItem(id, parts, end.status)] : []
  const called = (calls ?? []).map((call, at) => callItem(id, call, at, call.function?.arguments ?? '', end.status))
  return { ...headOf(completion, asked), ...end, output: [...said, ...called], ...(sluice && { sluice }) }
}
