import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDatabase } from '#platform/database/database.js'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { migrate } from '#platform/database/migrations.js'
import { newId } from '#platform/ids.js'
import { entities } from '../../../src/app/entities.js'
import { packRoute, readRoute } from '../../../src/app/ports/route-text.js'
import { createBatchedLedger } from '../../../subgraphs/accounts/ledger/batched-ledger.js'
import type { RouteExplanation } from '../../../subgraphs/inference/index.js'
import { testLocation } from '../../kit/database.js'
import { MINUTE_MS, openTransport, SteppingClock, usage } from './kit/ledger-kit.js'

const MODEL = 'llama-3.3-70b-instruct'
const RECORD = { modelId: MODEL, deploymentId: `${MODEL}@hp-1`, priceVersionId: newId('prv') }

/** A model at one provider, which answered. */
const route: RouteExplanation = {
  requested: MODEL,
  candidates: [
    {
      deploymentId: RECORD.deploymentId,
      modelId: MODEL,
      providerId: 'hp-1',
      kept: true,
      reason: 'cheapest',
      effectivePrice: '0.000212',
      priceVersionId: RECORD.priceVersionId,
      health: 'healthy',
    },
  ],
  attempts: [{ deploymentId: RECORD.deploymentId, providerId: 'hp-1', outcome: 'answered', status: 200, durationMs: 812 }],
  servedBy: RECORD.deploymentId,
}

/** With half of them the pages that are half full make the result vary by one part in a hundred. */
const CHARGES = 12_000

test(`a charge takes at most 600 bytes of a SQLite file, indexes and the explanation of its route included`, async () => {
  await using location = await testLocation('sqlite')
  const { url } = location
  const database = await openDatabase({ url, entities })
  await migrate(database)
  const clock = new SteppingClock()
  const ledger = await createBatchedLedger({ transport: openTransport(url), clock })
  const accounts = Array.from({ length: 20 }, () => ({ accountId: newId('acc'), keyId: newId('key') }))
  for (const { accountId } of accounts) {
    await ledger.openAccount(accountId, { monthlyCap: null })
    await ledger.topUp({ accountId, amount: 10n ** 12n, idempotencyKey: 'k', kind: 'top_up' })
  }
  const before = fileBytes(url)
  let count = 0
  const client = async () => {
    while (count < CHARGES) {
      const { accountId, keyId } = accounts[count++ % accounts.length]!
      const holdId = newId('req')
      const expiresAt = clock.now() + MINUTE_MS
      await ledger.reserve({ holdId, accountId, amount: 500_000n, purpose: 'chat', expiresAt, keyId, modelId: MODEL })
      const text = packRoute(route, RECORD)
      await ledger.settle({ holdId, amount: 150_000n, usage: usage({ ...RECORD, keyId, route: text, createdAt: clock.now() }) })
    }
  }
  await Promise.all(Array.from({ length: 64 }, client))
  expect((await ledger.checkInvariants()).violations).toEqual([])
  await ledger.close()
  await database.close()
  const bytes = (fileBytes(url) - before) / CHARGES
  expect(bytes).toBeLessThan(600)
  expect(bytes).toBeGreaterThan(100)
})

function fileBytes(url: string): number {
  const location = parseDatabaseUrl(url)
  if (location.dialect !== 'sqlite') throw new Error('not SQLite')
  const db = new DatabaseSync(location.file)
  db.exec('pragma wal_checkpoint(truncate)')
  db.close()
  return statSync(location.file).size
}

const text = fc.oneof(fc.constantFrom(MODEL, RECORD.deploymentId, 'hp-1', 'healthy', 'cheapest', ''), fc.string())
const anyRoute = fc.record({
  requested: text,
  candidates: fc.array(
    fc.record({
      deploymentId: text,
      modelId: text,
      providerId: text,
      kept: fc.boolean(),
      reason: fc.constantFrom('cheapest' as const, 'over_limit' as const),
      effectivePrice: fc.option(text),
      priceVersionId: fc.option(text),
      health: fc.constantFrom('healthy' as const, 'down' as const),
    }),
  ),
  attempts: fc.array(
    fc.record({ deploymentId: text, providerId: text, outcome: text, status: fc.option(fc.nat(599)), durationMs: fc.nat() }),
  ),
  servedBy: fc.option(text),
})

test('the explanation of a route is read as it was stored, whatever is in it', () => {
  const record = fc.record({ modelId: text, deploymentId: fc.option(text), priceVersionId: fc.option(text) })
  fc.assert(
    fc.property(anyRoute, record, (stored, texts) => {
      expect(readRoute(packRoute(stored, texts), texts)).toEqual(stored)
      // The form before this one.
      expect(readRoute(JSON.stringify(stored), texts)).toEqual(stored)
    }),
  )
})
