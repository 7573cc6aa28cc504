/**
 * One price of one deployment from one moment on. Rows are never changed but for their state, so a charge that names a version
 * can be worked out again at any time.
 *
 * States: pending -> dismissed (accepted as a new current version, replaced or refused); current -> past when the next version
 * takes effect. One current and one pending version per price id at most.
 */
import { defineEntity, p } from '@mikro-orm/core'
import { money, time } from '#platform/database/columns.js'
import type { Row } from '#platform/database/tables.js'

/** Who said what a deployment costs. */
export const PriceOrigin = { CONFIG: 'config', FEED: 'feed', ADMINISTRATOR: 'administrator' } as const
export type PriceOrigin = (typeof PriceOrigin)[keyof typeof PriceOrigin]

export const PriceVersionEntity = defineEntity({
  name: 'PriceVersion',
  tableName: 'price_version',
  indexes: [
    { name: 'price_version_state', properties: ['state'] },
    { name: 'price_version_model', properties: ['modelId', 'validFrom'] },
  ],
  uniques: [{ name: 'price_version_number', properties: ['priceId', 'number'] }],
  properties: {
    id: p.string().length(40).primary(),
    /** A deployment id, or `<model>@session`. */
    priceId: p.string().length(400),
    /** 1, 2, 3 ... per price id: two processes cannot both write the same one. */
    number: p.integer(),
    modelId: p.string().length(100),
    providerId: p.string().length(100),
    state: p.enum(['current', 'past', 'pending', 'dismissed']),
    origin: p.enum(Object.values(PriceOrigin)),
    /** What callers pay per million tokens; null says that the price was withdrawn. */
    input: money().nullable(),
    output: money().nullable(),
    cachedInput: money().nullable(),
    /** What the provider bills us, null when not known. */
    costInput: money().nullable(),
    costOutput: money().nullable(),
    costCachedInput: money().nullable(),
    /** What the configuration said when this was written, so that a later change of it is noticed. */
    declared: p.string().length(200),
    /** The feed's name, or the key of the administrator. */
    source: p.string().length(100).nullable(),
    /** Why it waits or was withdrawn. */
    reason: p.string().length(500).nullable(),
    validFrom: time(),
  },
})

export type PriceVersion = Row<typeof PriceVersionEntity>
