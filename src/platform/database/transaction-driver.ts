/**
 * The driver under kysely, and so under the ORM, for both dialects. It exists for one rule: a connection whose begin, commit or
 * rollback fails is destroyed and its place given free at that moment.
 *
 * Kysely cannot do it: a transaction that its caller ends by hand, as the ORM's are, gives its connection back only after a
 * commit or rollback that worked, and none at all when its begin fails. A destroyed connection is also a rollback, so a rollback
 * never fails, and giving back what is destroyed changes nothing.
 */
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, type TransactionSettings } from 'kysely'

/** A connection as long as one caller has it. */
export interface OwnedConnection {
  execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>>
  begin(settings: TransactionSettings): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Replaces the connection now; what was not committed is rolled back. */
  destroy(): void
  readonly isDestroyed: boolean
  /** Gives it back to whom it belongs, unless it is destroyed. */
  release(): void
}

/** Kysely's view of an owned connection. */
class DriverConnection implements DatabaseConnection {
  constructor(readonly owned: OwnedConnection) {}

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.owned.execute<Row>(query)
  }

  /** All rows in one piece: nothing of ours reads more than it can hold. */
  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.owned.execute<Row>(query)
  }
}

export class TransactionDriver implements Driver {
  readonly #acquire: () => Promise<OwnedConnection>

  /** Whoever opened what the connections belong to also closes it. */
  constructor(acquire: () => Promise<OwnedConnection>) {
    this.#acquire = acquire
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new DriverConnection(await this.#acquire())
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    owned(connection).release()
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await orDestroy(owned(connection), (it) => it.begin(settings))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await orDestroy(owned(connection), (it) => it.commit())
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const it = owned(connection)
    if (it.isDestroyed) return
    await it.rollback().catch(() => it.destroy())
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await owned(connection).execute(CompiledQuery.raw(`savepoint ${quoted(name)}`))
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await owned(connection).execute(CompiledQuery.raw(`rollback to ${quoted(name)}`))
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await owned(connection).execute(CompiledQuery.raw(`release ${quoted(name)}`))
  }
}

/** Kysely hands back what `acquireConnection` gave it. */
const owned = (connection: DatabaseConnection): OwnedConnection => (connection as DriverConnection).owned

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

async function orDestroy(connection: OwnedConnection, step: (connection: OwnedConnection) => Promise<void>): Promise<void> {
  try {
    await step(connection)
  } catch (error) {
    connection.destroy()
    throw error
  }
}
