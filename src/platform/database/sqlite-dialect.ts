/**
 * A kysely dialect over node:sqlite that keeps 64-bit integers exact.
 *
 * The stock dialect reads every integer as a float: amounts above 2^53 lose digits or throw. Here SQLite hands over bigints,
 * and only columns that are not declared BIGINT become numbers again. An expression (`sum(balance)`) or a RETURNING column has
 * no declared type: it is a number while that is exact and a bigint above, so wrap such values in `BigInt(...)`.
 */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { CompiledQuery, type DatabaseConnection, SqliteDialect, SqliteDriver, type TransactionSettings } from 'kysely'
import { openSqliteFile } from './sqlite-file.js'

/** Statements with parameters are kept prepared, up to this number; SQL with inlined values would only flush the cache. */
const MAX_PREPARED = 256

type Row = Record<string, SQLOutputValue>

interface PreparedStatement {
  readonly reader: boolean
  all(parameters: readonly unknown[]): Row[]
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  iterate(parameters: readonly unknown[]): IterableIterator<Row>
}

export class ExactSqliteDialect extends SqliteDialect {
  readonly #database: () => Promise<ReturnType<typeof exactDatabase>>

  constructor(file: string) {
    const database = async () => exactDatabase(openSqliteFile(file))
    super({ database })
    this.#database = database
  }

  override createDriver(): SqliteDriver {
    return new ImmediateSqliteDriver({ database: this.#database })
  }
}

/**
 * Takes the write lock at BEGIN. A deferred transaction that read first fails at once (SQLITE_BUSY_SNAPSHOT, no waiting) when
 * the ledger's connection committed in between; one that starts with the lock only waits.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(settings?.accessMode === 'read only' ? 'begin' : 'begin immediate'))
  }
}

function exactDatabase(db: DatabaseSync) {
  const cache = new Map<string, PreparedStatement>()
  return {
    prepare(sql: string): PreparedStatement {
      const cached = cache.get(sql)
      if (cached) return cached
      if (/^\s*(create|alter|drop)\b/i.test(sql)) cache.clear()
      const prepared = prepareExact(db.prepare(sql))
      if (sql.includes('?')) {
        if (cache.size >= MAX_PREPARED) cache.clear()
        cache.set(sql, prepared)
      }
      return prepared
    },
    close() {
      cache.clear()
      db.close()
    },
  }
}

function prepareExact(statement: StatementSync): PreparedStatement {
  // An insert with a RETURNING clause has result columns too, so the columns themselves say whether rows come back.
  const columns = statement.columns()
  const narrowed = numberColumns(columns)
  const narrow = (row: Row): Row => {
    for (const name of narrowed) {
      const value = row[name]
      if (typeof value === 'bigint' && value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER) {
        row[name] = Number(value)
      }
    }
    return row
  }
  return {
    reader: columns.length > 0,
    all(parameters) {
      const rows = statement.all(...parameters.map(toSqliteValue))
      return rows.map(narrow)
    },
    run: (parameters) => statement.run(...parameters.map(toSqliteValue)),
    *iterate(parameters) {
      for (const row of statement.iterate(...parameters.map(toSqliteValue))) yield narrow(row)
    },
  }
}

const numberColumns = (columns: ReturnType<StatementSync['columns']>): string[] =>
  columns.filter((column) => !/^bigint\b/i.test(column.type ?? '')).map((column) => column.name)

/** SQLite has no booleans or dates: the same forms as the ORM writes, 0/1 and milliseconds. */
function toSqliteValue(value: unknown): SQLInputValue {
  if (value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.getTime()
  return value as SQLInputValue
}
