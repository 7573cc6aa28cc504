/** A wall clock that is set ahead while requests hold credits. */
import { describe, expect, it } from 'vitest'
import { createBatchedLedger } from '../../../subgraphs/accounts/ledger/batched-ledger.js'
import { ledgerEntities } from '../../../subgraphs/accounts/ledger/ledger-tables.js'
import { testDatabase } from '../../kit/database.js'
import { ManualClock } from '../../kit/manual-clock.js'
import { dialects, openTransport } from './kit/ledger-kit.js'

const TEN_YEARS_MS = 10 * 365 * 86_400_000

describe.each(dialects)('on %s', (dialect) => {
  it('a step of ten years closes no hold that is in use, and what is delivered after it is charged', async () => {
    await using database = await testDatabase(dialect, ledgerEntities)
    const clock = new ManualClock()
    const ledger = await createBatchedLedger({ transport: openTransport(database.url), clock })
    try {
      await ledger.openAccount('acc', { monthlyCap: null })
      await ledger.topUp({ accountId: 'acc', amount: 1_000n, idempotencyKey: 'k', kind: 'top_up' })
      await ledger.reserve({ holdId: 'h', accountId: 'acc', amount: 100n, purpose: 'chat', expiresAt: clock.now() + 180_000 })
      await ledger.meter({ holdId: 'h', amount: 5n })
      clock.setWallClock(TEN_YEARS_MS)
      expect((await ledger.sweep()).closed).toEqual([])
      expect(await ledger.settle({ holdId: 'h', amount: 50n })).toMatchObject({ outcome: 'settled', charged: 50n })
      // A hold that nobody settles is still closed, once it has really outlived its time.
      await ledger.reserve({ holdId: 'late', accountId: 'acc', amount: 100n, purpose: 'chat', expiresAt: clock.now() + 180_000 })
      clock.setWallClock(TEN_YEARS_MS)
      expect((await ledger.sweep()).closed).toEqual([])
      await clock.advance(600_001)
      expect((await ledger.sweep()).closed).toEqual([{ holdId: 'late', accountId: 'acc', charged: 0n }])
    } finally {
      await ledger.close()
    }
  })
})
