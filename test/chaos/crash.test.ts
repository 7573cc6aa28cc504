/** kill -9 of the real server under load: what was acknowledged is charged once, and nothing stays held. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openLedger } from '../../subgraphs/accounts/index.js'
import { systemClock } from '#platform/clock.js'
import { FakeProvider } from '../kit/fake-provider.js'
import { answersBoth, streams } from '../kit/fake-provider-scenes.js'
import { startSluice } from '../kit/process.js'
import { nano, PRICE } from '../contract/chats/chat-app.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-crash-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const KEY = 'a-preset-key-of-the-administrator-0001'
const COST = 11 + 2 * 3

it('a server that is killed under load has charged every acknowledged request once, and sweeps what it left open', async () => {
  const provider = await FakeProvider.start(answersBoth({ pieces: ['a', 'b', 'c'] }))
  provider.scenes.set('slow', streams({ pieces: Array.from({ length: 50 }, () => 'word '), betweenMs: 200 }))
  const model = (id: string) => ({
    id,
    owned_by: 't',
    context_window: 8192,
    max_output_tokens: 100,
    deployments: [{ provider: 'p1', model_id: id, ...PRICE }],
  })
  writeFileSync(
    join(folder, 'sluice.config.yaml'),
    JSON.stringify({
      sandbox: false,
      catalog: { include_shipped: false },
      log: { level: 'silent' },
      providers: [{ id: 'p1', base_url: provider.baseUrl, api_key: 'x' }],
      models: [model('fast'), model('slow')],
    }),
  )
  const options = { cwd: folder, env: { SLUICE_ADMIN_KEY: KEY } }
  const server = await startSluice(['serve'], options)
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const ask = (url: string, model: string, stream: boolean) =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 60 }),
    })

  let acknowledged = 0
  let isKilled = false
  const load = Array.from({ length: 16 }, async () => {
    while (!isKilled) {
      const completed = await ask(server.url, 'fast', false)
        .then(async (response) => response.status === 200 && (await response.json()) !== null)
        .catch(() => false)
      if (completed) acknowledged++
    }
  })
  const hanging = await Promise.all(Array.from({ length: 8 }, () => ask(server.url, 'slow', true)))
  await expect.poll(() => acknowledged, { timeout: 15_000 }).toBeGreaterThan(300)
  await server.end('SIGKILL')
  isKilled = true
  await Promise.all(load)
  for (const response of hanging) void response.body?.cancel().catch(() => undefined)

  const again = await startSluice(['serve'], options)
  const usage = await fetch(`${again.url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query: '{ viewer { id balance usageBy(group: MODEL) { group requests cost } } }' }),
  })
  const { data } = (await usage.json()) as {
    data: { viewer: { id: string; balance: string; usageBy: { group: string; requests: number; cost: string }[] } }
  }
  const fast = data.viewer.usageBy.find(({ group }) => group === 'fast')!
  // What was in flight at the kill may be charged too (the answer was on its way), but no acknowledged request is missing.
  expect(fast.requests).toBeGreaterThanOrEqual(acknowledged)
  expect(fast.requests).toBeLessThanOrEqual(acknowledged + 16)
  expect(nano(fast.cost)).toBe(fast.requests * COST)
  await again.end()

  // The next process's sweep, asked for at once instead of after the dead process's heartbeat has grown old.
  const ledger = await openLedger({ url: `sqlite:${join(folder, 'data', 'sluice.db')}`, clock: systemClock })
  await ledger.sweep({ staleAfterMs: 0 })
  const snapshot = await ledger.read(data.viewer.id)
  expect(snapshot.held).toBe(0n)
  expect((await ledger.checkInvariants()).violations).toEqual([])
  await ledger.close()
  await provider.stop()
}, 60_000)
