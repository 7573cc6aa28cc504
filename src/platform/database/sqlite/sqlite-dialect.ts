/**
 * Kysely over a SQLite file, with exact 64-bit integers (see sqlite-statements.ts).
 *
 * Two connections: one writes, for one transaction or statement after the other, and one reads, so that what only looks
 * never waits for a lock. The event loop does not wait for one either: a statement that finds the file locked fails at once
 * and is tried again a little later, up to a limit.
 */
import {
  type CompiledQuery,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import { DatabaseOutage } from '../outage.js'
import type { BegunTransaction, SqlitePair } from './sqlite-pair.js'
import type { StatementResult } from './sqlite-statements.js'
import { type OwnedConnection, TransactionDriver } from '../transaction-driver.js'

export class ExactSqliteDialect implements Dialect {
  readonly #pair: SqlitePair

  constructor(pair: SqlitePair) {
    this.#pair = pair
  }

  createDriver(): Driver {
    return new TransactionDriver(async () => new SqliteOwner(this.#pair))
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler()
  }

  createAdapter(): SqliteAdapter {
    return new ConcurrentSqliteAdapter()
  }

  createIntrospector(db: Kysely<unknown>): SqliteIntrospector {
    return new SqliteIntrospector(db)
  }
}

/** Kysely would lock everybody out while one has a connection; the pair knows better when that is needed. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** What one caller has: nothing until it writes or begins a transaction, then the writing connection. */
class SqliteOwner implements OwnedConnection {
  isDestroyed = false
  #transaction: BegunTransaction | null = null

  constructor(private readonly pair: SqlitePair) {}

  async execute<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.isDestroyed) throw new DatabaseOutage('connection', new Error('The connection was closed after a fault.'))
    if (this.#transaction) return toResult(this.#transaction.run(sql, parameters))
    return toResult(await (isRead(sql) ? this.pair.read(sql, parameters) : this.pair.write(sql, parameters)))
  }

  /**
   * Takes the write lock at BEGIN. A deferred transaction that read first fails at once (SQLITE_BUSY_SNAPSHOT, no waiting) when
   * the ledger's connection committed in between; one that starts with the lock only waits.
   */
  async begin({ accessMode }: TransactionSettings): Promise<void> {
    this.#transaction = await this.pair.begin(accessMode === 'read only' ? 'begin' : 'begin immediate')
  }

  async commit(): Promise<void> {
    this.#transaction?.run('commit', [])
    this.#end(true)
  }

  async rollback(): Promise<void> {
    if (this.#transaction?.isOpen) this.#transaction.run('rollback', [])
    this.#end(true)
  }

  destroy(): void {
    this.isDestroyed = true
    this.#end(false)
  }

  release(): void {
    // A transaction that was begun and not ended has nobody left to end it.
    this.#end(false)
  }

  #end(isSound: boolean): void {
    this.#transaction?.end(isSound)
    this.#transaction = null
  }
}

const isRead = (sql: string): boolean => /^\s*select\b/i.test(sql)

const toResult = <Row>({ rows, changes, lastInsertRowid }: StatementResult): QueryResult<Row> => ({
  rows: rows as Row[],
  ...(changes !== undefined && { numAffectedRows: BigInt(changes) }),
  ...(lastInsertRowid !== undefined && { insertId: BigInt(lastInsertRowid) }),
})
