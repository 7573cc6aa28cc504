/** Opens the ledger on the adapter that the database url asks for. */
import { defaultDatabaseLimits } from '#platform/database/database-limits.js'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { createBatchedLedger, type BatchedLedgerOptions } from './batched-ledger.js'
import type { Ledger } from './ledger.js'
import type { ConnectionLimits } from './postgres/postgres-connection.js'
import { openPostgresTransport } from './postgres/postgres-ledger.js'
import { openSqliteTransport } from './sqlite/sqlite-ledger.js'

export interface LedgerOptions extends Omit<BatchedLedgerOptions, 'transport'> {
  /** As for the database, whose tables must exist already. */
  readonly url: string
  readonly connectionLimits?: Partial<ConnectionLimits>
}

/** Connects with a connection of its own and registers this process as alive. */
export function openLedger({ url, connectionLimits, ...options }: LedgerOptions): Promise<Ledger> {
  const location = parseDatabaseUrl(url)
  const transport =
    location.dialect === 'sqlite'
      ? openSqliteTransport(location.file)
      : openPostgresTransport(location, { ...defaultDatabaseLimits, ...connectionLimits })
  return createBatchedLedger({ ...options, transport })
}
