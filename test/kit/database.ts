/** A throw-away database per test: a temporary SQLite file, or an own schema on a running Postgres. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { type Database, type Dialect, type Entities, openDatabase } from '#platform/database/database.js'

/** The run's own server (global-setup.ts), or the one that `TEST_POSTGRES_URL` names. */
export const postgresUrl = process.env['TEST_POSTGRES_URL'] ?? ''

/** Names the folder for files of databases: hundreds are written durably and thrown away (global-setup.ts). */
export const DATABASES_FOLDER = 'TEST_DATABASES_FOLDER'

/** A new folder, for a SQLite database and what a server keeps beside it. Whoever asks removes it. */
export const databaseFolder = (prefix: string): string => mkdtempSync(join(process.env[DATABASES_FOLDER] ?? tmpdir(), prefix))

export interface TestLocation extends AsyncDisposable {
  readonly url: string
}

/**
 * A place without tables; disposing it drops the schema or removes the folder.
 *
 * @param isAlone for tests that read the catalogue of the database: PostgreSQL's covers all schemas, and one that another test
 * drops meanwhile fails the reading. They get a database, not only a schema.
 */
export async function testLocation(dialect: Dialect, isAlone = false): Promise<TestLocation> {
  if (dialect === 'sqlite') {
    const folder = databaseFolder('sluice-')
    return {
      url: `sqlite:${folder}/test.db`,
      [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
    }
  }
  const schema = `test_${randomBytes(6).toString('hex')}`
  const url = new URL(postgresUrl)
  if (isAlone) {
    await onPostgres(`create database ${schema}`)
    url.pathname = `/${schema}`
    url.searchParams.set('schema', 'alone')
    return { url: url.toString(), [Symbol.asyncDispose]: () => onPostgres(`drop database ${schema} with (force)`) }
  }
  await onPostgres(`create schema ${schema}`)
  url.searchParams.set('schema', schema)
  return { url: url.toString(), [Symbol.asyncDispose]: () => onPostgres(`drop schema ${schema} cascade`) }
}

/** Runs SQL on an own short connection, as another process would. */
async function onPostgres(sql: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

export type TestDatabase = Database & AsyncDisposable

/** An open database with the tables of `entities`. */
export async function testDatabase(dialect: Dialect, entities: Entities, isAlone = false): Promise<TestDatabase> {
  const location = await testLocation(dialect, isAlone)
  const database = await openDatabase({ url: location.url, entities })
  await database.orm.schema.create()
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await database.close()
      await location[Symbol.asyncDispose]()
    },
  }
}

/** The SQL that would make the live database equal to the entities; empty when they agree. */
export async function schemaDrift(database: Database): Promise<string> {
  const sql = await database.orm.schema.getUpdateSchemaSQL({ wrap: false, dropTables: false })
  return sql.trim()
}
