import { expect, test } from 'vitest'
import { openDatabase } from '#platform/database/database.js'
import { migrate } from '#platform/database/migrations.js'
import { entities } from '../../../src/app/entities.js'
import { createBatchedLedger } from '../../../subgraphs/accounts/ledger/batched-ledger.js'
import { testLocation } from '../../kit/database.js'
import { dialects, keepsHoldsInMemory, openTransport, SteppingClock } from './kit/ledger-kit.js'

const BEFORE = 'Migration20261121151351_lean_ledger'

/** One account with 1,000: a settled chat request of 15, a released one, and a session that has captured 40 and is open. */
const OLD_ROWS = [
  `insert into ledger_account (account_id, balance, held, monthly_cap, spent, period) values ('acc', 945, 60, null, 55, '2026-11')`,
  `insert into ledger_hold (id, account_id, amount, captured, metered, state, purpose, owner_id, created_at, expires_at) values
    ('req_1', 'acc', 100, 15, 0, 'captured', 'chat', 'p', 1, 2), ('req_2', 'acc', 100, 0, 0, 'released', 'chat', 'p', 1, 2),
    ('gses_1', 'acc', 100, 40, 0, 'open', 'session', 'p', 1, 9000000000000)`,
  `insert into ledger_entry (reference, kind, account_id, amount, created_at) values
    ('acc/k', 'top_up', 'acc', 1000, 1), ('acc/k', 'top_up', 'sluice:funding', -1000, 1),
    ('req_1', 'charge', 'acc', -15, 2), ('req_1', 'charge', 'sluice:revenue', 15, 2),
    ('gses_1', 'capture:40', 'acc', -40, 3), ('gses_1', 'capture:40', 'sluice:revenue', 40, 3)`,
  `insert into usage_record (request_id, account_id, key_id, model_id, input_tokens, cached_input_tokens, output_tokens,
    usage_source, cost, ended_as, created_at, duration_ms) values
    ('req_1', 'acc', 'key', 'm', 1, 0, 1, 'reported', 15, 'completed', 1, 5), ('req_2', 'acc', 'key', 'm', 0, 0, 0, 'counted', 0, 'failed', 1, 5)`,
]

test.each(dialects)('what an older version wrote to %s keeps its balances, answers and promises', async (dialect) => {
  await using location = await testLocation(dialect)
  const database = await openDatabase({ url: location.url, entities })
  await database.orm.migrator.up({ to: BEFORE })
  for (const sql of OLD_ROWS) await database.orm.em.getConnection().execute(sql)
  await migrate(database)

  const ledger = await createBatchedLedger({ transport: openTransport(location.url), clock: new SteppingClock() })
  expect(await ledger.checkInvariants()).toMatchObject({ violations: [], entries: 3, openHolds: 1 })
  expect(await ledger.read('acc')).toMatchObject({ balance: 945n, held: 60n })
  expect(await ledger.settle({ holdId: 'req_1', amount: 90n })).toMatchObject({ outcome: 'duplicate', charged: 15n })
  expect(await ledger.release({ holdId: 'req_2' })).toMatchObject({ outcome: 'duplicate', charged: 0n })
  const again = { holdId: 'req_1', accountId: 'acc', amount: 5n, purpose: 'chat' as const, expiresAt: 9_000_000_000_000 }
  expect((await ledger.reserve(again)).ok).toBe(keepsHoldsInMemory(dialect))
  expect(await ledger.settle({ holdId: 'req_1', amount: 5n })).toMatchObject({ outcome: 'duplicate', charged: 15n })
  expect(await ledger.topUp({ accountId: 'acc', amount: 1_000n, idempotencyKey: 'k', kind: 'top_up' })).toMatchObject({
    applied: false,
  })
  expect(await ledger.settle({ holdId: 'gses_1', amount: 50n })).toMatchObject({ outcome: 'settled', charged: 50n })
  expect((await ledger.checkInvariants()).violations).toEqual([])
  await ledger.close()

  await database.orm.migrator.down({ to: BEFORE })
  const rows = await database.orm.em
    .getConnection()
    .execute<{ total: unknown }[]>('select sum(amount) as total from ledger_entry')
  expect(Number(rows[0]?.total)).toBe(0)
  await database.close()
})
