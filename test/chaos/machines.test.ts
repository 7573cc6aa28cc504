/**
 * Two servers on one PostgreSQL, each on a machine of its own as far as instances go (a folder each): what one has started is its
 * own to look after, and the other takes a session over only when that server is gone for good.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PRICE } from '../contract/chats/chat-app.js'
import { testLocation, type TestLocation } from '../kit/database.js'
import { runSluice, startSluice, type ServerProcess } from '../kit/process.js'

const KEY = 'a-preset-key-of-the-administrator-0006'
const folders = ['one', 'two'].map((name) => mkdtempSync(join(tmpdir(), `sluice-machine-${name}-`)))
const servers: ServerProcess[] = []
let database: TestLocation

beforeAll(async () => {
  database = await testLocation('postgres')
  const config = {
    sandbox: false,
    catalog: { include_shipped: false },
    log: { level: 'silent' },
    models: ['a', 'b', 'c', 'd'].map((id) => ({
      id,
      owned_by: 't',
      context_window: 8192,
      max_output_tokens: 100,
      deploy: { gpu_model: 'L4', vram_gb: 24, ...PRICE },
    })),
    compute: { machine_lease_seconds: 3, drivers: [{ type: 'sandbox', boot_seconds: 2, tokens_per_second: 5000 }] },
  }
  const optionsOf = (cwd: string) => ({
    cwd,
    env: { SLUICE_ADMIN_KEY: KEY, SLUICE_DATABASE_URL: database.url, SLUICE_STARTING_CREDITS: '100' },
  })
  for (const folder of folders) writeFileSync(join(folder, 'sluice.config.yaml'), JSON.stringify(config))
  expect((await runSluice(['migrate'], optionsOf(folders[0]!))).code).toBe(0)
  for (const folder of folders) servers.push(await startSluice(['serve'], optionsOf(folder)))
}, 60_000)

afterAll(async () => {
  for (const server of servers) await server.end('SIGKILL')
  for (const line of machines()) process.kill(-Number(line.trim().split(' ')[0]), 'SIGKILL')
  await database[Symbol.asyncDispose]()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

type Json = Record<string, unknown>

async function call(at: ServerProcess, method: string, path: string, body?: unknown): Promise<Json> {
  const response = await fetch(`${at.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as Json
}

/** The processes around instances that were started from these folders: id and command line. */
function machines(): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes('recordFile') && folders.some((folder) => line.includes(folder)))
}

const startedBy = (folder: string): number => machines().filter((line) => line.includes(folder)).length

it('leave each other’s machines alone, and end the sessions of a server that is gone for good', async () => {
  const [one, two] = servers as [ServerProcess, ServerProcess]
  const rentals = async (at: ServerProcess) => (await call(at, 'GET', '/v1/gpu/rentals'))['data'] as Json[]
  const models = ['a', 'b', 'c', 'd']
  for (const [index, model_id] of models.entries())
    await call(index % 2 === 0 ? one : two, 'POST', '/v1/gpu/rent', { gpu_model: 'L4', model_id })
  // While they boot every server looks at what is due several times a second.
  await expect
    .poll(async () => (await rentals(two)).map(({ status }) => status), { timeout: 30_000 })
    .toEqual(['running', 'running', 'running', 'running'])
  expect(machines()).toHaveLength(4)

  // Whoever has machines dies; the other one ends what was on them, and keeps its own.
  const [dead, living, folder] = startedBy(folders[0]!) > 0 ? [one, two, folders[0]!] : [two, one, folders[1]!]
  const lost = startedBy(folder)
  const diedAt = Date.now()
  await dead.end('SIGKILL')
  await expect
    .poll(async () => (await rentals(living)).filter((rental) => rental['termination_reason'] === 'interrupted').length, {
      timeout: 40_000,
    })
    .toBe(lost)
  const after = await rentals(living)
  expect(after.filter(({ status }) => status === 'running')).toHaveLength(4 - lost)
  for (const rental of after.filter(({ status }) => status === 'terminated')) {
    // The last sign of life is before the death: nobody pays for the time until it was noticed.
    const seconds = Math.max(0, diedAt - Date.parse(String(rental['started_at']))) / 1000
    expect(Number(rental['cost'])).toBeLessThanOrEqual((Number(rental['price_per_hour']) * (seconds + 1)) / 3600)
  }
}, 120_000)
