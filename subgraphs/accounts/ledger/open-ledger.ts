/** Opens the ledger on the adapter that the database url asks for. */
import type { Clock } from '#platform/clock.js'
import { defaultDatabaseLimits } from '#platform/database/database-limits.js'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { createBatchedLedger, type BatchedLedgerOptions } from './batched-ledger.js'
import { checkInvariantsAtRest } from './invariants.js'
import type { InvariantReport, Ledger } from './ledger.js'
import type { LedgerTransport } from './operations/operation.js'
import type { ConnectionLimits } from './postgres/postgres-connection.js'
import { openPostgresTransport } from './postgres/postgres-ledger.js'
import { openSqliteTransport } from './sqlite/sqlite-ledger.js'

export interface LedgerOptions extends Omit<BatchedLedgerOptions, 'transport'> {
  /** As for the database, whose tables must exist already. */
  readonly url: string
  readonly connectionLimits?: Partial<ConnectionLimits>
}

/** Connects with a connection of its own and registers this process as alive. */
export const openLedger = ({ url, connectionLimits, ...options }: LedgerOptions): Promise<Ledger> =>
  createBatchedLedger({ ...options, transport: openTransport(url, connectionLimits) })

/** Whether the books of a database that no server works on are in order. Changes nothing there. */
export async function proveBooks(url: string, clock: Clock): Promise<InvariantReport> {
  const transport = openTransport(url)
  try {
    return await checkInvariantsAtRest(transport, clock.now())
  } finally {
    await transport.close()
  }
}

function openTransport(url: string, limits: Partial<ConnectionLimits> = {}): LedgerTransport {
  const location = parseDatabaseUrl(url)
  return location.dialect === 'sqlite'
    ? openSqliteTransport(location.file)
    : openPostgresTransport(location, { ...defaultDatabaseLimits, ...limits })
}
