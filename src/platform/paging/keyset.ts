/** Reads one page of a table, from a cursor on along the columns that order the list, and how many rows there are in all. */
import { sql, type SelectQueryBuilder } from 'kysely'
import { type CursorValue, notACursor, type PageRequest } from './page.js'

/** How a list is ordered. The columns name one row together, and all run in one direction. */
export interface ListOrder {
  readonly columns: readonly OrderColumn[]
  readonly isDescending: boolean
}

export interface OrderColumn {
  readonly name: string
  /** A cursor's text as the value of the column. @throws for what is none */
  readonly read: (text: string) => string | bigint
}

/** A column of whole numbers, such as a time in epoch milliseconds or an amount. */
export const wholeNumber = (name: string): OrderColumn => ({ name, read: (text) => BigInt(text) })

export const text = (name: string): OrderColumn => ({ name, read: (value) => value })

/** The page's rows, and one more where the list goes on. @throws AppError 400 for a cursor of another list */
export function onPage<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { columns, isDescending }: ListOrder,
  request: PageRequest,
): SelectQueryBuilder<DB, TB, O> {
  const goesDown = isDescending !== request.isBackward
  const key = sql.join(columns.map(({ name }) => sql.ref(name)))
  const values = request.cursor && readValues(columns, request)
  let page = query
  if (values) page = page.where(sql<boolean>`(${key}) ${sql.raw(goesDown ? '<' : '>')} (${sql.join(values)})`)
  for (const { name } of columns) page = page.orderBy(sql.ref(name), goesDown ? 'desc' : 'asc')
  return page.limit(request.size + 1)
}

/** How many rows the query has, whatever it selects of them. */
export async function countOf<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): Promise<number> {
  const counted = query
    .clearSelect()
    .select(sql`count(*)`.as('count'))
    .$castTo<{ count: bigint | number | string }>()
  return Number((await counted.executeTakeFirstOrThrow()).count)
}

/** Rows that no table has, put among the rows of a page that `onPage` has read. */
export function mergedIntoPage<Row>(
  read: readonly Row[],
  others: readonly Row[],
  keyOf: (row: Row) => readonly CursorValue[],
  { columns, isDescending }: ListOrder,
  request: PageRequest,
): Row[] {
  const sign = isDescending !== request.isBackward ? -1 : 1
  const from = request.cursor && readValues(columns, request)
  const onThisPage = others.filter((row) => from === null || sign * compareKeys(keyOf(row), from) > 0)
  const all = [...read, ...onThisPage].toSorted((a, b) => sign * compareKeys(keyOf(a), keyOf(b)))
  return all.slice(0, request.size + 1)
}

function compareKeys(a: readonly CursorValue[], b: readonly CursorValue[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index]!
    if (value < other) return -1
    if (value > other) return 1
  }
  return 0
}

function readValues(columns: ListOrder['columns'], { cursor, isBackward }: PageRequest): (string | bigint)[] {
  const param = isBackward ? 'before' : 'after'
  if (cursor?.length !== columns.length) throw notACursor(param)
  try {
    return columns.map(({ read }, index) => read(cursor[index]!))
  } catch {
    throw notACursor(param)
  }
}
