/** A charge that the database takes only after its request has ended is told of like every other. */
import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestApp } from '../kit/app.js'
import { usage } from './ledger/kit/ledger-kit.js'

test('usageRecorded tells of a request whose charge became durable after its end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-late-'))
  {
    await using app = await startTestApp({ folder, config: { ledger: { retry_seconds: 0.001 } } })
    const { id: accountId, key, keyId } = await app.account({ credits: '1' })
    const { ledger } = app.server.app
    await ledger.reserve({ holdId: 'late', accountId, amount: 10n, purpose: 'chat', expiresAt: Date.now() + 60_000 })
    const events = await app.fetch('/graphql', {
      method: 'POST',
      key,
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { usageRecorded { id cost keyId } }' }),
    })

    // As another program at the file would keep every charge out.
    const other = new DatabaseSync(join(folder, 'sluice.db'))
    other.exec('begin immediate')
    const settled = ledger.settle({ holdId: 'late', amount: 5n, usage: usage({ keyId }) })
    await expect(settled).rejects.toMatchObject({ code: 'service_unavailable' })
    other.close()

    let told = ''
    for await (const bytes of events.body!.pipeThrough(new TextDecoderStream())) {
      told += bytes
      if (told.includes('usageRecorded')) break
    }
    expect(told).toContain(`{"data":{"usageRecorded":{"id":"late","cost":"0.000000005","keyId":"${keyId}"}}}`)
  }
  rmSync(folder, { recursive: true, force: true })
})
