/** The analyzers are killed while an answer is written: it arrives, says that its code was not looked at, and the next one is scanned. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answersBoth } from '../../kit/fake-provider-scenes.js'
import { FakeProvider } from '../../kit/fake-provider.js'
import { startSluice, type ServerProcess } from '../../kit/process.js'
import { PRICE } from '../chats/chat-app.js'

const KEY = 'a-preset-key-of-the-administrator-0042'
const text = 'Here:\n```python\nimport os\nos.system(input())\n```\nDone.\n'
const folder = mkdtempSync(join(tmpdir(), 'sluice-analyzers-'))
let provider: FakeProvider
let server: ServerProcess

beforeAll(async () => {
  provider = await FakeProvider.start(answersBoth({ pieces: text.split('') }))
  const config = {
    catalog: { include_shipped: false },
    log: { level: 'silent' },
    limits: { answer_scan_seconds: 30 },
    scanner: { analyzers: 1 },
    providers: [{ id: 'p1', base_url: provider.baseUrl, api_key: 'x' }],
    models: [
      { id: 'm', context_window: 8192, max_output_tokens: 1000, deployments: [{ provider: 'p1', model_id: 'm', ...PRICE }] },
    ],
  }
  writeFileSync(join(folder, 'sluice.config.yaml'), JSON.stringify(config))
  server = await startSluice(['serve'], { cwd: folder, env: { SLUICE_ADMIN_KEY: KEY } })
}, 60_000)

afterAll(async () => {
  await server.end()
  await provider.stop()
  rmSync(folder, { recursive: true, force: true })
})

function killAnalyzers(): number {
  const lines = execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' }).split('\n')
  const analyzers = lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => parent === String(server.pid) && args.join(' ').includes('analyzer'))
  for (const [pid] of analyzers) process.kill(Number(pid), 'SIGKILL')
  return analyzers.length
}

async function streamed() {
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: KEY, maxRetries: 0 })
  const asked = { model: 'm', messages: [{ role: 'user' as const, content: 'Write code.' }], stream: true as const }
  let said = ''
  let scan: { status: string; message?: string; findings: object[] } | undefined
  for await (const chunk of await client.chat.completions.create(asked, { headers: { 'sluice-scan': 'all' } })) {
    said += chunk.choices[0]?.delta.content ?? ''
    scan = (chunk as { sluice?: { scan: typeof scan } }).sluice?.scan ?? scan
  }
  return { said, scan }
}

it('arrives, and says that its code could not be looked at; the next one is looked at again', async () => {
  let killed = 0
  const killing = setInterval(() => (killed += killAnalyzers()), 20)
  const { said, scan } = await streamed().finally(() => clearInterval(killing))
  expect(killed).toBeGreaterThan(0)
  expect(said).toBe(text)
  // The file is asked once more for the rules on its text alone, which may end before it is killed too.
  expect(scan).toMatchObject({ status: 'failed', message: expect.stringMatching(/failed|missing/), findings: [] })
  const again = await streamed()
  expect(again.scan).toMatchObject({ status: 'complete' })
  expect(again.scan!.findings).not.toEqual([])
})
