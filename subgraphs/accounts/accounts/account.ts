/** An account: who owns keys, credits, rentals and scans. Its money lives in the ledger's tables, not here. */
import { defineEntity, p } from '@mikro-orm/core'
import { money, time } from '#platform/database/columns.js'
import type { Row } from '#platform/database/tables.js'
import { ScanTier } from '#platform/vocabulary/words.js'

/** What a chat request for a cold model gets: the contract's 202, or a 503 that SDKs retry by themselves. */
export const ColdStartMode = { RESPOND: 'respond', RETRY: 'retry', WAIT: 'wait' } as const
export type ColdStartMode = (typeof ColdStartMode)[keyof typeof ColdStartMode]

export const AccountEntity = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: {
    id: p.string().length(40).primary(),
    name: p.string().length(200),
    isAdministrator: p.boolean().default(false),
    scanTier: p.enum(Object.values(ScanTier)).default('free'),
    coldStartMode: p.enum(Object.values(ColdStartMode)).default('respond'),
    /** Null: the server's own limit. */
    maxConcurrentSessions: p.integer().nullable(),
    /** An hour over all running GPU sessions; null: no limit but the balance. */
    maxHourlySpend: money().nullable(),
    createdAt: time(),
  },
})

export type Account = Row<typeof AccountEntity>
