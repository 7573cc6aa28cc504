/** A chat completion in the words of another API: what the edges that translate one have in common. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '#platform/errors.js'
import type { RequestContext } from '#platform/requests/context.js'
import { endReason, faultIn } from '#platform/requests/end-reasons.js'
import {
  RestChatCompletionDocument,
  RestCreateChatCompletionDocument,
  type RestCreateChatCompletionMutationVariables,
  type RestChatCompletionSubscription,
  type RestChatCompletionSubscriptionVariables,
  type RestModelDeployingFragment,
} from '../generated/operations.js'
import { whole } from '../edge/execute.js'
import { readJsonObject } from '../edge/json-body.js'
import { largeReaderOf } from '../edge/route.js'
import { endWithError, startHeartbeat, writePieces, type ErrorPayload, type Framing, type StreamPiece } from '../edge/sse.js'
import { inHeaderWords } from './answer-scan/asked-scan.js'
import type { ChatEdge } from './chat-completions/route.js'
import type { Chunk, Completion } from './messages/from-chat.js'

/** A large request is admitted before it is read, as a chat completion is. */
export function readLargeBody(edge: ChatEdge, request: IncomingMessage, response: ServerResponse, context: RequestContext) {
  const { maxBodyBytes: maxBytes, maxJsonDepth: maxDepth } = edge.limits
  const { enter, ...reader } = largeReaderOf(edge, context, response)
  const admitted = (bytes: number) => edge.largeChats.admit(context).then(() => enter(bytes))
  return readJsonObject(request, { maxBytes, maxDepth }, { ...reader, enter: admitted })
}

/** A whole answer. @throws AppError, also for a model that is being deployed */
export async function wholeChat(
  edge: ChatEdge,
  context: RequestContext,
  chat: RestCreateChatCompletionMutationVariables,
): Promise<Completion> {
  const data = await edge.graph.execute(RestCreateChatCompletionDocument, chat, context).catch((error: unknown) => {
    throw inHeaderWords(error)
  })
  const { createChatCompletionRaw: answer } = whole(data)
  if (answer.__typename === 'ModelDeploying') throw deploying(answer)
  return answer.raw as unknown as Completion
}

/** These APIs have no answer that says "later": a model that is being deployed is a fault with `Retry-After`. */
const deploying = ({ message, retryAfterSeconds }: RestModelDeployingFragment): AppError =>
  new AppError('model_deploying', message, { param: 'model', retryAfterSeconds })

/** Chunks as the events of another API. */
interface EventStream {
  push(chunk: Chunk): readonly object[]
  /** The end of a complete answer. */
  end(): readonly object[] | Promise<readonly object[]>
}

interface Translation {
  readonly chat: RestChatCompletionSubscriptionVariables
  readonly framing: Framing
  readonly stream: EventStream
  /** The end of an answer that broke off. */
  readonly failed: (fault: AppError) => readonly object[]
}

export async function streamTranslated(
  edge: ChatEdge,
  response: ServerResponse,
  context: RequestContext,
  { chat, framing, stream, failed }: Translation,
): Promise<void> {
  const isWaiting = /\bwait\s*=/i.test(context.headers.get('prefer') ?? '')
  const stopHeartbeat = isWaiting ? startHeartbeat(response) : () => undefined
  const errorPayload: ErrorPayload = (thrown) => linesOf(failed(faultOf(edge, context, thrown)))
  try {
    const events = await edge.graph.subscribe(RestChatCompletionDocument, chat, context)
    // The first event decides the status: after it only a frame can tell of a fault.
    const first = await events.next()
    stopHeartbeat()
    const event = first.done ? null : first.value.chatCompletionText
    if (event?.__typename === 'ModelDeploying') {
      await events.return?.()
      throw deploying(event)
    }
    await writePieces(response, piecesOf(first, events, stream), errorPayload, framing)
  } catch (error) {
    if (!response.headersSent) throw inHeaderWords(error)
    endWithError(response, error, errorPayload, framing)
  } finally {
    stopHeartbeat()
  }
}

const linesOf = (events: readonly object[]): string => events.map((event) => JSON.stringify(event)).join('\n')

function faultOf(edge: ChatEdge, context: RequestContext, thrown: unknown): AppError {
  const { signal, requestId } = context
  const cut = signal.aborted ? endReason(signal) : new AppError('upstream_error', 'The answer broke off before its end.')
  const fault = thrown === null ? cut : faultIn(context, thrown)
  if (fault.code === 'server_error') edge.onUnexpected(fault, requestId)
  return fault
}

type Event = RestChatCompletionSubscription

/** The translated stream, from its first event, which was looked at before. */
function piecesOf(first: IteratorResult<Event>, events: AsyncIterator<Event>, stream: EventStream): AsyncIterator<StreamPiece> {
  let pending: IteratorResult<Event> | null = first
  return {
    async next() {
      const event = pending ?? (await events.next())
      pending = null
      return event.done ? { done: true, value: undefined } : { done: false, value: await pieceOf(event.value, stream) }
    },
    async return() {
      await events.return?.()
      return { done: true, value: undefined }
    },
  }
}

async function pieceOf({ chatCompletionText: event }: Event, stream: EventStream): Promise<StreamPiece> {
  if (event.__typename === 'ModelDeploying') throw new Error('Only the first event can say that the model is being deployed.')
  const events = event.lines.split('\n').flatMap((line) => stream.push(JSON.parse(line) as Chunk))
  if (event.endsAnswer) events.push(...(await stream.end()))
  return { lines: linesOf(events), endsAnswer: event.endsAnswer }
}
