/**
 * The one database of a process: MikroORM for entities, kysely for lists and hot reads, both on the same connections.
 *
 * Amounts are exact `bigint` on both paths and in both dialects. Every operation takes its own `fork()`. On SQLite one writes at
 * a time: inside a transaction use only that transaction's `em` (and `em.getKysely()`), every other write waits for it - and
 * never await the ledger there, because its own connection would wait for this transaction's write lock.
 *
 * What the database cannot do because it is in trouble is thrown as `DatabaseOutage` (503), whichever way it was asked.
 */
import { fileURLToPath } from 'node:url'
import type { DriverException } from '@mikro-orm/core'
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
import { CompiledQuery, type Dialect as KyselyDialect, Kysely } from 'kysely'
import { AppError } from '../errors.js'
import { connectFailure } from './connect-failure.js'
import { type DatabaseLimits, defaultDatabaseLimits } from './database-limits.js'
import { type DatabaseLocation, type Dialect, parseDatabaseUrl } from './database-url.js'
import type { PoolFigures } from '../metrics/ledger-metrics.js'
import { noOutageWatch, type OutageWatch } from './outage-watch.js'
import { PooledPostgresDialect } from './postgres/postgres-dialect.js'
import { createPostgresPool } from './postgres/postgres-pool.js'
import { ExactSqliteDialect } from './sqlite/sqlite-dialect.js'
import { createSqlitePair } from './sqlite/sqlite-pair.js'

export type { Dialect } from './database-url.js'

/** What `defineEntity` returns, as a list. */
export type Entities = NonNullable<Options['entities']>
/** The tables are named where they are used: `tablesOf<typeof AccountEntity>(database)`. */
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
  /** Runs work that may take as long as it needs, such as migrations, while nothing else runs. */
  unhurried<Result>(work: () => Promise<Result>): Promise<Result>
  /** @throws DatabaseOutage when the database does not answer, or answers that it takes no writes. */
  probe(): Promise<void>
  /** Its connections now. */
  pool(): PoolFigures
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly url: string
  readonly entities: Entities
  /** The folder that holds one folder of migrations per dialect; `migrations` beside `platform` when left out. */
  readonly migrationsPath?: string
  /** Most Postgres connections at once. */
  readonly maxConnections?: number
  readonly limits?: DatabaseLimits
  /** Is told of every failure that the database's state caused. */
  readonly watch?: OutageWatch
}

/** Connects; creates the folder and file of a new SQLite database, but no tables (see migrations.ts). */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const location = parseDatabaseUrl(options.url)
  const { watch = noOutageWatch } = options
  let isOpen = false
  const connections = openConnections(location, {
    ...options,
    // What fails before the database was ever open is told by the error below: an outage is what happens to a service.
    watch: { failed: (outage, failure) => isOpen && watch.failed(outage, failure), succeeded: (work) => watch.succeeded(work) },
  })
  const orm = await MikroORM.init<AbstractSqlDriver, SqlEntityManager>({
    ...ormOptions(location.dialect, options.entities, options.migrationsPath),
    ...(location.dialect === 'sqlite' ? { dbName: location.file } : postgresNames(location)),
    driverOptions: connections.forOrm,
  })
  const close = async () => {
    await orm.close(true)
    await connections.close()
  }
  try {
    await orm.connect()
    await connections.probe(orm.em.getConnection().getClient())
  } catch (cause) {
    await close()
    throw new AppError('server_error', connectFailure(location, cause), { cause, detail: String(cause) })
  }
  isOpen = true
  const kysely = connections.exact
    ? new Kysely<NoTables>({ dialect: connections.exact })
    : orm.em.getConnection().getClient<NoTables>()
  return {
    dialect: location.dialect,
    url: options.url,
    schema: location.dialect === 'postgres' ? location.schema : null,
    orm,
    fork: () => orm.em.fork(),
    kysely,
    unhurried: connections.unhurried,
    probe: () => connections.probe(kysely),
    pool: connections.figures,
    close,
  }
}

/** The part of the ORM's options that needs no connection: also enough to write migrations. */
export function ormOptions(dialect: Dialect, entities: Entities, migrationsPath = defaultMigrationsPath()): Options {
  return {
    driver: dialect === 'sqlite' ? OutageTellingSqlite : OutageTellingPostgres,
    entities: [...entities],
    extensions: [Migrator, SqlSchemaGenerator],
    // One folder per dialect; `preferTs` off makes `path` the only folder, whether it holds .js or .ts files.
    migrations: { path: `${migrationsPath}/${dialect}`, snapshot: false, silent: true, emit: 'ts' },
    preferTs: false,
    debug: false,
  } as Options
}

const defaultMigrationsPath = (): string => fileURLToPath(new URL('../../migrations', import.meta.url))

/** What a dialect brings: connections for the ORM and, where its values differ, for `database.kysely`. */
interface Connections {
  readonly forOrm: KyselyDialect
  readonly exact: KyselyDialect | null
  probe(kysely: Kysely<NoTables>): Promise<void>
  unhurried: Database['unhurried']
  figures: Database['pool']
  close(): Promise<void>
}

function openConnections(
  location: DatabaseLocation,
  { limits = defaultDatabaseLimits, watch = noOutageWatch, maxConnections = 10 }: DatabaseOptions,
): Connections {
  if (location.dialect === 'sqlite') {
    const pair = createSqlitePair({ file: location.file, limits, watch })
    return {
      forOrm: new ExactSqliteDialect(pair),
      exact: null,
      probe: async (kysely) => void (await kysely.executeQuery(CompiledQuery.raw('select 1'))),
      unhurried: (work) => work(),
      figures: pair.figures,
      close: async () => pair.close(),
    }
  }
  const pool = createPostgresPool({ location, maxConnections, limits, watch })
  return {
    forOrm: new PooledPostgresDialect(pool, 'for the ORM'),
    exact: new PooledPostgresDialect(pool, 'exact'),
    probe: pool.probe,
    unhurried: pool.unhurried,
    figures: pool.figures,
    close: pool.close,
  }
}

/** Which database and schema the ORM and its migrations mean; the connections are the pool's. */
const postgresNames = ({ connectionString, schema }: DatabaseLocation & { dialect: 'postgres' }): Options => ({
  clientUrl: connectionString,
  ...(schema === null ? {} : { schema }),
})

/** The ORM would wrap what the drivers throw into an exception of its own, and an outage would look like a bug. */
const isPublic = (error: Error): error is DriverException => error instanceof AppError

class OutageTellingPostgres extends PostgreSqlDriver {
  override convertException(error: Error): DriverException {
    return isPublic(error) ? error : super.convertException(error)
  }
}

class OutageTellingSqlite extends SqliteDriver {
  override convertException(error: Error): DriverException {
    return isPublic(error) ? error : super.convertException(error)
  }
}
