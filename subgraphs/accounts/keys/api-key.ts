/**
 * An API key. The secret is hashed with SHA-256 (it carries 256 random bits, so a slow hash would add nothing) and is shown
 * once. States: valid -> in grace (rotated) -> expired, or revoked at any time; both ends are final.
 */
import { defineEntity, p } from '@mikro-orm/core'
import { json, time, words } from '#platform/database/columns.js'
import type { Row } from '#platform/database/tables.js'
import type { AnswerScanPolicy, Scope } from '#platform/requests/context.js'

export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  indexes: [{ name: 'api_key_account', properties: ['accountId'] }],
  properties: {
    id: p.string().length(40).primary(),
    /** The part of the secret that finds this row. */
    publicId: p.string().length(16).unique(),
    accountId: p.string().length(40),
    name: p.string().length(200),
    /** What may be shown of the secret: `slk_<public id>`. */
    prefix: p.string().length(40),
    secretHash: p.string().length(64),
    scopes: words<Scope>().length(100),
    /** The ids of the only models that it may ask; null for every model. */
    models: json<readonly string[]>().nullable(),
    /** The ledger's budget that what it spends comes out of; keys that follow each other share one. */
    budgetId: p.string().length(40).nullable(),
    /** Most chat requests, and tokens of them, in a minute; null for any number. */
    requestsPerMinute: p.integer().nullable(),
    tokensPerMinute: p.integer().nullable(),
    /** What these rates are counted under; keys that follow each other share it. */
    rateGroup: p.string().length(40).nullable(),
    /** What it demands of the code in answers; null for nothing. */
    answerScan: json<AnswerScanPolicy>().nullable(),
    createdAt: time(),
    expiresAt: time().nullable(),
    revokedAt: time().nullable(),
    lastUsedAt: time().nullable(),
    /** The key that a rotation put in this one's place. */
    replacedBy: p.string().length(40).nullable(),
  },
})

export type ApiKey = Row<typeof ApiKeyEntity>

/** Epoch milliseconds: 0 for a revoked key, infinite for one that does not expire. */
export const validUntil = ({ revokedAt, expiresAt }: ApiKey): number => (revokedAt === null ? (expiresAt ?? Infinity) : 0)
