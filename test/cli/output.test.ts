/** What people see of tables: everything through a pipe, and unbroken lines on a terminal of any width. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, it } from 'vitest'
import { columnsThatFit, tableText, wrapped, type Column } from '../../src/cli/output.js'
import { packageRoot } from '../../src/platform/package-root.js'
import { startTestApp } from '../kit/app.js'
import { commandLine } from './command-line.js'

type Row = string[]

const tables = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 5 })).chain(([columns, rows]) =>
  fc.record({
    rows: fc.array(fc.array(fc.string({ maxLength: 40 }), { minLength: columns, maxLength: columns }), {
      minLength: rows,
      maxLength: rows,
    }),
    spares: fc.array(fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }), { minLength: columns, maxLength: columns }),
    width: fc.integer({ min: 40, max: 300 }),
  }),
)

const columnsOf = (spares: readonly (number | undefined)[]): Column<Row>[] =>
  spares.map((spare, index) => ({ title: `C${index}`, value: (row) => row[index], ...(spare === undefined ? {} : { spare }) }))

const widthOf = (rows: readonly Row[], columns: readonly Column<Row>[]) =>
  columns.reduce((sum, { title, value }) => sum + 4 + Math.max(title.length, ...rows.map((row) => String(value(row)).length)), -2)

it('a table is as wide as the terminal at most, unless nothing more can be spared', () => {
  fc.assert(
    fc.property(tables, ({ rows, spares, width }) => {
      const columns = columnsOf(spares)
      const shown = columnsThatFit<Row>(rows, columns, width)
      const isBare = shown.every(({ spare }) => spare === undefined)
      expect(widthOf(rows, shown) <= width || isBare).toBe(true)
      expect(columns.filter(({ spare }) => spare === undefined).every((column) => shown.includes(column))).toBe(true)
    }),
  )
})

it('nothing is left out of what fits, and nothing at all through a pipe', () => {
  fc.assert(
    fc.property(tables, ({ rows, spares }) => {
      const columns = columnsOf(spares)
      expect(columnsThatFit(rows, columns, widthOf(rows, columns))).toEqual(columns)
      expect(columnsThatFit(rows, columns, Number.POSITIVE_INFINITY)).toEqual(columns)
    }),
  )
})

/** Long cells, wide signs, tabs and ends of lines, amounts to the right. */
const difficult = fc.tuple(tables, fc.integer({ min: 3, max: 200 })).map(([{ rows, spares }, width]) => ({
  rows: rows.map((row) => row.map((text, at) => [`${text}\t日本語🙂\n${text}`, text.repeat(3), text][at % 3]!)),
  columns: columnsOf([undefined, ...spares.slice(1)]).map((column, at): Column<Row> => ({
    ...column,
    align: at % 2 === 1 ? 'right' : 'left',
  })),
  width,
}))

it('no line of a table is wider than the terminal, whatever is in it', () => {
  fc.assert(
    fc.property(difficult, ({ rows, columns, width }) => {
      const lines = tableText(rows, columnsThatFit(rows, columns, width), width).split('\n')
      expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width)
      expect(lines).toHaveLength(rows.length + 1)
    }),
    { numRuns: 500 },
  )
})

it('texts are cut before ids, and amounts last; a part never looks like the whole', () => {
  const columns: Column<Row>[] = [
    { title: 'ID', value: ([id]) => id },
    { title: 'NAME', value: ([, name]) => name },
    { title: 'BALANCE', value: ([, , balance]) => balance, align: 'right' },
  ]
  const rows = [['acc_0123456789', 'Department of Long Names', '1234.567891']]
  const cellsAt = (width: number) => tableText(rows, columns, width).split('\n')[1]!.trim().split(/ {2,}/)
  expect(cellsAt(60)).toEqual(rows[0])
  expect(cellsAt(45)).toEqual(['acc_0123456789', 'Departmen…', '1234.567891'])
  expect(cellsAt(40)).toEqual(['acc_0123456…', 'Depart…', '1234.567891'])
  expect(cellsAt(20)).toEqual(['…', '…', '1234.56…'])
})

it('through a pipe every cell is as it is', () => {
  const text = `${'long '.repeat(60)}\ttab`
  expect(tableText([[text]], columnsOf([undefined]), Number.POSITIVE_INFINITY)).toContain(text)
})

it('sentences are broken between words', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,14}$/), { minLength: 1 }),
      fc.integer({ min: 20, max: 120 }),
      (words, width) => {
        const text = wrapped(words.join(' '), width)
        expect(text.split(/[ \n]/)).toEqual(words)
        expect(text.split('\n').every((line) => line.length <= width)).toBe(true)
      },
    ),
  )
})

const hasTerminals = process.platform === 'linux' && existsSync('/usr/bin/script')

it.skipIf(!hasTerminals)(
  'no list is wider than the terminal, nor the sentence about what was left out (needs util-linux script)',
  async () => {
    await using app = await startTestApp({
      config: { sandbox: true, catalog: { include_shipped: true }, compute: { drivers: [{ type: 'sandbox' }] } },
    })
    using sluice = commandLine(app)
    const [name, credits] = ['Department of Very Long Names', '12345.678901']
    const { id } = await sluice.json<{ id: string }>('accounts', 'create', name, '--credits', credits)
    const of = ['--account', id]
    const { key } = await sluice.json<{ key: string }>('keys', 'create', ...of, '--name', 'a key for the nightly batches')
    await app.openai(key).chat.completions.create({ model: 'light', messages: [{ role: 'user', content: 'Hello' }] })
    await sluice.json('rent', 'L4', '--image', 'example/image', '--label', 'the nightly batches of the department')
    await sluice.json('budgets', 'create', ...of, '--amount', '10', '--period', 'day', '--name', name)
    const lists = ['models', 'prices', 'offers', 'rentals', 'accounts list']
    const ofAccount = ['keys list', 'budgets list', 'usage', 'usage --by model'].map((list) => `${list} ${of.join(' ')}`)
    const main = join(packageRoot, 'dist', 'src', 'main.js')
    const tooWide: Record<string, string> = {}
    for (const width of [60, 80, 100]) {
      for (const list of [...lists, ...ofAccount]) {
        const command = `stty cols ${width}; ${process.execPath} ${main} ${list}`
        const { stdout: shown } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], {
          env: { PATH: process.env['PATH'], SLUICE_URL: app.url, SLUICE_API_KEY: app.adminKey },
        })
        const lines = shown.trimEnd().split('\r\n')
        expect({ list, isShown: lines.length > 1 }).toEqual({ list, isShown: true })
        for (const line of lines) if (line.length > width) tooWide[`${list} at ${width}`] = line
      }
    }
    expect(tooWide).toEqual({})
  },
)
