/** What the books tell of stored charges, on both databases. */
import { describe, expect, test } from 'vitest'
import { type PageArguments, pageRequest } from '#platform/paging/page.js'
import { createBooks } from '../../subgraphs/accounts/books/books.js'
import { newSessionId } from '../../subgraphs/compute/sessions/session.js'
import { dialects, MINUTE_MS, testLedger, usage } from './ledger/kit/ledger-kit.js'

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

  test('open holds are paged in their order, wherever they live', async () => {
    await using kit = await testLedger(dialect)
    const { ledger, clock, database } = kit
    const books = createBooks({ database, ledger, clock })
    await ledger.openAccount('acc', { monthlyCap: null })
    await ledger.topUp({ accountId: 'acc', amount: 1_000n, idempotencyKey: 'k', kind: 'top_up' })
    const ids = Array.from({ length: 11 }, (_, index) => `hold-${String(index).padStart(2, '0')}`)
    for (const [index, holdId] of ids.entries()) {
      const purpose = index % 4 === 0 ? ('session' as const) : ('chat' as const)
      const expiresAt = clock.now() + MINUTE_MS * (1 + Math.floor(index / 3))
      await ledger.reserve({ holdId, accountId: 'acc', amount: 10n, purpose, expiresAt })
      if (index % 5 === 1) await ledger.meter({ holdId, amount: 1n })
    }
    const read = async (args: PageArguments) => books.openHolds('acc', pageRequest(args, { standard: 50, most: 50 }))
    for (const [size, cursorOf] of [
      [3, 'after'],
      [4, 'before'],
    ] as const) {
      const found: string[] = []
      for (let cursor: string | undefined, goesOn = true; goesOn;) {
        const page = await read(cursorOf === 'after' ? { first: size, after: cursor } : { last: size, before: cursor })
        const shown = page.edges.map(({ node }) => node.id)
        if (cursorOf === 'after') found.push(...shown)
        else found.unshift(...shown)
        goesOn = cursorOf === 'after' ? page.hasNextPage : page.hasPreviousPage
        cursor = (cursorOf === 'after' ? page.edges.at(-1) : page.edges[0])?.cursor
      }
      expect(found).toEqual(ids)
    }
  })
})
