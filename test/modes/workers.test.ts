/** `sluice serve --workers`: several processes on one port are one server to whoever asks, scrapes, kills one or stops them. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PRICE } from '../contract/chats/chat-app.js'
import { testLocation, type TestLocation } from '../kit/database.js'
import { FakeProvider } from '../kit/fake-provider.js'
import { answersBoth } from '../kit/fake-provider-scenes.js'
import { freePort } from '../kit/free-port.js'
import { runSluice, startSluice, type ServerProcess } from '../kit/process.js'

const KEY = 'a-preset-key-of-the-administrator-0045'
const folder = mkdtempSync(join(tmpdir(), 'sluice-workers-'))
let database: TestLocation
let provider: FakeProvider
let server: ServerProcess

beforeAll(async () => {
  database = await testLocation('postgres')
  provider = await FakeProvider.start(answersBoth({ pieces: ['one ', 'two ', 'three'], betweenMs: 100 }))
  writeFileSync(
    join(folder, 'sluice.config.yaml'),
    JSON.stringify({
      sandbox: false,
      catalog: { include_shipped: false },
      providers: [{ id: 'p1', base_url: provider.baseUrl, api_key: 'x' }],
      models: [
        { id: 'm', context_window: 8192, max_output_tokens: 100, deployments: [{ provider: 'p1', model_id: 'm', ...PRICE }] },
      ],
    }),
  )
  // Any free port would be another one for a worker that comes when none is left.
  const env = { SLUICE_ADMIN_KEY: KEY, SLUICE_DATABASE_URL: database.url, SLUICE_PORT: String(await freePort()) }
  const options = { cwd: folder, env }
  expect((await runSluice(['migrate'], options)).code).toBe(0)
  server = await startSluice(['serve', '--workers', '2'], options)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await provider.stop()
  await database[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** Over a connection of its own, which any of the workers may take. */
function ask(path: string, body?: object): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const options = { method: body ? 'POST' : 'GET', headers, agent: new Agent({ keepAlive: false }) }
    const asked = request(`${server.url}${path}`, options, (answer) => {
      text(answer).then((whole) => resolve({ status: answer.statusCode!, text: whole }), reject)
    })
    asked.on('error', reject)
    asked.end(body && JSON.stringify(body))
  })
}

const chat = (stream: boolean) =>
  ask('/v1/chat/completions', { model: 'm', stream, messages: [{ role: 'user', content: 'Hello' }] })

const workers = (): number[] => {
  try {
    return execFileSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number)
  } catch {
    return []
  }
}

async function metric(name: string): Promise<number> {
  const line = (await ask('/metrics')).text.split('\n').find((one) => one.startsWith(name))
  return Number(line?.split(' ').at(-1))
}

describe('servers that share a port', () => {
  it('tell one address, and of what both did, whichever is asked', async () => {
    expect(server.printed().match(/ at http:/g)).toHaveLength(1)
    await expect.poll(async () => workers().length).toBe(2)
    await expect.poll(() => metric('sluice_nodejs_version_info')).toBeGreaterThan(0)
    const answers = await Promise.all(Array.from({ length: 10 }, () => chat(false)))
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(200))
    const counted = 'sluice_chat_requests_total{model="m",provider="p1",outcome="completed"}'
    expect([await metric(counted), await metric(counted)]).toEqual([10, 10])
  })

  it('go on without one that is killed, and another takes its place', async () => {
    const [killed] = workers()
    process.kill(killed!, 'SIGKILL')
    await expect.poll(async () => (await chat(true)).status).toBe(200)
    await expect.poll(() => server.logged().filter((line) => line.includes('another takes its place'))).toHaveLength(1)
    await expect.poll(() => workers().filter((pid) => pid !== killed).length).toBe(2)
  })

  it('end what they have begun, and then with 0', async () => {
    const streams = [chat(true), chat(true), chat(true)]
    await expect.poll(() => provider.openCalls).toBe(3)
    expect(await server.end()).toBe(0)
    for (const { text: whole } of await Promise.all(streams))
      expect(whole).toMatch(/"finish_reason":"stop"[^]*data: \[DONE\]\n\n$/)
  })
})

it('a SQLite file is refused to several', async () => {
  const { code, stderr } = await runSluice(['serve', '--workers', '2'], { cwd: folder })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--workers needs PostgreSQL') as string })
})
