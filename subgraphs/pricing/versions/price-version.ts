/**
 * One price of one deployment from one moment on. Rows are never changed but for their state, so a charge that names a version
 * can be worked out again at any time.
 *
 * States: pending -> dismissed (accepted as a new current version, replaced or refused); current -> past when the next version
 * takes effect. One current and one pending version per price id at most.
 */
import { defineEntity, p } from '@mikro-orm/core'

export type PriceOrigin = 'config' | 'feed' | 'administrator'
type PriceState = 'current' | 'past' | 'pending' | 'dismissed'

const PriceVersionSchema = defineEntity({
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
    state: p.enum(['current', 'past', 'pending', 'dismissed']).$type<PriceState>(),
    origin: p.enum(['config', 'feed', 'administrator']).$type<PriceOrigin>(),
    /** What callers pay, nano-USD per million tokens; null says that the price was withdrawn. */
    input: p.bigint('bigint').nullable(),
    output: p.bigint('bigint').nullable(),
    cachedInput: p.bigint('bigint').nullable(),
    /** What the provider bills us, null when not known. */
    costInput: p.bigint('bigint').nullable(),
    costOutput: p.bigint('bigint').nullable(),
    costCachedInput: p.bigint('bigint').nullable(),
    /** What the configuration said when this was written, so that a later change of it is noticed. */
    declared: p.string().length(200),
    /** The feed's name, or the key of the administrator. */
    source: p.string().length(100).nullable(),
    /** Why it waits or was withdrawn. */
    reason: p.string().length(500).nullable(),
    /** Epoch milliseconds. */
    validFrom: p.bigint('number'),
  },
})

export class PriceVersion extends PriceVersionSchema.class {}
PriceVersionSchema.setClass(PriceVersion)
