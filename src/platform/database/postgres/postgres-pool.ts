/**
 * The pool of Postgres connections, on two rules. A connection that cannot heal by itself (a failed begin, commit or rollback,
 * a broken socket, a read-only session) is destroyed at once and its place given free, whatever its borrower does next. And
 * nothing waits for ever: neither for a connection, nor for a lock, nor for the answer of a server that stands still.
 */
import type { Socket } from 'node:net'
import { Client, type CustomTypesConfig, Pool, type PoolClient, type QueryResult, TypeOverrides } from 'pg'
import { AppError } from '../../errors.js'
import type { DatabaseLocation } from '../database-url.js'
import type { DatabaseLimits } from '../database-limits.js'
import { asOutage, DatabaseOutage, isConnectionSpent } from '../outage.js'
import type { PoolFigures } from '../../metrics/ledger-metrics.js'
import type { OutageWatch } from '../outage-watch.js'

export interface PostgresPoolOptions {
  readonly location: Extract<DatabaseLocation, { dialect: 'postgres' }>
  readonly maxConnections: number
  readonly limits: DatabaseLimits
  readonly watch: OutageWatch
}

export interface PostgresPool {
  /** @throws DatabaseOutage when there is no connection in time. */
  borrow(): Promise<BorrowedConnection>
  /** Runs work that may take as long as it needs, such as migrations. */
  unhurried<Result>(work: () => Promise<Result>): Promise<Result>
  /** @throws DatabaseOutage when the server does not answer, or answers that it takes no writes. */
  probe(): Promise<void>
  figures(): PoolFigures
  close(): Promise<void>
}

export interface BorrowedConnection {
  /** @throws DatabaseOutage, or what the server said about the statement. */
  query(text: string, values: readonly unknown[], types: CustomTypesConfig): Promise<QueryResult<Record<string, unknown>>>
  /** Replaces the connection now. What the server had not committed is rolled back by that. */
  destroy(): void
  /** Gives it back; once destroyed there is nothing to give. */
  release(): void
}

/** How much longer than the server's own limit we wait: it says which statement it was, and keeps the connection. */
const ANSWER_GRACE_MS = 1_000
/** A peer that vanished without a word is found by the kernel's probes after this. */
const KEEP_ALIVE_MS = 10_000
/** Open connections are closed in order for this long, then cut: a server that stands still never answers. */
const CLOSE_GRACE_MS = 500

/** Sessions without limits, for what has to finish. */
const UNHURRIED = 'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0'

export function createPostgresPool({ location, maxConnections, limits, watch }: PostgresPoolOptions): PostgresPool {
  const clients = new Set<Client>()
  let isUnhurried = false
  let isClosed = false
  const pool = new Pool({
    Client: trackedClient(clients),
    connectionString: location.connectionString,
    max: maxConnections,
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleTransactionMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'sluice',
    // Migrations name their tables without a schema, so the search path decides where they land.
    ...(location.schema === null ? {} : { options: `-c search_path=${location.schema}` }),
  })
  // The pool has thrown the connection away already; whoever uses it next gets another one.
  pool.on('error', () => undefined)

  const connect = async (): Promise<PoolClient> => {
    if (isClosed) throw new AppError('shutting_down', 'The server is stopping.')
    try {
      return await pool.connect()
    } catch (cause) {
      const known = asOutage(cause)
      // At the door every refusal is the database's: a wrong password or a missing database too.
      const outage = known instanceof DatabaseOutage ? known : new DatabaseOutage('connection', cause)
      watch.failed(outage)
      throw outage
    }
  }

  const borrow = async (): Promise<BorrowedConnection> => {
    const client = await connect()
    if (!isUnhurried) return borrowed(client, limits.statementMs + ANSWER_GRACE_MS, watch)
    const connection = borrowed(client, 0, watch)
    await connection.query(UNHURRIED, [], new TypeOverrides()).catch((error: unknown) => {
      connection.destroy()
      throw error
    })
    // Its settings are not for others.
    return { ...connection, release: connection.destroy }
  }

  return {
    borrow,
    async unhurried(work) {
      isUnhurried = true
      return work().finally(() => (isUnhurried = false))
    },
    async probe() {
      const connection = await borrow()
      try {
        const { rows } = await connection.query('show transaction_read_only', [], new TypeOverrides())
        if (rows[0]?.['transaction_read_only'] !== 'on') return
        connection.destroy()
        const outage = new DatabaseOutage('read_only')
        watch.failed(outage)
        throw outage
      } finally {
        connection.release()
      }
    },
    figures: () => figuresOf(pool),
    async close() {
      isClosed = true
      void pool.end()
      await allGone(clients)
      for (const client of clients) cut(client)
    },
  }
}

const figuresOf = ({ totalCount, idleCount, waitingCount }: Pool): PoolFigures => ({
  used: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
})

/** Clients from their first moment to the end of their socket, as the pool itself forgets them earlier. */
function trackedClient(clients: Set<Client>): new () => Client {
  return class extends Client {
    constructor(...config: ConstructorParameters<typeof Client>) {
      super(...config)
      clients.add(this)
      this.on('end', () => clients.delete(this))
      // Without a listener the loss of a connection that is in use would end the process; its query fails by itself.
      this.on('error', () => undefined)
    }
  }
}

function borrowed(borrowedClient: PoolClient, answerMs: number, watch: OutageWatch): BorrowedConnection {
  let client: PoolClient | null = borrowedClient
  const destroy = () => {
    if (client === null) return
    const spent = client
    client = null
    spent.release(true)
    cut(spent)
  }
  return {
    async query(text, values, types) {
      if (client === null) throw new DatabaseOutage('connection', new Error('The connection was closed after a fault.'))
      try {
        // `query_timeout` is known to the client library, but not to its types.
        const query = { text, values: [...values], types, query_timeout: answerMs }
        const result = await client.query<Record<string, unknown>>(query)
        watch.succeeded(text)
        return result
      } catch (error) {
        if (isConnectionSpent(error)) destroy()
        const known = asOutage(error)
        if (known instanceof DatabaseOutage) watch.failed(known, { work: text })
        throw known
      }
    },
    destroy,
    release() {
      client?.release()
      client = null
    },
  }
}

/** Ends the socket without the farewell that a server which stands still would never answer. */
function cut(client: object): void {
  const { connection } = client as { readonly connection?: { readonly stream?: Socket } }
  connection?.stream?.destroy()
}

async function allGone(clients: ReadonlySet<Client>): Promise<void> {
  const ends = [...clients].map((client) => new Promise<void>((resolve) => client.once('end', resolve)))
  let timer: NodeJS.Timeout | undefined
  await Promise.race([Promise.all(ends), new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_GRACE_MS)))])
  clearTimeout(timer)
}
