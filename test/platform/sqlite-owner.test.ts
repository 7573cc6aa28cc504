import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ownSqliteFile } from '#platform/database/sqlite/sqlite-owner.js'
import { ManualClock } from '../kit/manual-clock.js'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-owner-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const database = () => join(folder, 'data', 'sluice.db')

describe('a SQLite file that a server uses', () => {
  test('is one file under all of its names', () => {
    const clock = new ManualClock()
    const owner = ownSqliteFile(database(), clock)
    expect(() => ownSqliteFile(database(), clock)).toThrow(`The process ${process.pid} uses the SQLite file`)
    owner.release()
    const again = ownSqliteFile(database(), clock)
    expect(again.warning).toBeNull()
    again.release()
    symlinkSync(join(folder, 'data'), join(folder, 'other'))
    const first = ownSqliteFile(database(), clock)
    expect(() => ownSqliteFile(join(folder, 'other', 'sluice.db'), clock)).toThrow('One server uses a file')
    first.release()
  })

  test('is refused while it has several, under each of them', () => {
    const clock = new ManualClock()
    const [path, other] = [join(folder, 'sluice.db'), join(folder, 'other.db')]
    writeFileSync(path, '')
    linkSync(path, other)
    for (const name of [path, other]) expect(() => ownSqliteFile(name, clock)).toThrow('has 2 names (hard links)')
    rmSync(other)
    ownSqliteFile(path, clock).release()
  })
})
