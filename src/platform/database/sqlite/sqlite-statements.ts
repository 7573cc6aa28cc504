/**
 * Prepared statements over node:sqlite that keep 64-bit integers exact.
 *
 * SQLite hands over bigints, and only columns that are not declared BIGINT become numbers again. An expression
 * (`sum(balance)`) or a RETURNING column has no declared type: it is a number while that is exact and a bigint above, so wrap
 * such values in `BigInt(...)`.
 */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'

/** Statements with parameters are kept prepared, up to this number; SQL with inlined values would only flush the cache. */
const MAX_PREPARED = 256

type Row = Record<string, SQLOutputValue>

export interface StatementResult {
  readonly rows: Row[]
  readonly changes?: number | bigint
  readonly lastInsertRowid?: number | bigint
}

type Run = (parameters: readonly unknown[]) => StatementResult

/** One open connection to a file. Everything here is synchronous. */
export interface SqliteConnection {
  run(sql: string, parameters: readonly unknown[]): StatementResult
  /** Forgets prepared statements, whose columns a change of the tables may have changed. */
  forgetStatements(): void
  readonly isInTransaction: boolean
  close(): void
}

export function exactConnection(db: DatabaseSync): SqliteConnection {
  const cache = new Map<string, Run>()
  const prepare = (sql: string): Run => {
    const cached = cache.get(sql)
    if (cached) return cached
    const prepared = prepareExact(db.prepare(sql))
    if (sql.includes('?')) {
      if (cache.size >= MAX_PREPARED) cache.clear()
      cache.set(sql, prepared)
    }
    return prepared
  }
  return {
    run: (sql, parameters) => prepare(sql)(parameters),
    forgetStatements: () => cache.clear(),
    get isInTransaction() {
      return db.isTransaction
    },
    close() {
      cache.clear()
      if (db.isOpen) db.close()
    },
  }
}

function prepareExact(statement: StatementSync): Run {
  // An insert with a RETURNING clause has result columns too, so the columns themselves say whether rows come back.
  const columns = statement.columns()
  if (columns.length === 0) {
    return (parameters) => ({ rows: [], ...statement.run(...parameters.map(toSqliteValue)) })
  }
  const narrowed = columns.filter((column) => !/^bigint\b/i.test(column.type ?? '')).map((column) => column.name)
  const narrow = (row: Row): Row => {
    for (const name of narrowed) {
      const value = row[name]
      if (typeof value === 'bigint' && value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER) {
        row[name] = Number(value)
      }
    }
    return row
  }
  return (parameters) => ({ rows: statement.all(...parameters.map(toSqliteValue)).map(narrow) })
}

/** SQLite has no booleans or dates: the same forms as the ORM writes, 0/1 and milliseconds. */
function toSqliteValue(value: unknown): SQLInputValue {
  if (value === undefined) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.getTime()
  return value as SQLInputValue
}
