/** The owner of a SQLite file, seen from a second process: while the first lives, and after it was killed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runSluice, startSluice } from '../kit/process.js'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-owner-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const options = () => ({ cwd: folder, env: { SLUICE_ADMIN_KEY: 'k'.repeat(40), SLUICE_LOG_LEVEL: 'warn' } })
const database = () => join(folder, 'data', 'sluice.db')

describe('a SQLite file that a server uses', () => {
  test('is refused to a second server and to migrations, and free at once after a kill', { timeout: 60_000 }, async () => {
    await using first = await startSluice(['serve'], options())
    for (const command of [['serve'], ['migrate']]) {
      const second = await runSluice(command, { ...options(), env: { ...options().env, SLUICE_PORT: '0' } })
      expect(second.code).toBe(2)
      expect(second.stderr).toContain(`The process ${first.pid} uses the SQLite file ${database()}.`)
    }
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)

    await first.end('SIGKILL')
    await using next = await startSluice(['serve'], options())
    expect(next.logged().join('\n')).not.toContain('is missing')
  })

  test('is missed its log when that is gone after a kill, and only then', { timeout: 60_000 }, async () => {
    await using killed = await startSluice(['serve'], options())
    await killed.end('SIGKILL')
    rmSync(`${database()}-wal`)
    await using after = await startSluice(['serve'], options())
    expect(after.logged().join('\n')).toContain(`its log ${database()}-wal is missing`)
    await after.end('SIGKILL')
    // Whoever opens the file in between takes the log into it.
    expect((await runSluice(['migrate'], options())).code).toBe(0)
    await using next = await startSluice(['serve'], options())
    expect(next.logged().join('\n')).not.toContain('is missing')
  })
})
