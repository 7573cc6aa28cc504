import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { createBatchedLedger } from '../../../subgraphs/accounts/ledger/batched-ledger.js'
import type { LedgerTransport } from '../../../subgraphs/accounts/ledger/operations/operation.js'
import { postgresUrl } from '../../kit/database.js'
import { ManualClock } from '../../kit/manual-clock.js'
import { dialects, openTransport, SteppingClock, testLedger } from './kit/ledger-kit.js'

const fileOf = (url: string): string => {
  const location = parseDatabaseUrl(url)
  if (location.dialect !== 'sqlite') throw new Error('not SQLite')
  return location.file
}

describe.each(dialects)('the health of the ledger on %s', (dialect) => {
  test('is fine when a write that changes nothing can be committed', async () => {
    await using kit = await testLedger(dialect)
    expect(await kit.ledger.health()).toEqual({ ok: true })
    expect((await kit.ledger.checkInvariants()).violations).toEqual([])
  })

  test('answers within a second while the database is silent', async () => {
    await using kit = await testLedger(dialect)
    let wake = () => {}
    const asleep = new Promise<void>((resolve) => (wake = resolve))
    const inner = openTransport(kit.database.url)
    let isAsleep = false
    const transport: LedgerTransport = {
      ...inner,
      async execute(operations, time) {
        if (isAsleep) await asleep
        return inner.execute(operations, time)
      },
    }
    const ledger = await createBatchedLedger({ transport, clock: new SteppingClock() })
    isAsleep = true
    expect(await ledger.health()).toEqual({ ok: false, reason: 'The database does not answer in time.' })
    wake()
    await ledger.close()
  })
})

describe('the health of the ledger on PostgreSQL', () => {
  test.each(['ledger_account', 'usage_record'])('is bad while %s is locked, and the outage as long', async (table) => {
    await using kit = await testLedger('postgres')
    const clock = new ManualClock()
    let failures = 0
    let successes = 0
    const watch = { failed: () => void failures++, succeeded: () => void successes++ }
    const transport = openTransport(kit.database.url, { lockMs: 300 })
    const ledger = await createBatchedLedger({ transport, clock, watch, limits: { retryMs: 0 } })
    const locker = new Client({ connectionString: postgresUrl })
    await locker.connect()
    await locker.query(`begin; lock table ${kit.database.schema}.${table} in access exclusive mode`)
    expect(await ledger.health()).toEqual({ ok: false, reason: 'The database is locked by another process.' })
    successes = 0

    // The heartbeat writes another table.
    await clock.advance(5_000)
    await expect.poll(() => failures).toBeGreaterThan(1)
    expect(successes).toBe(0)
    const beat = `select heartbeat_at as at from ${kit.database.schema}.ledger_process where id = $1`
    const { rows } = await locker.query<{ at: string }>(beat, [ledger.ownerId])
    // It goes on where it can: others would close the holds of a process that does not beat.
    if (table === 'usage_record') expect(Number(rows[0]!.at)).toBe(clock.now())

    await locker.end()
    await clock.advance(5_000)
    await expect.poll(() => successes).toBeGreaterThan(0)
    expect(await ledger.health()).toEqual({ ok: true })
    await ledger.close()
  })
})

describe('the health of the ledger on SQLite', () => {
  test('names a lock that another program holds, and is fine again when it is gone', async () => {
    await using kit = await testLedger('sqlite')
    const other = new DatabaseSync(fileOf(kit.database.url))
    other.exec('begin immediate')
    expect(await kit.ledger.health()).toEqual({ ok: false, reason: 'The database is locked by another process.' })
    other.exec('rollback')
    other.close()
    await expect.poll(() => kit.ledger.health()).toEqual({ ok: true })
  })
})
