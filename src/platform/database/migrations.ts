/**
 * Schema changes: who may run, what is missing, and whether text, entities and the live database still agree.
 *
 * Migrations are written offline from the entities and a snapshot (`.snapshot.json` beside them), per dialect, so that both sets
 * come from any machine. The server refuses to start on a database with pending migrations unless it is told to apply them.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { type AbstractSqlDriver, MikroORM, type Options, type SqlEntityManager } from '@mikro-orm/sql'
import { CompiledQuery, SqliteDialect } from 'kysely'
import { AppError } from '../errors.js'
import { type Database, type Entities, ormOptions } from './database.js'
import type { Dialect } from './database-url.js'
import { isConflictVictim } from './outage.js'

/** Names of migrations that this program has and the database lacks, oldest first. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  await ensureSchema(database)
  return (await database.orm.migrator.getPending()).map((migration) => migration.name)
}

/**
 * Refuses a database that lacks migrations.
 *
 * @param command what the operator types to apply them, for example `sluice migrate`.
 */
export async function assertMigrated(database: Database, command: string): Promise<void> {
  const pending = await pendingMigrations(database)
  if (pending.length === 0) return
  const count = pending.length === 1 ? '1 migration is' : `${pending.length} migrations are`
  throw new AppError(
    'server_error',
    `${count} missing in this database (first: ${pending[0]}): back it up, then run "${command}".`,
  )
}

/** Applies every pending migration in one transaction and returns the names. */
export function migrate(database: Database): Promise<string[]> {
  return database.unhurried(() => applyAll(database))
}

async function applyAll(database: Database): Promise<string[]> {
  await ensureSchema(database)
  const apply = async () => (await database.orm.migrator.up()).map((migration) => migration.name)
  if (database.dialect === 'postgres') return untilNoVictim(apply)
  // Inside a transaction the pragma does nothing: rebuilding a table would then cascade the drop to its children.
  const run = (sql: string) => database.kysely.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql))
  await run('pragma foreign_keys = off')
  try {
    const applied = await apply()
    const { rows } = await run('pragma foreign_key_check')
    if (rows.length > 0) {
      throw new AppError('server_error', 'A migration left rows that point to nothing; restore the backup.', {
        detail: JSON.stringify(rows.slice(0, 10), (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      })
    }
    return applied
  } finally {
    await run('pragma foreign_keys = on')
  }
}

const TRIES = 10

/** Servers that are running lock the same tables, in an order of their own. */
async function untilNoVictim<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES || !isConflictVictim(error)) throw error
    }
  }
}

export interface MigrationSource {
  readonly dialect: Dialect
  readonly entities: Entities
  /** The folder in the source tree that holds one folder per dialect. */
  readonly migrationsPath: string
}

/** Whether the entities have changed since the newest migration was written. Needs no database. */
export function snapshotDrift(source: MigrationSource): Promise<boolean> {
  return offline(source, (orm) => orm.migrator.checkSchema())
}

/** Writes the next migration and snapshot from the entities; null when nothing changed. Needs no database. */
export function createMigration(source: MigrationSource, name: string): Promise<{ fileName: string; sql: string[] } | null> {
  return offline(source, async (orm) => {
    const { fileName, diff } = await orm.migrator.create(undefined, false, false, name)
    return fileName === '' ? null : { fileName, sql: diff.up }
  })
}

/** An ORM that never connects. Starting from an empty snapshot keeps even the first migration offline. */
async function offline<Result>(source: MigrationSource, use: (orm: MikroORM) => Promise<Result>): Promise<Result> {
  const base = ormOptions(source.dialect, source.entities, source.migrationsPath)
  const folder = `${source.migrationsPath}/${source.dialect}`
  if (!existsSync(`${folder}/.snapshot.json`)) {
    mkdirSync(folder, { recursive: true })
    const namespaces = source.dialect === 'postgres' ? ['public'] : []
    writeFileSync(`${folder}/.snapshot.json`, JSON.stringify({ namespaces, tables: [] }))
  }
  const orm = await MikroORM.init<AbstractSqlDriver, SqlEntityManager>({
    ...base,
    dbName: 'offline',
    ...(source.dialect === 'sqlite' ? { driverOptions: new SqliteDialect({ database: neverOpened }) } : {}),
    migrations: { ...base.migrations, snapshot: true, snapshotName: '.snapshot' },
  } as Options)
  try {
    return await use(orm as MikroORM)
  } finally {
    await orm.close(true)
  }
}

const neverOpened = () => Promise.reject(new Error('Migrations are written without a database.'))

/** A schema named by the url is created on first use; the default schema exists already. */
async function ensureSchema(database: Database): Promise<void> {
  if (database.schema === null) return
  await database.kysely.executeQuery(CompiledQuery.raw(`create schema if not exists "${database.schema}"`))
}
