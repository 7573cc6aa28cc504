/** The tables of an installation as plain rows, whatever lies below: read in pages, written in batches, told apart by a digest. */
import { createHash } from 'node:crypto'
import type { Database } from '#platform/database/database.js'
import { CompiledQuery, type QueryExecutorProvider, sql, type Transaction } from 'kysely'

export type Value = string | number | bigint | boolean | null
export type TableRow = Readonly<Record<string, Value>>

export interface Table {
  readonly name: string
  /** Columns of the primary key. */
  readonly key: readonly string[]
  readonly columns: readonly string[]
  /** Whose numbers the database hands out. */
  readonly counter: string | null
}

type Rows = Transaction<Record<string, Record<string, Value>>>

const PAGE_ROWS = 1_000
/** Both databases take this many in one statement. */
const PARAMETERS = 30_000

/** Every table of the program but the marks of its processes, which are of the moment. */
export function tablesOfProgram({ orm }: Pick<Database, 'orm'>): readonly Table[] {
  const passing = new Set(['ledger_process'])
  return [...orm.getMetadata().getAll().values()]
    .filter(({ tableName }) => !passing.has(tableName))
    .map(({ tableName, props, primaryKeys, properties }) => ({
      name: tableName,
      key: primaryKeys.flatMap((name) => properties[name]?.fieldNames ?? []),
      columns: props.flatMap(({ fieldNames }) => fieldNames),
      counter: props.find(({ autoincrement }) => autoincrement)?.fieldNames[0] ?? null,
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Runs `work` in one transaction that sees one moment; nothing of it stays when `work` throws. */
export const inOneMoment = <Result>({ kysely }: Database, work: (rows: Rows) => Promise<Result>): Promise<Result> =>
  kysely.withTables<Record<string, Record<string, Value>>>().transaction().setIsolationLevel('repeatable read').execute(work)

/** All rows in the order of the primary key, up to 1,000 at a time. */
export async function* readTable(rows: Rows, { name, key, columns }: Table): AsyncIterable<readonly TableRow[]> {
  const refs = key.map((column) => sql.ref(column))
  for (let last: TableRow | null = null; ;) {
    const after = last && sql<boolean>`(${sql.join(refs)}) > (${sql.join(key.map((column) => sql.val(last![column])))})`
    const page: TableRow[] = await rows
      .selectFrom(name)
      .select([...columns])
      .$if(after !== null, (query) => query.where(after!))
      .orderBy(sql`${sql.join(refs)}`)
      .limit(PAGE_ROWS)
      .execute()
    if (page.length > 0) yield page
    if (page.length < PAGE_ROWS) return
    last = page.at(-1)!
  }
}

/** Adds rows of any number, in as many statements as it takes. */
export async function writeRows(rows: Rows, { name, columns }: Table, page: readonly TableRow[]): Promise<void> {
  const most = Math.floor(PARAMETERS / columns.length)
  for (let from = 0; from < page.length; from += most) {
    await rows
      .insertInto(name)
      .values(page.slice(from, from + most))
      .execute()
  }
}

export async function isEmpty(rows: Rows, { name }: Table): Promise<boolean> {
  return (
    (
      await rows
        .selectFrom(name)
        .select(sql<number>`1`.as('one'))
        .limit(1)
        .execute()
    ).length === 0
  )
}

/** What this table of this database wants in place of a value. */
export async function writerFor({ dialect }: Database, rows: Rows, { name }: Table): Promise<(row: TableRow) => TableRow> {
  if (dialect === 'sqlite') return (row) => mapped(row, (value) => (typeof value === 'boolean' ? Number(value) : value))
  const found = await run(
    rows,
    "select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = $1 and data_type = 'boolean'",
    [name],
  )
  const flags = new Set(found.map((column) => String(column['name'])))
  return (row) => mapped(row, (value, column) => (value !== null && flags.has(column) ? Boolean(Number(value)) : value))
}

/** Goes on counting behind the rows that were written with their numbers. SQLite does so by itself. */
export async function countOn({ dialect }: Database, rows: Rows, { name, counter }: Table): Promise<void> {
  if (dialect === 'sqlite' || counter === null) return
  const last = `select max("${counter}") from "${name}"`
  await run(rows, `select setval(pg_get_serial_sequence($1, $2), coalesce((${last}), 1), (${last}) is not null)`, [name, counter])
}

const run = async (rows: QueryExecutorProvider, text: string, values: readonly unknown[]): Promise<readonly TableRow[]> =>
  (await rows.getExecutor().executeQuery<TableRow>(CompiledQuery.raw(text, [...values]))).rows

const mapped = (row: TableRow, change: (value: Value, column: string) => Value): TableRow =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, change(value, column)]))

/** Rows in any order, from either dialect: equal when the same rows were added. */
export class RowsDigest {
  rows = 0
  #sum = 0n

  constructor(private readonly table: Table) {}

  add(page: readonly TableRow[]): void {
    for (const row of page) {
      this.rows++
      const text = JSON.stringify(this.table.columns.map((column) => canonical(row[column] ?? null)))
      this.#sum += BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
    }
  }

  get value(): string {
    return `${this.rows} ${BigInt.asUintN(256, this.#sum).toString(16)}`
  }
}

/** A number has one form in both dialects, and a flag is one; a text of digits is still a text. */
const canonical = (value: Value): Value | [string] => {
  if (typeof value === 'boolean') return [String(Number(value))]
  return typeof value === 'number' || typeof value === 'bigint' ? [String(value)] : value
}
