/** Output: a table for people, JSON for programs. */
import Table from 'cli-table3'
import stringWidth from 'string-width'

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
  // A terminal that does not know its width says 0.
  const width = process.stdout.columns || Number.POSITIVE_INFINITY
  const shown = columnsThatFit(rows, columns, width)
  printLine(tableText(rows, shown, width))
  const missing = columns.filter((column) => !shown.includes(column)).map((column) => column.title.toLowerCase())
  if (missing.length === 0) return
  const note = `Left out to fit this terminal: ${missing.join(', ')} (a wider one or --json shows all).`
  printNote(process.stderr.isTTY ? wrapped(note, width) : note)
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

/** Without the margin. */
const widthOf = <T>(rows: readonly T[], column: Column<T>): number =>
  rows.reduce((widest, row) => Math.max(widest, stringWidth(onOneLine(cell(row, column)))), stringWidth(column.title))

/** A tab or the end of a line in a name would move what stands beside it. */
const onOneLine = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ')

const widthOfTable = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + MARGIN, -2)

/** A pipe has no width and gets every column; a terminal gets what its lines can hold, because a wrapped table cannot be read. */
export function columnsThatFit<T>(rows: readonly T[], columns: readonly Column<T>[], width: number): readonly Column<T>[] {
  const widths = new Map(columns.map((column) => [column, widthOf(rows, column)]))
  const shown = new Set(columns)
  const isTooWide = () => widthOfTable([...shown].map((column) => widths.get(column)!)) > width
  const dispensable = columns.filter(({ spare }) => spare !== undefined).toSorted((a, b) => b.spare! - a.spare!)
  for (const column of dispensable) {
    if (!isTooWide()) break
    shown.delete(column)
  }
  // What is left is cut, for which each column needs room for one sign.
  for (const column of [...shown].slice(1).toReversed()) {
    if (!isTooWide() || widthOfTable([...shown].map(() => 1)) <= width) break
    shown.delete(column)
  }
  return [...shown]
}

/** The table with no line wider than `width`: what does not fit into its column is cut. */
export function tableText<T>(rows: readonly T[], columns: readonly Column<T>[], width: number): string {
  const widths = widthsThatFit(rows, columns, width)
  const fit = (text: string, at: number) => (width === Number.POSITIVE_INFINITY ? text : cut(onOneLine(text), widths[at]!))
  const table = new Table({
    head: columns.map(({ title }, at) => fit(title, at)),
    colAligns: columns.map((column) => column.align ?? 'left'),
    style: { head: [], border: [] },
    chars: PLAIN,
  })
  for (const row of rows) table.push(columns.map((column, at) => fit(cell(row, column), at)))
  return table.toString()
}

/** Of a text that is cut so much can still be told from others. */
const READABLE = 7

/** Texts give way first, then what names the row, amounts last: a part of those is of no use. Of several the widest gives way. */
function widthsThatFit<T>(rows: readonly T[], columns: readonly Column<T>[], width: number): readonly number[] {
  const widths = columns.map((column) => widthOf(rows, column))
  const all = [...columns.keys()]
  const texts = all.filter((at) => columns[at]!.align !== 'right')
  const stages = [
    { of: texts.filter((at) => at > 0), least: READABLE },
    { of: texts, least: READABLE },
    { of: texts, least: 1 },
    { of: all, least: 1 },
  ]
  for (const { of, least } of stages) {
    while (widthOfTable(widths) > width) {
      const [widest] = of.filter((at) => widths[at]! > least).toSorted((a, b) => widths[b]! - widths[a]!)
      if (widest === undefined) break
      widths[widest]!--
    }
  }
  return widths
}

const letters = new Intl.Segmenter()

/** Always with a sign that something is missing. */
function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let kept = ''
  for (const { segment } of letters.segment(text)) {
    if (stringWidth(`${kept}${segment}…`) > width) break
    kept += segment
  }
  return `${kept}…`
}

/** Broken between words. */
export const wrapped = (text: string, width: number): string =>
  text.split(' ').reduce((lines, word) => {
    const line = lines.slice(lines.lastIndexOf('\n') + 1)
    return `${lines}${stringWidth(`${line} ${word}`) > width ? '\n' : ' '}${word}`
  })

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
