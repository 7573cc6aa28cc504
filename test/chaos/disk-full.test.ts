/** A disk that is full: nothing is answered that cannot be charged, nothing is lost, and it goes on when there is room again. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { systemClock } from '#platform/clock.js'
import { openLedger } from '../../subgraphs/accounts/index.js'
import { FakeProvider } from '../kit/fake-provider.js'
import { answersBoth, streams } from '../kit/fake-provider-scenes.js'
import { startSluice } from '../kit/process.js'
import { nano, PRICE } from '../contract/chats/chat-app.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-full-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const KEY = 'a-preset-key-of-the-administrator-0001'
const COST = 11 + 2 * 3

/** From now on the process can write to no file, as on a full disk; its pipes and sockets go on. */
const fillDisk = (pid: number) => execFileSync('prlimit', ['--pid', String(pid), '--fsize=1:'])
const makeRoom = (pid: number) => execFileSync('prlimit', ['--pid', String(pid), '--fsize=unlimited:'])

it.skipIf(process.platform !== 'linux')(
  'a full disk fails closed and recovers by itself (needs prlimit of Linux)',
  async () => {
    const provider = await FakeProvider.start(answersBoth({ pieces: ['a', 'b', 'c'] }))
    provider.scenes.set('slow', streams({ pieces: Array.from({ length: 15 }, () => 'word '), betweenMs: 100 }))
    const model = (id: string) => ({
      id,
      owned_by: 't',
      context_window: 8192,
      max_output_tokens: 100,
      deployments: [{ provider: 'p1', model_id: id, ...PRICE }],
    })
    const config = {
      sandbox: false,
      catalog: { include_shipped: false },
      log: { level: 'silent' },
      providers: [{ id: 'p1', base_url: provider.baseUrl, api_key: 'x' }],
      models: [model('fast'), model('slow')],
    }
    writeFileSync(join(folder, 'sluice.config.yaml'), JSON.stringify(config))
    await using server = await startSluice(['serve'], { cwd: folder, env: { SLUICE_ADMIN_KEY: KEY } })
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const ask = (name: string, stream = false) =>
      fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ model: name, stream, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 60 }),
      })
    const credits = async () =>
      (await (await fetch(`${server.url}/v1/credits`, { headers })).json()) as { balance: string; held: string }

    const start = nano((await credits()).balance)
    expect((await ask('fast')).status).toBe(200)
    const streaming = await ask('slow', true)
    fillDisk(server.pid)

    const refused = await Promise.all(Array.from({ length: 5 }, () => ask('fast')))
    for (const response of refused) {
      expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([503, true])
      expect(await response.json()).toMatchObject({
        error: { type: 'server_error', code: 'service_unavailable', message: expect.not.stringMatching(/disk|SQL/i) as string },
      })
    }
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    // The stream's own end cannot be written down either: its reader is told, and its charge waits for room.
    expect(await streaming.text()).toMatch(/"code":"service_unavailable"[^]*\n\ndata: \[DONE\]\n\n$/)

    makeRoom(server.pid)
    expect((await ask('fast')).status).toBe(200)
    await expect.poll(async () => nano((await credits()).held), { timeout: 15_000 }).toBe(0)
    expect(start - nano((await credits()).balance)).toBeGreaterThan(2 * COST)
    await server.end()
    await provider.stop()

    const ledger = await openLedger({ url: `sqlite:${join(folder, 'data', 'sluice.db')}`, clock: systemClock })
    await ledger.sweep({ staleAfterMs: 0 })
    expect(await ledger.checkInvariants()).toMatchObject({ violations: [], openHolds: 0 })
    await ledger.close()
  },
  60_000,
)
