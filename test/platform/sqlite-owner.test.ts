import { spawnSync } from 'node:child_process'
import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteFile } from '#platform/database/sqlite/sqlite-file.js'
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

  test.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
    'is refused while a process has it open under the name of a mount (asked as root only)',
    ({ skip }) => {
      const clock = new ManualClock()
      const [path, mounted] = [join(folder, 'sluice.db'), join(folder, 'mounted.db')]
      const server = openSqliteFile(path)
      server.exec('create table some (thing)')
      writeFileSync(mounted, '')
      const mount = spawnSync('mount', ['--bind', path, mounted])
      try {
        skip(mount.status !== 0, 'not every container may mount')
        expect(() => ownSqliteFile(mounted, clock)).toThrow('open under another name')
        // Whoever reads it here, such as a shell or a replicator, keeps nobody from starting.
        ownSqliteFile(path, clock).release()
      } finally {
        server.close()
        if (mount.status === 0) {
          ownSqliteFile(mounted, clock).release()
          spawnSync('umount', [mounted])
        }
      }
    },
  )

  test('is refused with the reason where there can be none', () => {
    const reasonOf = (path: string) => {
      try {
        ownSqliteFile(path, new ManualClock()).release()
        return 'none'
      } catch (error) {
        return (error as Error).message
      }
    }
    writeFileSync(join(folder, 'note'), '')
    expect(reasonOf(join(folder, 'note', 'sluice.db'))).toContain('note is no folder')
    if (process.platform === 'linux') expect(reasonOf('/proc/no/sluice.db')).toContain('/proc')
  })
})
