/** A provider that refuses our key: the operator reads it in the log of the server, the caller does not. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startFakeProvider } from '../../kit/fake-provider.js'
import { answers } from '../../kit/fake-provider-scenes.js'
import { startSluice } from '../../kit/process.js'
import { PRICE } from '../chats/chat-app.js'

const KEY = 'a-preset-key-of-the-administrator-0045'
const PROVIDER_KEY = 'a-wrong-key-0123456789'

it('is told at warn with its status and its words, without the key, and once for many requests', async () => {
  const error = { message: `Incorrect API key provided: ${PROVIDER_KEY}`, code: 'invalid_api_key' }
  await using provider = await startFakeProvider(answers({ error }, 401))
  const folder = mkdtempSync(join(tmpdir(), 'sluice-refused-'))
  writeFileSync(
    join(folder, 'sluice.config.yaml'),
    JSON.stringify({
      sandbox: false,
      catalog: { include_shipped: false },
      providers: [{ id: 'p1', base_url: provider.baseUrl, api_key: PROVIDER_KEY }],
      models: [{ id: 'm', owned_by: 't', context_window: 8192, deployments: [{ provider: 'p1', model_id: 'm', ...PRICE }] }],
    }),
  )
  await using server = await startSluice(['serve'], { cwd: folder, env: { SLUICE_ADMIN_KEY: KEY } })
  for (let i = 0; i < 3; i++) {
    const answer = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 5 }),
    })
    expect([answer.status, await answer.text()]).toEqual([502, expect.not.stringContaining('API key')])
  }
  expect(await server.end()).toBe(0)
  const told = server.logged().filter((line) => line.includes('"level":40'))
  expect(told.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ providerId: 'p1', status: 401, said: 'Incorrect API key provided: [key]' }),
  ])
  expect(server.logged().join('\n')).not.toContain(PROVIDER_KEY)
  rmSync(folder, { recursive: true, force: true })
})
