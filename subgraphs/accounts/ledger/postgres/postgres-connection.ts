/** The ledger's own connection to Postgres: limits on everything that can stand still, and no way back for one in trouble. */
import { Socket } from 'node:net'
import { Client, TypeOverrides } from 'pg'
import type { DatabaseLimits } from '#platform/database/database-limits.js'
import type { DatabaseLocation } from '#platform/database/database-url.js'
import { ConnectionLost } from '../operations/database-trouble.js'
import { CREATE_BATCH_FUNCTION } from './postgres-batch.js'
import { CREATE_LEASE_FUNCTIONS } from './postgres-leases.js'

const INT8_OID = 20
/** What the network may add to the server's own limit before a silent server counts as lost. */
const NETWORK_MS = 1_000

export type ConnectionLimits = Pick<DatabaseLimits, 'connectMs' | 'statementMs' | 'lockMs'>

export type Location = Extract<DatabaseLocation, { dialect: 'postgres' }>

/** One server process, told from a later one with the same number. */
export interface Backend {
  readonly pid: number
  readonly startedAt: string
}

export interface Connection {
  readonly client: Client
  backend: Backend | null
  /** Without a farewell, which a frozen server would never answer. */
  destroy(): void
}

/** Says goodbye, and leaves a server that does not answer that. */
export async function closeConnection({ client, destroy }: Connection): Promise<void> {
  const timer = setTimeout(destroy, NETWORK_MS)
  await client.end().catch(() => {})
  clearTimeout(timer)
}

/** Connected, with limits on every wait; not yet prepared for batches. @throws ConnectionLost */
export async function openConnection(
  location: Location,
  limits: ConnectionLimits,
  settings: readonly string[],
): Promise<Connection> {
  const types = new TypeOverrides()
  types.setTypeParser(INT8_OID, BigInt)
  const path = location.schema === null ? [] : [`search_path=${location.schema}`]
  const times = [`statement_timeout=${limits.statementMs}`, `lock_timeout=${limits.lockMs}`]
  const socket = new Socket()
  const client = new Client({
    connectionString: location.connectionString,
    stream: () => socket,
    types,
    keepAlive: true,
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.statementMs + NETWORK_MS,
    fallback_application_name: 'sluice-ledger',
    options: [...path, ...times, ...settings].map((setting) => `-c ${setting}`).join(' '),
  })
  const destroy = () => void socket.destroy()
  client.on('error', destroy)
  try {
    await client.connect()
    return { client, backend: null, destroy }
  } catch (cause) {
    destroy()
    throw new ConnectionLost('Postgres does not accept the connection.', { cause })
  }
}

/**
 * Creates the functions of batches and leases, and ends the server process of the connection before: one that was frozen, or
 * waits for a lock, would else apply a batch of which nobody knows any more, after its callers were told that it failed.
 */
export async function prepareSession(connection: Connection, abandoned: Backend | null): Promise<void> {
  const { client } = connection
  if (abandoned) {
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and backend_start::text = $2', [
      abandoned.pid,
      abandoned.startedAt,
    ])
  }
  await client.query(CREATE_BATCH_FUNCTION)
  await client.query(CREATE_LEASE_FUNCTIONS)
  const { rows } = await client.query<{ pid: number; started_at: string }>(
    'select pid, backend_start::text as started_at from pg_stat_activity where pid = pg_backend_pid()',
  )
  const [self] = rows
  connection.backend = self ? { pid: self.pid, startedAt: self.started_at } : null
}
