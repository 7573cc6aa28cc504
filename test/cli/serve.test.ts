/** `sluice serve` as it comes: nothing configured, one signal to stop. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runSluice, startSluice } from '../kit/process.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-serve-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('sluice serve', () => {
  it('prints a first key once, keeps the account over restarts, and ends with 0 on SIGTERM', async () => {
    const first = await startSluice(['serve'], { cwd: folder })
    const key = /slk_\w+/.exec(first.printed())![0]
    const stream = await fetch(`${first.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'light',
        stream: true,
        max_tokens: 40,
        messages: [{ role: 'user', content: 'Tell me a story.' }],
      }),
    })
    // A stream that is open when the signal comes ends properly: it is whole, or an error frame says that it is not.
    const text = stream.text()
    expect(await first.end()).toBe(0)
    expect(await text).toMatch(/"(?:finish_reason":"|error":\{)[^\n]*\n\n(?:[^\n]*\n\n)?data: \[DONE\]\n\n$/)
    const second = await startSluice(['serve'], { cwd: folder })
    expect(second.printed()).not.toContain('slk_')
    // The key was shown once: who lost it is told how to get in.
    expect(second.printed()).toContain('Start once with SLUICE_ADMIN_KEY')
    const credits = await fetch(`${second.url}/v1/credits`, { headers: { authorization: `Bearer ${key}` } })
    expect(await credits.json()).toMatchObject({ held: '0.00' })
    expect(await second.end()).toBe(0)
  })

  it('on a port that is taken says so and ends with 2', async () => {
    const server = await startSluice(['serve'], { cwd: folder })
    const elsewhere = join(folder, 'elsewhere')
    mkdirSync(elsewhere)
    const { code, stderr } = await runSluice(['serve'], { cwd: elsewhere, env: { SLUICE_PORT: new URL(server.url).port } })
    expect(code).toBe(2)
    expect(stderr).toContain('SLUICE_PORT')
    await server.end()
  })
})
