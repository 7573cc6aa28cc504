/**
 * Kysely over the ORM's own Postgres pool, with int8 read as bigint.
 *
 * The ORM parses int8 itself (and counts with `+count`, which a bigint would break), so the pool keeps returning strings and
 * only queries that are sent through this view ask for exact bigints. `sum(int8)` is NUMERIC and stays a string: wrap
 * aggregates in `BigInt(...)`, as on SQLite.
 */
import { createPostgreSqlTypeParsers } from '@mikro-orm/sql'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { type Pool, type PoolClient, TypeOverrides } from 'pg'

const INT8_OID = 20

/** Dates stay strings, as in the ORM's own pool; int8 becomes bigint. */
function exactTypes(): TypeOverrides {
  const types = new TypeOverrides()
  for (const [oid, parse] of Object.entries(createPostgreSqlTypeParsers((text) => [text]))) {
    types.setTypeParser(Number(oid), parse)
  }
  types.setTypeParser(INT8_OID, BigInt)
  return types
}

export function kyselyOverPool<Tables>(pool: Pool): Kysely<Tables> {
  const types = exactTypes()
  const exactClient = (client: PoolClient): PostgresPoolClient =>
    ({
      query: (text: string, values: readonly unknown[]) => client.query({ text, values: [...values], types }),
      release: () => client.release(),
    }) as unknown as PostgresPoolClient
  const view: PostgresPool = {
    options: pool.options,
    connect: async () => exactClient(await pool.connect()),
    // The pool belongs to the ORM, which closes it.
    end: async () => {},
  }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: view }) })
}
