/** Stored responses in the graph. */
import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import { AppError, invalidRequest } from '#platform/errors.js'
import { requireScope, type RequestContext } from '#platform/requests/context.js'
import {
  DeleteStoredResponseInput,
  DeleteStoredResponsePayload,
  StoredResponseType,
  StoreResponseInput,
  StoreResponsePayload,
} from './stored-response-type.js'
import type { StoredResponse } from './stored-response.js'
import type { StoredResponses } from './stored-responses.js'

/** Declared fields are shown, and only those. */
const shown = (row: StoredResponse): StoredResponseType => Object.assign(new StoredResponseType(), row)

const MOST_ID = 80

@Resolver()
export class StoredResponseResolver {
  constructor(private readonly stored: StoredResponses) {}

  @Query(() => StoredResponseType, {
    nullable: true,
    description: 'One stored response of your account; null when there is none.',
  })
  async storedResponse(
    @Arg('id', () => ID, { description: 'The response.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<StoredResponseType | null> {
    const found = await this.stored.find(id, requireScope(context, 'chat').accountId)
    return found && shown(found)
  }

  @Query(() => [StoredResponseType], { description: 'Those of these stored responses that exist, in no order; at most 500.' })
  async storedResponses(
    @Arg('ids', () => [ID], { description: 'The responses.' }) ids: string[],
    @Ctx() context: RequestContext,
  ): Promise<StoredResponseType[]> {
    return (await this.stored.findMany(ids, requireScope(context, 'chat').accountId)).map(shown)
  }

  @Query(() => [StoredResponseType], { description: 'A stored response after all that it goes on from, oldest first.' })
  async storedConversation(
    @Arg('id', () => ID, { description: 'The last response.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<StoredResponseType[]> {
    return (await this.stored.conversation(id, requireScope(context, 'chat').accountId)).map(shown)
  }

  @Mutation(() => StoreResponsePayload, { description: 'Keeps a response for the days that are configured.' })
  async storeResponse(
    @Arg('input', () => StoreResponseInput, { description: 'The response.' })
    { id, previousId, response, items }: StoreResponseInput,
    @Ctx() context: RequestContext,
  ): Promise<StoreResponsePayload> {
    const { accountId } = requireScope(context, 'chat')
    if (!/^\w+$/.test(id) || id.length > MOST_ID) throw invalidRequest(`An id has 1 to ${MOST_ID} letters, digits and "_".`, 'id')
    await this.stored.keep({ id, accountId, previousId: previousId ?? null, response, items })
    return { id }
  }

  @Mutation(() => DeleteStoredResponsePayload, {
    description: 'Deletes a stored response. Responses that go on from it cannot be gone on from.',
  })
  async deleteStoredResponse(
    @Arg('input', () => DeleteStoredResponseInput, { description: 'Which response.' }) { id }: DeleteStoredResponseInput,
    @Ctx() context: RequestContext,
  ): Promise<DeleteStoredResponsePayload> {
    const isGone = await this.stored.remove(id, requireScope(context, 'chat').accountId)
    if (!isGone) throw new AppError('not_found', 'There is no such stored response.', { param: 'id' })
    return { id }
  }
}
