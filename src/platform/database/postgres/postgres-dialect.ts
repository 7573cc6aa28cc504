/**
 * Kysely over our own pool, once as the ORM wants its values and once with int8 read as bigint.
 *
 * The ORM parses int8 itself (and counts with `+count`, which a bigint would break), so its queries get strings and only
 * queries that are sent through `database.kysely` get exact bigints. `sum(int8)` is NUMERIC and stays a string: wrap
 * aggregates in `BigInt(...)`, as on SQLite.
 */
import { createPostgreSqlTypeParsers } from '@mikro-orm/sql'
import {
  type CompiledQuery,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { type CustomTypesConfig, TypeOverrides } from 'pg'
import type { BorrowedConnection, PostgresPool } from './postgres-pool.js'
import { type OwnedConnection, TransactionDriver } from '../transaction-driver.js'

const INT8_OID = 20

export class PooledPostgresDialect implements Dialect {
  readonly #pool: PostgresPool
  readonly #types: TypeOverrides

  constructor(pool: PostgresPool, integers: 'for the ORM' | 'exact') {
    this.#pool = pool
    this.#types = typesFor(integers)
  }

  createDriver(): Driver {
    return new TransactionDriver(async () => new PostgresConnection(await this.#pool.borrow(), this.#types))
  }

  createQueryCompiler(): PostgresQueryCompiler {
    return new PostgresQueryCompiler()
  }

  createAdapter(): PostgresAdapter {
    return new PostgresAdapter()
  }

  createIntrospector(db: Kysely<unknown>): PostgresIntrospector {
    return new PostgresIntrospector(db)
  }
}

/** Dates stay strings, as the ORM wants them; int8 is a string for the ORM and a bigint otherwise. */
function typesFor(integers: 'for the ORM' | 'exact'): TypeOverrides {
  const types = new TypeOverrides()
  for (const [oid, parse] of Object.entries(createPostgreSqlTypeParsers((text) => [text]))) {
    types.setTypeParser(Number(oid), parse)
  }
  if (integers === 'exact') types.setTypeParser(INT8_OID, BigInt)
  return types
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

class PostgresConnection implements OwnedConnection {
  isDestroyed = false

  constructor(
    private readonly borrowed: BorrowedConnection,
    private readonly types: CustomTypesConfig,
  ) {}

  async execute<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await this.borrowed.query(sql, parameters, this.types)
    return {
      ...(CHANGES.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
      rows: (rows ?? []) as Row[],
    }
  }

  async begin({ isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const level = isolationLevel ? ` isolation level ${isolationLevel}` : ''
    await this.borrowed.query(`start transaction${level}${accessMode ? ` ${accessMode}` : ''}`, [], this.types)
  }

  async commit(): Promise<void> {
    const { command } = await this.borrowed.query('commit', [], this.types)
    // What Postgres answers, without an error, when a statement of the transaction failed and somebody went on all the same.
    if (command === 'ROLLBACK') throw new Error('The transaction had failed before its commit, so nothing of it was kept.')
  }

  async rollback(): Promise<void> {
    await this.borrowed.query('rollback', [], this.types)
  }

  destroy(): void {
    this.isDestroyed = true
    this.borrowed.destroy()
  }

  release(): void {
    this.borrowed.release()
  }
}
