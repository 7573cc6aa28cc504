/** What the books tell of stored charges, on both databases. */
import { describe, expect, test } from 'vitest'
import { createBooks } from '../../subgraphs/accounts/books/books.js'
import { newSessionId } from '../../subgraphs/compute/sessions/sessions.js'
import { dialects, MINUTE_MS, testLedger, usage } from './ledger/ledger-kit.js'

describe.each(dialects)('the books on %s', (dialect) => {
  // The index that finds these rows knows sessions by the form of their ids, which another subgraph makes.
  test('a GPU session earned what the answers of its deployment were charged, and nobody else’s', async () => {
    await using kit = await testLedger(dialect)
    const { ledger, clock, database } = kit
    const books = createBooks({ database, ledger, clock })
    await ledger.openAccount('acc', { monthlyCap: null })
    await ledger.topUp({ accountId: 'acc', amount: 100n, idempotencyKey: 'k', kind: 'top_up' })
    const [session, other] = [newSessionId('model', clock.now()), newSessionId('model', clock.now())]
    for (const [index, deploymentId] of [session, session, other, 'model@hosted'].entries()) {
      const holdId = `hold-${index}`
      const hold = { holdId, accountId: 'acc', amount: 20n, purpose: 'chat' as const, expiresAt: clock.now() + MINUTE_MS }
      await ledger.reserve(hold)
      await ledger.settle({ holdId, amount: 7n, usage: usage({ deploymentId }) })
    }
    expect(await books.revenueOf(session)).toBe(14n)
    expect(await books.revenueOf(other)).toBe(7n)
  })
})
