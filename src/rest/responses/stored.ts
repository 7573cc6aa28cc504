/**
 * Responses that are kept: what a request goes on from, what its items refer to, and keeping what was answered. The ids of a
 * response's items are made of its own, so that an item tells where it is kept.
 */
import { AppError, toAppError } from '#platform/errors.js'
import type { RequestContext } from '#platform/requests/context.js'
import {
  RestStoredConversationDocument,
  RestStoredResponsesDocument,
  RestStoreResponseDocument,
  type RestStoredFragment,
} from '../../generated/operations.js'
import { whole, type Graph } from '../../edge/execute.js'
import { readInput } from '../../edge/input.js'
import type { RestEdge } from '../../edge/route.js'
import { storedItems, type Item, type ResponsesRequest, type SentItem } from './input.js'

type JsonObject = Record<string, unknown>

const suffixOf = (responseId: string): string => responseId.replace(/^resp_/, '')

const itemId = (responseId: string, place: number): string => `item_${suffixOf(responseId)}_${place}`

/** Which response keeps the item of this id; null for an id that is none of ours. */
const keeperOf = (id: string): string | null => {
  const suffix = /^(?:msg|fc|item)_([A-Za-z0-9]+)(?:_\d+)?$/.exec(id)?.[1]
  return suffix === undefined ? null : `resp_${suffix}`
}

/** All items that a stored response was made of or holds, in their order. */
const itemsOf = ({ items, response }: RestStoredFragment): JsonObject[] => [
  ...items,
  ...(Array.isArray(response['output']) ? (response['output'] as JsonObject[]) : []),
]

/** What the model is to be told: the conversation that the request goes on from, then its own input. */
export async function conversationOf(graph: Graph, context: RequestContext, asked: ResponsesRequest): Promise<readonly Item[]> {
  const { previous_response_id: id, input } = asked
  const own = await resolved(graph, context, input)
  if (id === null || id === undefined) return own
  const earlier = await graph.execute(RestStoredConversationDocument, { id }, context).catch((thrown: unknown) => {
    throw thrown instanceof AppError && thrown.code === 'not_found' ? noPreviousResponse() : thrown
  })
  return [...readInput(storedItems, whole(earlier).storedConversation.flatMap(itemsOf)), ...own]
}

const noPreviousResponse = (): AppError =>
  new AppError('invalid_request_error', 'There is no stored response with this id.', {
    param: 'previous_response_id',
    publicCode: 'previous_response_not_found',
  })

/** The items with those in the place of references that they refer to. */
async function resolved(graph: Graph, context: RequestContext, items: readonly SentItem[]): Promise<readonly Item[]> {
  const references = items.flatMap((item) => (item.type === 'item_reference' ? [item.id] : []))
  if (references.length === 0) return items.flatMap((item) => (item.type === 'item_reference' ? [] : [item]))
  const ids = [...new Set(references.flatMap((id) => keeperOf(id) ?? []))]
  const { storedResponses } = whole(await graph.execute(RestStoredResponsesDocument, { ids }, context))
  const found = new Map(storedResponses.flatMap(itemsOf).map((item) => [item['id'], item]))
  return items.map((item, at) => {
    if (item.type !== 'item_reference') return item
    const stored = found.get(item.id)
    if (stored) return readInput(storedItems, [stored])[0]!
    const message = 'refers to an item that is not stored: responses are stored where "store" is true.'
    throw new AppError('invalid_request_error', `"input[${at}].id" ${message}`, { param: `input[${at}].id` })
  })
}

/** What a stored response was made of, oldest first; null when there is none. */
export async function itemsBefore(graph: Graph, context: RequestContext, id: string): Promise<readonly JsonObject[] | null> {
  const found = await graph.execute(RestStoredConversationDocument, { id }, context).catch((thrown: unknown) => {
    if (thrown instanceof AppError && thrown.code === 'not_found') return null
    throw thrown
  })
  const path = found && whole(found).storedConversation
  return path && [...path.slice(0, -1).flatMap(itemsOf), ...path.at(-1)!.items]
}

/** Keeps an answered response; false when that was not possible, which takes nothing from the answer. */
export async function keep(
  { graph, onUnexpected }: Pick<RestEdge, 'graph' | 'onUnexpected'>,
  context: RequestContext,
  { input, previous_response_id: previousId }: ResponsesRequest,
  response: JsonObject & { readonly id: string },
): Promise<boolean> {
  const { id } = response
  const items = input.map((item, place) => ({ id: itemId(id, place), ...item }))
  try {
    await graph.execute(RestStoreResponseDocument, { input: { id, previousId: previousId ?? null, response, items } }, context)
    return true
  } catch (thrown) {
    // The caller hears that it is not kept; why is for the log, unless the request is the reason.
    const fault = toAppError(thrown)
    if (fault.code === 'server_error') onUnexpected(fault, context.requestId)
    return false
  }
}
