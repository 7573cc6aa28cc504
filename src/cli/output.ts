/** Output: a table for people, JSON for programs. */
import Table from 'cli-table3'

export interface Column<T> {
  readonly title: string
  /** On a narrow terminal columns are left out, the highest number first; what names the row has none and always stays. */
  readonly spare?: number
  readonly value: (row: T) => string | number | null | undefined
  readonly align?: 'left' | 'right'
}

/** Prints rows as a table, or the rows themselves as JSON. Nothing to show is said in words. */
export function printRows<T>(rows: readonly T[], columns: readonly Column<T>[], asJson: boolean, nothing: string): void {
  if (asJson) return printJson(rows)
  if (rows.length === 0) return printLine(nothing)
  const shown = columnsThatFit(rows, columns, process.stdout.columns ?? Number.POSITIVE_INFINITY)
  const table = new Table({
    head: shown.map((column) => column.title),
    colAligns: shown.map((column) => column.align ?? 'left'),
    style: { head: [], border: [] },
    chars: PLAIN,
  })
  for (const row of rows) table.push(shown.map((column) => cell(row, column)))
  printLine(table.toString())
  const missing = columns.filter((column) => !shown.includes(column)).map((column) => column.title.toLowerCase())
  if (missing.length > 0) printNote(`Left out to fit this terminal: ${missing.join(', ')} (a wider one or --json shows all).`)
}

/** The rows with a head, for spreadsheets: names of columns in small letters, nothing where there is no value. */
export function printCsv<T>(rows: readonly T[], columns: readonly Column<T>[]): void {
  const lines = rows.map((row) => columns.map(({ value }) => csvField(String(value(row) ?? ''))).join(','))
  printLine([columns.map(({ title }) => title.toLowerCase().replaceAll(' ', '_')).join(','), ...lines].join('\n'))
}

const csvField = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const cell = <T>(row: T, column: Column<T>): string => String(column.value(row) ?? '-')

/** The table pads each cell by one blank on both sides and parts cells by two more. */
const MARGIN = 4

/** A pipe has no width and gets every column; a terminal gets what its lines can hold, because a wrapped table cannot be read. */
export function columnsThatFit<T>(rows: readonly T[], columns: readonly Column<T>[], width: number): readonly Column<T>[] {
  const widthOf = (column: Column<T>) =>
    MARGIN + rows.reduce((widest, row) => Math.max(widest, cell(row, column).length), column.title.length)
  const widths = new Map(columns.map((column) => [column, widthOf(column)]))
  const shown = new Set(columns)
  const total = () => [...shown].reduce((sum, column) => sum + widths.get(column)!, -2)
  const dispensable = columns.filter(({ spare }) => spare !== undefined).toSorted((a, b) => b.spare! - a.spare!)
  for (const column of dispensable) {
    if (total() <= width) break
    shown.delete(column)
  }
  return [...shown]
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
