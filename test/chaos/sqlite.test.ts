/** The whole program on a SQLite file that another process locks, and on a disk that is full. Each ends with an audit. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditBooks, readSqlite } from '../kit/audit.js'
import { effort } from '../kit/effort.js'
import { type ChaosServer, startChaosServer } from './chaos-server.js'

const isLong = effort === 'long'
const LOCKED_MS = isLong ? 30_000 : 0
const isRoot = process.platform === 'linux' && process.getuid?.() === 0

const fileOf = (folder: string) => join(folder, 'data', 'sluice.db')

async function expectOrderly(server: ChaosServer, folder: string): Promise<void> {
  expect([...server.statuses.keys()].filter((status) => status !== '200' && status !== '503')).toEqual([])
  expect(await server.metric('sluice_unexpected_errors_total')).toBe(0)
  expect(await auditBooks(readSqlite(fileOf(folder)), server)).toEqual([])
}

/** A folder that goes away with the test. */
function temporaryFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'sluice-chaos-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** A foreign process that holds the write lock until it is told to let go. */
async function lockFile(file: string): Promise<() => Promise<unknown>> {
  const script = `
    const { DatabaseSync } = require('node:sqlite')
    const db = new DatabaseSync(process.argv[1], { timeout: 10_000 })
    db.exec('begin immediate')
    console.log('locked')
    process.stdin.on('end', () => db.exec('rollback')).resume()`
  const child = spawn(process.execPath, ['-e', script, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return () => {
    child.stdin.end()
    return once(child, 'close')
  }
}

test('a file that a foreign process has locked: reads and healthz go on, money waits and says so', async () => {
  using folder = temporaryFolder()
  const limits = isLong ? {} : { statement_seconds: 1, lock_seconds: 1 }
  await using server = await startChaosServer({ databaseUrl: null, folder: folder.path, database: limits })
  await server.serves()
  const unlock = await lockFile(fileOf(folder.path))
  const locked = performance.now()
  const stopTraffic = server.startTraffic(5)
  const answers = Promise.all([server.chat(), server.makeKey()])
  await expect
    .poll(() => server.ready(), { timeout: 20_000 })
    .toMatchObject({ status: 503, reason: expect.stringMatching(/lock/) as string })
  expect((await server.get('/healthz')).status).toBe(200)
  // A key that is not in the cache is read from the file.
  const unknownKey = 'another-key-that-nobody-has-ever-seen-0001'
  expect((await server.get('/v1/models', unknownKey)).status).toBe(401)
  expect(await answers).toEqual([503, 503])
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, LOCKED_MS - (performance.now() - locked))))
  await unlock()
  await server.serves()
  await stopTraffic()
  await expectOrderly(server, folder.path)
  expect(await server.stop()).toBe(0)
})

test.skipIf(!isRoot)('a disk that is full and then has room again (a small tmpfs, which only root can mount)', async () => {
  using folder = temporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder.path])
  try {
    await using server = await startChaosServer({ databaseUrl: null, folder: folder.path, hasBudgets: true })
    await server.serves()
    const stopTraffic = server.startTraffic(5)
    const ballast = join(folder.path, 'ballast')
    const { bavail, bsize } = statfsSync(folder.path)
    // All that is left, however much the callers write meanwhile.
    for (let bytes = bavail * bsize; bytes >= 512; bytes = Math.floor(bytes / 2)) {
      try {
        writeFileSync(ballast, Buffer.alloc(bytes), { flag: 'a' })
      } catch {
        // Half of it may fit.
      }
    }
    await expect
      .poll(() => server.ready(), { timeout: 30_000 })
      .toMatchObject({ status: 503, reason: expect.stringMatching(/full/) as string })
    expect((await server.get('/healthz')).status).toBe(200)
    expect(await server.chat()).toBe(503)
    rmSync(ballast)
    await server.serves()
    await stopTraffic()
    await expectOrderly(server, folder.path)
    expect(await server.stop()).toBe(0)
  } finally {
    execFileSync('umount', ['-l', folder.path])
  }
})
