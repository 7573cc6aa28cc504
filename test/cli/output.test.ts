/** What people see of tables: everything through a pipe, and unbroken lines on a terminal of any width. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { columnsThatFit, type Column } from '../../src/cli/output.js'
import { packageRoot } from '../../src/platform/package-root.js'
import { startTestApp } from '../kit/app.js'

type Row = string[]

const tables = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 5 })).chain(([columns, rows]) =>
  fc.record({
    rows: fc.array(fc.array(fc.string({ maxLength: 40 }), { minLength: columns, maxLength: columns }), {
      minLength: rows,
      maxLength: rows,
    }),
    spares: fc.array(fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }), { minLength: columns, maxLength: columns }),
    width: fc.integer({ min: 10, max: 300 }),
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

const hasTerminals = process.platform === 'linux' && existsSync('/usr/bin/script')

it.skipIf(!hasTerminals)(
  'no list of the shipped catalogue is wider than 100 columns on such a terminal (needs util-linux script)',
  async () => {
    await using app = await startTestApp({ config: { sandbox: true, catalog: { include_shipped: true } } })
    const main = join(packageRoot, 'dist', 'src', 'main.js')
    for (const list of ['models', 'prices', 'offers', 'rentals', 'usage', 'accounts list', 'keys list']) {
      const command = `stty cols 100; ${process.execPath} ${main} ${list}`
      const { stdout: shown } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], {
        env: { PATH: process.env['PATH'], SLUICE_URL: app.url, SLUICE_API_KEY: app.adminKey },
      })
      const lines = shown.split('\r\n').filter((line) => !line.startsWith('Left out'))
      const widest = Math.max(...lines.map((line) => line.trimEnd().length))
      expect({ list, isShown: lines.length > 1, widest, fits: widest <= 100 }).toEqual({
        list,
        isShown: true,
        widest,
        fits: true,
      })
    }
  },
)
