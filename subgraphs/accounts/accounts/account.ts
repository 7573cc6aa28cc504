/** An account: who owns keys, credits, rentals and scans. Its money lives in the ledger's tables, not here. */
import { defineEntity, p } from '@mikro-orm/core'

/** How many scan requests an account may make. */
export type ScanTier = 'free' | 'pro' | 'enterprise'

/** What a chat request for a cold model gets: the contract's 202, or a 503 that SDKs retry by themselves. */
export type ColdStartMode = 'respond' | 'retry' | 'wait'

const AccountSchema = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: {
    id: p.string().length(40).primary(),
    name: p.string().length(200),
    isAdministrator: p.boolean().default(false),
    scanTier: p.enum(['free', 'pro', 'enterprise']).$type<ScanTier>().default('free'),
    coldStartMode: p.enum(['respond', 'retry', 'wait']).$type<ColdStartMode>().default('respond'),
    /** Null: the server's own limit. */
    maxConcurrentSessions: p.integer().nullable(),
    /** Nano-USD an hour over all running GPU sessions; null: no limit but the balance. */
    maxHourlySpend: p.bigint('bigint').nullable(),
    createdAt: p.bigint('number'),
  },
})

export class Account extends AccountSchema.class {}
AccountSchema.setClass(Account)
