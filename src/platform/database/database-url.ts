/**
 * Reads a database url. The url is the only thing that decides the dialect, here and for the ledger's own connection.
 *
 * `sqlite:./data/sluice.db` names a file; `postgres://user@host:5432/name` may carry `?schema=name`, which puts every table
 * into that schema instead of the default one.
 */
import { AppError } from '../errors.js'

export type DatabaseLocation =
  | { readonly dialect: 'sqlite'; readonly file: string }
  | { readonly dialect: 'postgres'; readonly connectionString: string; readonly schema: string | null }

export type Dialect = DatabaseLocation['dialect']

/** A schema name goes into connection options and SQL, so only plain identifiers are accepted. */
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/

/** @throws AppError naming the two accepted forms. The url itself may hold a password and is never repeated. */
export function parseDatabaseUrl(url: string): DatabaseLocation {
  if (url.startsWith('sqlite:')) {
    const file = url.slice('sqlite:'.length).replace(/^\/\/(?=.)/, '')
    if (file !== '' && !file.startsWith(':') && !file.includes('?')) return { dialect: 'sqlite', file }
  }
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return parsePostgresUrl(new URL(url))
  throw new AppError(
    'server_error',
    'The database url must look like "sqlite:./data/sluice.db" or "postgres://user@host:5432/name?schema=optional".',
  )
}

function parsePostgresUrl(url: URL): DatabaseLocation {
  const schema = url.searchParams.get('schema')
  if (schema !== null && !SCHEMA_NAME.test(schema)) {
    throw new AppError('server_error', 'The schema in the database url must be a plain lower-case name.')
  }
  url.searchParams.delete('schema')
  return { dialect: 'postgres', connectionString: url.toString(), schema }
}
