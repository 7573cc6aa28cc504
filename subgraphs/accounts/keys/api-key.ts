/**
 * An API key. The secret is hashed with SHA-256 (it carries 256 random bits, so a slow hash would add nothing) and is shown
 * once. States: valid -> in grace (rotated) -> expired, or revoked at any time; both ends are final.
 */
import { defineEntity, p } from '@mikro-orm/core'
import type { Scope } from '#platform/requests/context.js'

const ApiKeySchema = defineEntity({
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
    /** Comma-separated. */
    scopes: p.string().length(100),
    /** The only models that it may ask, as a JSON array of ids; null for every model. */
    models: p.text().nullable(),
    /** The ledger's budget that what it spends comes out of; keys that follow each other share one. */
    budgetId: p.string().length(40).nullable(),
    createdAt: p.bigint('number'),
    expiresAt: p.bigint('number').nullable(),
    revokedAt: p.bigint('number').nullable(),
    lastUsedAt: p.bigint('number').nullable(),
    /** The key that a rotation put in this one's place. */
    replacedBy: p.string().length(40).nullable(),
  },
})

export class ApiKey extends ApiKeySchema.class {
  scopeList(): Scope[] {
    return this.scopes.split(',') as Scope[]
  }

  modelList(): string[] | null {
    return this.models == null ? null : (JSON.parse(this.models) as string[])
  }

  /** Epoch milliseconds: 0 for a revoked key, infinite for one that does not expire. */
  validUntil(): number {
    return this.revokedAt == null ? (this.expiresAt ?? Infinity) : 0
  }
}
ApiKeySchema.setClass(ApiKey)
