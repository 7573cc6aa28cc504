/**
 * The one database of a process: MikroORM for entities, kysely for lists and hot reads, both on the same connection or pool.
 *
 * Amounts are exact `bigint` on both paths and in both dialects. Every operation takes its own `fork()`. On SQLite the ORM has
 * one connection: inside a transaction use only that transaction's `em` (and `em.getKysely()`), everything else waits for it -
 * and never await the ledger there, because its own connection would wait for this transaction's write lock.
 */
import { fileURLToPath } from 'node:url'
import { Migrator } from '@mikro-orm/migrations'
import { PostgreSqlDriver } from '@mikro-orm/postgresql'
import {
  type AbstractSqlDriver,
  MikroORM,
  type Options,
  type SqlEntityManager,
  SqlSchemaGenerator,
  SqliteDriver,
} from '@mikro-orm/sql'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { AppError } from '../errors.js'
import { type DatabaseLocation, type Dialect, parseDatabaseUrl } from './database-url.js'
import { kyselyOverPool } from './postgres-dialect.js'
import { ExactSqliteDialect } from './sqlite-dialect.js'

export type { Dialect } from './database-url.js'

/** What `defineEntity` returns, as a list. */
export type Entities = NonNullable<Options['entities']>
/** The tables are named where they are used: `database.kysely.withTables<{ account: AccountTable }>()`. */
type NoTables = object

export interface Database {
  readonly dialect: Dialect
  readonly url: string
  /** The Postgres schema of the tables, null for the default and on SQLite. */
  readonly schema: string | null
  readonly orm: MikroORM<AbstractSqlDriver, SqlEntityManager>
  /** A fresh identity map for one operation (4 microseconds). */
  fork(): SqlEntityManager
  readonly kysely: Kysely<NoTables>
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly url: string
  readonly entities: Entities
  /** The folder that holds one folder of migrations per dialect; `migrations` beside `platform` when left out. */
  readonly migrationsPath?: string
  /** Most Postgres connections at once. */
  readonly maxConnections?: number
}

/** Connects; creates the folder and file of a new SQLite database, but no tables (see migrations.ts). */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const location = parseDatabaseUrl(options.url)
  const pools: Pool[] = []
  const orm = await MikroORM.init<AbstractSqlDriver, SqlEntityManager>({
    ...ormOptions(location.dialect, options.entities, options.migrationsPath),
    ...connectionOptions(location, options.maxConnections ?? 10, pools),
  })
  try {
    await orm.connect()
  } catch (cause) {
    await orm.close(true)
    throw new AppError('server_error', `The ${location.dialect} database does not answer.`, { cause, detail: String(cause) })
  }
  const pool = pools[0]
  const kysely = pool ? kyselyOverPool<NoTables>(pool) : orm.em.getConnection().getClient<NoTables>()
  return {
    dialect: location.dialect,
    url: options.url,
    schema: location.dialect === 'postgres' ? location.schema : null,
    orm,
    fork: () => orm.em.fork(),
    kysely,
    close: () => orm.close(true),
  }
}

/** The part of the ORM's options that needs no connection: also enough to write migrations. */
export function ormOptions(dialect: Dialect, entities: Entities, migrationsPath = defaultMigrationsPath()): Options {
  return {
    driver: dialect === 'sqlite' ? SqliteDriver : PostgreSqlDriver,
    entities: [...entities],
    extensions: [Migrator, SqlSchemaGenerator],
    // One folder per dialect; `preferTs` off makes `path` the only folder, whether it holds .js or .ts files.
    migrations: { path: `${migrationsPath}/${dialect}`, snapshot: false, silent: true, emit: 'ts' },
    preferTs: false,
    debug: false,
  } as Options
}

const defaultMigrationsPath = (): string => fileURLToPath(new URL('../../migrations', import.meta.url))

function connectionOptions(location: DatabaseLocation, maxConnections: number, pools: Pool[]): Options {
  if (location.dialect === 'sqlite') {
    return { dbName: location.file, driverOptions: new ExactSqliteDialect(location.file) }
  }
  return {
    clientUrl: location.connectionString,
    ...(location.schema === null ? {} : { schema: location.schema }),
    pool: { min: 0, max: maxConnections },
    driverOptions: {
      onPoolCreated: (pool: Pool) => pools.push(pool),
      application_name: 'sluice',
      // Migrations name their tables without a schema, so the search path decides where they land.
      ...(location.schema === null ? {} : { options: `-c search_path=${location.schema}` }),
    },
  }
}
