/** kill -9 of the server while GPU sessions boot and run: after a restart every machine is adopted or gone, and every hold is right. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { systemClock } from '#platform/clock.js'
import { openLedger } from '../../subgraphs/accounts/index.js'
import { startSluice, type ServerProcess } from '../kit/process.js'
import { nano } from '../contract/chats/chat-app.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-gpu-crash-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const KEY = 'a-preset-key-of-the-administrator-0004'
const options = { cwd: folder, env: { SLUICE_ADMIN_KEY: KEY, SLUICE_STARTING_CREDITS: '100' } }

type Json = Record<string, unknown>

async function call(server: ServerProcess, method: string, path: string, body?: unknown) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Json }
}

const rentals = async (server: ServerProcess) => (await call(server, 'GET', '/v1/gpu/rentals')).body['data'] as Json[]

/** Model servers that belong to this test's own endpoints. */
async function isServing(endpoint: unknown): Promise<boolean> {
  return fetch(`${String(endpoint)}/models`).then(
    () => true,
    () => false,
  )
}

/** Command lines of sandbox instances that were started from this folder. */
function machines(): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes(folder))
}

it('a killed server finds its machines again, bills each once, and leaves none behind', async () => {
  writeFileSync(
    join(folder, 'sluice.config.yaml'),
    JSON.stringify({
      sandbox: false,
      catalog: { include_shipped: false },
      log: { level: 'silent' },
      models: ['a', 'b', 'c', 'cold'].map((id) => ({
        id,
        owned_by: 't',
        context_window: 8192,
        max_output_tokens: 100,
        deploy: { gpu_model: 'L4', vram_gb: 24, input_price_per_million: '0.1', output_price_per_million: '0.2' },
      })),
      compute: { drivers: [{ type: 'sandbox', boot_seconds: 1.5, tokens_per_second: 5000 }] },
    }),
  )
  const rent = (server: ServerProcess, model_id: string) => call(server, 'POST', '/v1/gpu/rent', { gpu_model: 'L4', model_id })

  // One runs, one boots, one has only just been asked for, and a cold model is on its way: then the server is gone.
  let server = await startSluice(['serve'], options)
  const first = await rent(server, 'a')
  expect(first.body).toMatchObject({ status: 'provisioning' })
  await expect.poll(async () => (await rentals(server))[0]?.['status'], { timeout: 15_000 }).toBe('running')
  await rent(server, 'b')
  const chat = { model: 'cold', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 4 }
  expect((await call(server, 'POST', '/v1/chat/completions', chat)).status).toBe(202)
  const last = await rent(server, 'c')
  expect(last.status).toBe(201)
  await server.end('SIGKILL')

  // Killed again while it is finding things.
  server = await startSluice(['serve'], options)
  await server.end('SIGKILL')

  server = await startSluice(['serve'], options)
  await expect
    .poll(async () => (await rentals(server)).map((rental) => rental['status']), { timeout: 30_000 })
    .toEqual(['running', 'running', 'running'])
  await expect.poll(async () => (await call(server, 'POST', '/v1/chat/completions', chat)).status, { timeout: 30_000 }).toBe(200)
  const running = await rentals(server)
  // The one that ran before the crash is the same machine, not a second one.
  expect(running.map((rental) => rental['rental_id'])).toContain(first.body['rental_id'])
  expect(new Set(running.map((rental) => rental['endpoint'])).size).toBe(3)
  for (const { endpoint } of running) expect(await isServing(endpoint)).toBe(true)

  let billed = 0
  for (const { rental_id: id } of running) {
    const ended = await call(server, 'DELETE', `/v1/gpu/rentals/${String(id)}`)
    expect(ended.body).toMatchObject({ status: 'terminated' })
    billed += nano(ended.body['cost'] as string)
  }
  for (const { endpoint } of running) await expect.poll(() => isServing(endpoint), { timeout: 10_000 }).toBe(false)
  expect(await server.end()).toBe(0)
  await expect.poll(machines, { timeout: 10_000 }).toEqual([])

  const ledger = await openLedger({ url: `sqlite:${join(folder, 'data', 'sluice.db')}`, clock: systemClock })
  const report = await ledger.checkInvariants()
  expect(report.violations).toEqual([])
  // Only the cold model's session is still open: its hold waits for the next start.
  expect(report.openHolds).toBe(1)
  expect(billed).toBeGreaterThan(0)
  await ledger.close()
}, 120_000)
