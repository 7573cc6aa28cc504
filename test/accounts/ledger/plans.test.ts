import { expect, test } from 'vitest'
import { createBatchedLedger } from '../../../subgraphs/accounts/ledger/batched-ledger.js'
import { MINUTE_MS, openTransport, testLedger, usage } from './kit/ledger-kit.js'

const CHARGES = 2_000

test('a charge on PostgreSQL reads a few rows of each table, however many there are and whenever its plan was made', async () => {
  await using kit = await testLedger('postgres')
  const { clock } = kit
  const ledger = await createBatchedLedger({ transport: openTransport(kit.database.url), clock })
  await ledger.openAccount('acc', { monthlyCap: null })
  await ledger.topUp({ accountId: 'acc', amount: 10n ** 12n, idempotencyKey: 'k', kind: 'top_up' })
  const budgets = Array.from({ length: 100 }, (_, index) => `budget-${index}`)
  for (const budgetId of budgets) await ledger.setBudget({ budgetId, accountId: 'acc', cap: 10n ** 12n })
  let count = 0
  const client = async () => {
    while (count < CHARGES) {
      const holdId = `req-${count++}`
      const expiresAt = clock.now() + MINUTE_MS
      const budgetIds = count % 2 ? [count, count + 1].map((at) => budgets[at % budgets.length]!) : undefined
      await ledger.reserve({ holdId, accountId: 'acc', amount: 5n, purpose: 'chat', expiresAt, budgetIds })
      await ledger.settle({ holdId, amount: 5n, usage: usage() })
    }
  }
  await Promise.all(Array.from({ length: 32 }, client))
  // The server counts what a session read when the session ends.
  await ledger.close()
  const read = async () => {
    const rows = await kit.database.orm.em
      .getConnection()
      .execute<{ relname: string; read: string }[]>(
        `select relname, sum(idx_tup_read) as read from pg_stat_user_indexes where schemaname = '${kit.database.schema}' group by 1`,
      )
    return new Map(rows.map((row) => [row.relname, Number(row.read)]))
  }
  await expect.poll(async () => (await read()).get('ledger_hold') ?? 0).toBeGreaterThan(CHARGES)
  for (const [table, rows] of await read()) expect([table, rows < 10 * CHARGES]).toEqual([table, true])
})
