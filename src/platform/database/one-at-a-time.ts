/**
 * What only one process of an installation may do at a time: making tables, opening the first account. Servers that start at
 * the same moment on an empty database would otherwise both find nothing there and both make it.
 */
import { Client } from 'pg'
import { AppError } from '../errors.js'
import type { Database } from './database.js'
import { parseDatabaseUrl } from './database-url.js'

/** Any number that no other advisory lock of ours uses. */
const START_LOCK = 7_301_945
/** As long as another may take for its migrations. */
const PATIENCE_MS = 120_000
const CONNECT_MS = 5_000

/**
 * Runs `work` while no other process of this installation runs any. The lock has a connection of its own: it ends with its
 * process, and the pool stays free for the work. A SQLite file belongs to one server anyway.
 */
export async function oneAtATime<Result>(
  { url, schema }: Pick<Database, 'url' | 'schema'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const location = parseDatabaseUrl(url)
  if (location.dialect === 'sqlite') return work()
  const client = new Client({
    connectionString: location.connectionString,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'sluice-start',
    options: `-c lock_timeout=${PATIENCE_MS}`,
  })
  // A connection that is lost meanwhile gives the lock up, and the work is still done once in nearly every case.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client
      .query('select pg_advisory_lock(hashtextextended($1, $2))', [schema ?? '', START_LOCK])
      .catch((cause: unknown) => {
        throw new AppError('server_error', 'Another process has been preparing this database for two minutes.', { cause })
      })
    return await work()
  } finally {
    await client.end().catch(() => undefined)
  }
}
