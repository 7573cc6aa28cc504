/** Output: a table for people, JSON for programs. */
import Table from 'cli-table3'

export interface Column<T> {
  readonly title: string
  readonly value: (row: T) => string | number | null | undefined
  readonly align?: 'left' | 'right'
}

/** Prints rows as a table, or the rows themselves as JSON. Nothing to show is said in words. */
export function printRows<T>(rows: readonly T[], columns: readonly Column<T>[], asJson: boolean, nothing: string): void {
  if (asJson) return printJson(rows)
  if (rows.length === 0) return printLine(nothing)
  const table = new Table({
    head: columns.map((column) => column.title),
    colAligns: columns.map((column) => column.align ?? 'left'),
    style: { head: [], border: [] },
    chars: PLAIN,
  })
  for (const row of rows) table.push(columns.map((column) => String(column.value(row) ?? '-')))
  printLine(table.toString())
}

/** Columns apart by blanks only: easy on the eye and on `awk`. */
const PLAIN = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
} as const

export const printJson = (value: unknown): void => printLine(JSON.stringify(value, null, 2))

/** What a person should know but a pipe should not carry. */
export const printNote = (text: string): void => void process.stderr.write(`${text}\n`)

export const printLine = (text: string): void => void process.stdout.write(`${text}\n`)
