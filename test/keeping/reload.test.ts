/** A configuration that is read again while the server runs is in force as a whole, or the one before is. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { FakeProvider } from '../kit/fake-provider.js'
import { answersBoth } from '../kit/fake-provider-scenes.js'
import { runSluice, startSluice } from '../kit/process.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-reload-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ADMIN = 'a-preset-key-of-the-administrator-0001'
const secretFile = join(folder, 'provider-key')

/** Each answer has 11 tokens in and 3 out. */
function configure(baseUrl: string, outputPrice: string, changes: object = {}): void {
  const deployment = { provider: 'p1', model_id: 'fast', input_price_per_million: '0.001', output_price_per_million: outputPrice }
  const model = { id: 'fast', owned_by: 't', context_window: 8192, max_output_tokens: 100, deployments: [deployment] }
  const config = {
    sandbox: false,
    catalog: { include_shipped: false },
    providers: [{ id: 'p1', base_url: baseUrl, api_key: `\${file:${secretFile}}` }],
    models: [model],
    ...changes,
  }
  writeFileSync(join(folder, 'sluice.config.yaml'), JSON.stringify(config))
}

it('takes new keys and prices over without a restart, refuses what is wrong, and names what needs one', async () => {
  const provider = await FakeProvider.start(answersBoth({ pieces: ['a', 'b', 'c'] }))
  writeFileSync(secretFile, 'first-key\n')
  configure(provider.baseUrl, '0.002')
  await using server = await startSluice(['serve'], { cwd: folder, env: { SLUICE_ADMIN_KEY: ADMIN } })
  const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'fast', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 60 })
  /** The key that the provider saw, and what the request cost in nano-USD. */
  const ask = async () => {
    const before = await balance()
    const response = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', headers, body })
    expect(response.status).toBe(200)
    return [provider.calls.at(-1)!.headers.authorization, before - (await balance())]
  }
  const balance = async () => {
    const credits = (await (await fetch(`${server.url}/v1/credits`, { headers })).json()) as { balance: string }
    return Math.round(Number(credits.balance) * 1e9)
  }
  const reload = () => runSluice(['reload'], { cwd: folder, env: { SLUICE_URL: server.url, SLUICE_API_KEY: ADMIN } })
  const [firstKey, firstCost] = await ask()
  expect([firstKey, firstCost]).toEqual(['Bearer first-key', 11 + 2 * 3])

  writeFileSync(secretFile, 'second-key\n')
  configure(provider.baseUrl, '0.005')
  process.kill(server.pid, 'SIGHUP')
  await expect.poll(() => server.logged().join('\n')).toContain('the configuration was read again')
  expect(await ask()).toEqual(['Bearer second-key', 11 + 5 * 3])

  configure(provider.baseUrl, '0.007', {
    models: [{ id: 'fast', owned_by: 't', deployments: [{ provider: 'nobody', model_id: 'x' }] }],
  })
  const refused = await reload()
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('nobody') as string })
  configure(provider.baseUrl, '0.007', { server: { prot: 1 } })
  expect((await reload()).stderr).toContain('server.prot')
  expect(await ask()).toEqual(['Bearer second-key', 11 + 5 * 3])

  configure(provider.baseUrl, '0.009', { limits: { messages: 7 } })
  expect(await reload()).toEqual({ code: 0, stdout: 'Applied: models.\nAfter a restart: limits.messages.\n', stderr: '' })
  expect(await ask()).toEqual(['Bearer second-key', 11 + 9 * 3])
  expect(server.logged().join('\n')).not.toMatch(/(first|second)-key/)
  await provider.stop()
})
