/** A chat request that was refused before a provider was asked: it has no hold, no charge and no usage record. */
import { defineEntity, p } from '@mikro-orm/core'
import { time } from '#platform/database/columns.js'
import type { Row } from '#platform/database/tables.js'
import type { ChatApi } from '#platform/vocabulary/words.js'

/** Characters of what is kept of the model's name, which is the caller's, and of our message. */
export const MAX_ASKED = 200
export const MAX_MESSAGE = 300

export const RefusalEntity = defineEntity({
  name: 'Refusal',
  tableName: 'refused_request',
  indexes: [
    { name: 'refused_request_account', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'refused_request_time', properties: ['createdAt'] },
  ],
  properties: {
    /** The request id. */
    id: p.string().length(100).primary(),
    accountId: p.string().length(40),
    keyId: p.string().length(40),
    createdAt: time(),
    /** As it was asked for; null where nothing was. */
    model: p.string().length(MAX_ASKED).nullable(),
    api: p.string().$type<ChatApi>().length(20),
    /** Of the error. */
    code: p.string().length(40),
    message: p.string().length(MAX_MESSAGE),
  },
})

export type Refusal = Row<typeof RefusalEntity>
