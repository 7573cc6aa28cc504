/** One answer as it comes, from the subscription to what is on the screen. */
import { print, type FormattedExecutionResult } from 'graphql'
import { PlayChatDocument, type ChatCompletionInput, type PlayChatSubscription } from '../../../generated/console.js'
import { events, refusalIn } from '../../graph/events.js'
import { serverFault, UNREACHED, type Fault } from '../../graph/faults.js'
import { withNews, type CodeCheck } from './code-check.js'
import type { ToolCall } from './conversation.js'

type ChatEvent = NonNullable<PlayChatSubscription['chatCompletion']>
export type Deploying = Extract<ChatEvent, { __typename: 'ModelDeploying' }>
type Chunk = Extract<ChatEvent, { __typename: 'ChatCompletionChunk' }>

/** So much of an answer as there is. */
export interface Draft {
  readonly requestId: string | null
  readonly model: string | null
  readonly content: string
  readonly reasoning: string
  readonly toolCalls: readonly ToolCall[]
  readonly finishReason: string | null
  /** What was found in its code so far; null while no block has been looked at. */
  readonly code: CodeCheck | null
}

export const EMPTY_DRAFT: Draft = {
  requestId: null,
  model: null,
  content: '',
  reasoning: '',
  toolCalls: [],
  finishReason: null,
  code: null,
}

export type StreamEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'deploying'; readonly deploying: Deploying }
  | { readonly kind: 'failed'; readonly fault: Fault }
  /** By whoever has asked. */
  | { readonly kind: 'stopped' }

const QUERY = print(PlayChatDocument)
const CUT: Fault = { message: 'The connection broke before the answer was complete.', code: null, requestId: null }

/** Asks, and tells of every piece; resolves with how it ended. Aborting ends the answer at the provider, too, and its cost. */
export async function streamAnswer(
  input: ChatCompletionInput,
  signal: AbortSignal,
  onDraft: (draft: Draft) => void,
): Promise<StreamEnd> {
  let draft = EMPTY_DRAFT
  let isComplete = false
  const results = events.iterate<PlayChatSubscription>({ query: QUERY, variables: { input } })
  const stop = () => void results.return?.()
  signal.addEventListener('abort', stop)
  try {
    for await (const { data, errors } of results as AsyncIterable<FormattedExecutionResult<PlayChatSubscription>>) {
      if (errors?.[0]) return { kind: 'failed', fault: serverFault(errors[0], draft.requestId) }
      const event = data?.chatCompletion
      if (event?.__typename === 'ModelDeploying') return { kind: 'deploying', deploying: event }
      if (!event) continue
      draft = event.__typename === 'ChatCodeFindings' ? { ...draft, code: withNews(draft.code, event) } : withChunk(draft, event)
      onDraft(draft)
      // What is said about its code may come behind the answer.
      if (event.__typename === 'ChatCompletionChunk' && event.endsAnswer) isComplete = true
    }
    if (isComplete) return { kind: 'complete' }
    return signal.aborted ? { kind: 'stopped' } : { kind: 'failed', fault: CUT }
  } catch (error) {
    if (isComplete) return { kind: 'complete' }
    if (signal.aborted) return { kind: 'stopped' }
    return { kind: 'failed', fault: await networkFault(error, draft.requestId) }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function withChunk(draft: Draft, { requestId, model, choices }: Chunk): Draft {
  const choice = choices.find(({ index }) => index === 0)
  const next = { ...draft, requestId, model }
  if (!choice) return next
  const { content, reasoning, toolCalls } = choice.delta
  return {
    ...next,
    content: draft.content + (content ?? ''),
    reasoning: draft.reasoning + (reasoning ?? ''),
    toolCalls: (toolCalls ?? []).reduce(withPiece, draft.toolCalls),
    finishReason: choice.finishReason ?? draft.finishReason,
  }
}

type Piece = NonNullable<Chunk['choices'][number]['delta']['toolCalls']>[number]

/** Pieces with one index are one call. */
function withPiece(calls: readonly ToolCall[], { index, id, function: piece }: Piece): readonly ToolCall[] {
  const before = calls[index] ?? { id: '', name: '', arguments: '' }
  return calls.toSpliced(index, 1, {
    id: id ?? before.id,
    name: before.name + (piece?.name ?? ''),
    arguments: before.arguments + (piece?.arguments ?? ''),
  })
}

async function networkFault(thrown: unknown, requestId: string | null): Promise<Fault> {
  const refused = (await refusalIn(thrown))?.errors?.[0]
  if (refused) return serverFault(refused, requestId)
  return requestId === null ? UNREACHED : { ...CUT, requestId }
}
