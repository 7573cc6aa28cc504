/** A large ledger is pruned beside running charges: nothing is lost, every balance stays proven, and a charge takes little room. */
import { statSync } from 'node:fs'
import { CompiledQuery } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Database } from '#platform/database/database.js'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { dialects, MINUTE_MS, testLedger, usage } from '../accounts/ledger/kit/ledger-kit.js'
import { byEffort } from '../kit/effort.js'

const CHARGES = byEffort({ brief: 10_000, short: 100_000, long: 1_000_000 })
const ACCOUNTS = 50
const DAYS = 40
const DAY_MS = 1440 * MINUTE_MS
const COST = 150_000n
const START = 1_000_000_000_000_000n

const run = async (database: Database, sql: string) =>
  (await database.kysely.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql))).rows

/** Charges of the last 40 days as an import would write them, in rows as wide as those of real requests. */
async function importCharges(database: Database, now: number): Promise<void> {
  const isSqlite = database.dialect === 'sqlite'
  const numbers = isSqlite
    ? `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${CHARGES}) select i from n) as n`
    : `generate_series(1, ${CHARGES}) as n(i)`
  const id = isSqlite ? "'req_' || printf('%026d', i)" : "'req_' || lpad(i::text, 26, '0')"
  const account = `'acc_' || (i % ${ACCOUNTS})`
  const time = `${now} - cast((${CHARGES} - i) as bigint) * ${Math.floor((DAYS * DAY_MS) / CHARGES)}`
  await run(
    database,
    `insert into usage_record (request_id, account_id, key_id, model_id, deployment_id, price_version_id, input_tokens,
       cached_input_tokens, output_tokens, usage_source, cost, provider_cost, ended_as, route, created_at, first_token_ms, duration_ms, attempts)
     select ${id}, ${account}, 'key_00000000000000000000000001', 'llama-3.3-70b-instruct', 'llama-3.3-70b-instruct@hp-1',
       'prv_00000000000000000000000001', 812, 0, 133, 'reported', ${COST}, 90000, 'completed', '0;hp-1;cheapest;0.000212;812', ${time}, 120, 900, 1
     from ${numbers}`,
  )
  await run(
    database,
    `insert into ledger_entry (reference, kind, account_id, amount, created_at) select ${id}, 'charge', ${account}, -${COST}, ${time} from ${numbers}`,
  )
  const spent = `(select sum(amount) from ledger_entry e where e.account_id = ledger_account.account_id)`
  await run(database, `update ledger_account set balance = cast(${spent} as bigint)`)
}

const countOf = async (database: Database, table: string) =>
  Number((await run(database, `select count(*) as n from ${table}`))[0]!['n'])

async function bytesOf(database: Database): Promise<number> {
  const location = parseDatabaseUrl(database.url)
  if (location.dialect === 'sqlite') {
    await run(database, 'pragma wal_checkpoint(truncate)')
    return statSync(location.file).size
  }
  const tables = ['usage_record', 'ledger_entry'].map((table) => `pg_total_relation_size('${database.schema}.${table}')`)
  return Number((await run(database, `select ${tables.join(' + ')} as n`))[0]!['n'])
}

describe.each(dialects)(`${CHARGES} charges on %s`, (dialect) => {
  it('are forgotten and folded beside charges that go on, and the books prove every balance', async () => {
    await using kit = await testLedger(dialect)
    const { ledger, database, clock } = kit
    for (let index = 0; index < ACCOUNTS; index++) {
      await ledger.openAccount(`acc_${index}`, { monthlyCap: null })
      await ledger.topUp({ accountId: `acc_${index}`, amount: START, idempotencyKey: 'start', kind: 'top_up' })
    }
    const empty = await bytesOf(database)
    await database.unhurried(() => importCharges(database, clock.now()))
    const perCharge = ((await bytesOf(database)) - empty) / CHARGES
    expect(perCharge).toBeGreaterThan(100)
    expect(perCharge).toBeLessThanOrEqual(600)
    expect((await ledger.checkInvariants()).violations).toEqual([])

    let isOver = false
    let charged = 0
    const working = (async () => {
      for (; !isOver; charged++) {
        const hold = { holdId: `live_${charged}`, accountId: 'acc_0', amount: COST, purpose: 'chat' as const }
        await ledger.reserve({ ...hold, expiresAt: clock.now() + MINUTE_MS })
        await ledger.settle({ holdId: hold.holdId, amount: COST, usage: usage({ createdAt: clock.now() }) })
      }
    })()
    const { forgotten } = await ledger.forgetUsage({ keepDays: 20 })
    const afterForgetting = await countOf(database, 'ledger_entry')
    const { folded } = await ledger.fold({ keepDays: 10 })
    isOver = true
    await working

    expect(charged).toBeGreaterThan(0)
    expect(forgotten / CHARGES).toBeCloseTo(0.5, 1)
    expect(folded / CHARGES).toBeCloseTo(0.75, 1)
    expect(afterForgetting).toBeGreaterThanOrEqual(CHARGES)
    expect(await countOf(database, 'usage_record')).toBe(CHARGES - folded + charged)
    const report = await ledger.checkInvariants()
    expect(report.violations).toEqual([])
    const of = (index: number) => START - COST * BigInt(CHARGES / ACCOUNTS + (index === 0 ? charged : 0))
    for (const index of [0, 1, ACCOUNTS - 1]) expect((await ledger.read(`acc_${index}`)).balance).toBe(of(index))
    process.stderr.write(`${dialect}: ${Math.round(perCharge)} bytes a charge, ${charged} charges meanwhile\n`)
  }, 1_800_000)
})
