/**
 * How many durable charges per second each ledger adapter makes: one charge is a reserve and a settle with its usage record.
 *
 * After a build: `node test/bench/ledger.mjs [sqlite|postgres] [--clients 64] [--seconds 5] [--accounts 100] [--leases]`.
 * Postgres is taken from TEST_POSTGRES_URL (default: a local server); tables live in a schema that is dropped afterwards.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { openLedger } from '../../dist/subgraphs/accounts/ledger/open-ledger.js'
import { ledgerEntities } from '../../dist/subgraphs/accounts/ledger/ledger-tables.js'
import { systemClock } from '../../dist/src/platform/clock.js'
import { createInProcessEvents } from '../../dist/src/platform/events/events.js'
import { leaseNews } from '../../dist/subgraphs/accounts/ledger/announced-ledger.js'
import { openDatabase } from '../../dist/src/platform/database/database.js'
import { newId } from '../../dist/src/platform/ids.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    clients: { type: 'string' },
    seconds: { type: 'string' },
    accounts: { type: 'string' },
    leases: { type: 'boolean' },
  },
})
const clients = Number(values.clients ?? 64)
const seconds = Number(values.seconds ?? 5)
const accounts = Number(values.accounts ?? 100)

const usage = () => ({
  keyId: 'key_bench',
  modelId: 'bench-model',
  deploymentId: 'bench-model@hp-1',
  priceVersionId: 'price_bench',
  inputTokens: 812,
  cachedInputTokens: 64,
  outputTokens: 230,
  usageSource: 'reported',
  providerCost: 120_000n,
  endedAs: 'completed',
  route: '{"chosen":"bench-model@hp-1","reasons":["cheapest"]}',
  createdAt: Date.now(),
  firstTokenMs: 120,
  durationMs: 800,
  attempts: 1,
  api: 'chat_completions',
  codeFindings: null,
})

async function measure(dialect, url) {
  const database = await openDatabase({ url, entities: ledgerEntities })
  await database.orm.schema.create()
  const leases = values.leases ? { leases: leaseNews(createInProcessEvents()) } : {}
  const ledger = await openLedger({ url, clock: systemClock, ...leases })
  const ids = Array.from({ length: accounts }, (_, index) => `acc_${index}`)
  for (const accountId of ids) {
    await ledger.openAccount(accountId, { monthlyCap: null })
    await ledger.topUp({ accountId, amount: 1_000_000_000_000n, idempotencyKey: 'bench', kind: 'top_up' })
  }
  let charges = 0
  let end = performance.now() + 1_000
  const client = async (_, index) => {
    while (performance.now() < end) {
      const holdId = newId('req')
      const accountId = ids[(charges + index) % ids.length]
      await ledger.reserve({ holdId, accountId, amount: 500_000n, purpose: 'chat', expiresAt: Date.now() + 600_000 })
      await ledger.settle({ holdId, amount: 150_000n, usage: usage() })
      charges++
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  charges = 0
  const lag = monitorEventLoopDelay({ resolution: 1 })
  lag.enable()
  const cpu = process.cpuUsage()
  const start = performance.now()
  end = start + seconds * 1_000
  await Promise.all(Array.from({ length: clients }, client))
  const took = (performance.now() - start) / 1_000
  const used = process.cpuUsage(cpu)
  lag.disable()
  const report = await ledger.checkInvariants()
  await ledger.close()
  await database.close()
  const cpuPerCharge = ((used.user + used.system) / charges).toFixed(1)
  console.log(
    `${dialect}${values.leases ? ' with leases' : ''}: ${Math.round(charges / took)} charges/s, ${clients} clients, ${cpuPerCharge} us CPU of this process per charge, ` +
      `loop lag p99 ${(lag.percentile(99) / 1e6).toFixed(1)} ms, invariants ${report.ok ? 'hold' : JSON.stringify(report.violations)}`,
  )
}

if (positionals.length === 0 || positionals.includes('sqlite')) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  await measure('sqlite', `sqlite:${folder}/bench.db`)
  rmSync(folder, { recursive: true })
}
if (positionals.length === 0 || positionals.includes('postgres')) {
  const url = new URL(process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test')
  const admin = new Client({ connectionString: url.toString() })
  await admin.connect()
  const schema = `bench_${process.pid}`
  await admin.query(`create schema ${schema}`)
  url.searchParams.set('schema', schema)
  try {
    await measure('postgres', url.toString())
  } finally {
    await admin.query(`drop schema ${schema} cascade`)
    await admin.end()
  }
}
