/**
 * A response that its caller asked to keep: the one place where a prompt and an answer are stored. It belongs to an account,
 * can be deleted at any time, and goes by itself after the days that are set.
 */
import { defineEntity, p } from '@mikro-orm/core'
import { json, time } from '#platform/database/columns.js'
import type { Row } from '#platform/database/tables.js'
import type { JsonObject } from '../tokens/usage.js'

export const StoredResponseEntity = defineEntity({
  name: 'StoredResponse',
  tableName: 'stored_response',
  indexes: [
    { name: 'stored_response_account', properties: ['accountId', 'createdAt'] },
    { name: 'stored_response_conversation', properties: ['conversationId'] },
    { name: 'stored_response_created', properties: ['createdAt'] },
  ],
  properties: {
    /** As the API calls it, such as resp_... */
    id: p.string().length(80).primary(),
    accountId: p.string().length(40),
    /** The response that it goes on from; null for the first of a conversation. */
    previousId: p.string().length(80).nullable(),
    /** The first response of the conversation. */
    conversationId: p.string().length(80),
    createdAt: time(),
    /** Of both texts, in characters. */
    size: p.integer(),
    /** The response as it was answered. */
    response: json<JsonObject>(),
    /** What was new in its input, as items of the API. */
    items: json<readonly JsonObject[]>(),
  },
})

export type StoredResponse = Row<typeof StoredResponseEntity>
