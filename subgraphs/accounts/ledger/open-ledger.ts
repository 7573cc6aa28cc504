/** Opens the ledger on the adapter that the database url asks for. */
import type { Clock } from '#platform/clock.js'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { createBatchedLedger } from './batched-ledger.js'
import type { Ledger } from './ledger.js'
import { openPostgresTransport } from './postgres-ledger.js'
import { openSqliteTransport } from './sqlite-ledger.js'

export interface LedgerOptions {
  /** As for the database, whose tables must exist already. */
  readonly url: string
  readonly clock: Clock
  /** Under which name this process owns holds; a new one when left out. */
  readonly ownerId?: string
}

/** Connects with a connection of its own and registers this process as alive. */
export function openLedger({ url, clock, ownerId }: LedgerOptions): Promise<Ledger> {
  const location = parseDatabaseUrl(url)
  const transport = location.dialect === 'sqlite' ? openSqliteTransport(location.file) : openPostgresTransport(location)
  return createBatchedLedger({ transport, clock, ownerId })
}
