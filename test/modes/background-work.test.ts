/**
 * What a process does in the background is decided by the subgraphs that it answers for: in each mode exactly that work is done,
 * seen by what becomes of facts that were left lying for it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { stringify } from 'yaml'
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openDatabase, type Database, type Dialect } from '#platform/database/database.js'
import { migrate } from '#platform/database/migrations.js'
import { createLog } from '#platform/log.js'
import { createMetrics } from '#platform/metrics.js'
import { openLedger } from '../../subgraphs/accounts/index.js'
import { createSessionTables } from '../../subgraphs/compute/store/session-tables.js'
import { createOutbox } from '#platform/events/outbox.js'
import { createInProcessEvents } from '#platform/events/events.js'
import { createApp } from '../../src/app/compose.js'
import { entities } from '../../src/app/entities.js'
import { loadConfig } from '../../src/config/config.js'
import { ownSubgraphs, type ServerMode } from '../../src/server/modes.js'
import { SUBGRAPH_NAMES } from '../../src/app/subgraph-names.js'
import { aSession } from '../compute/kit/session-fixture.js'
import { testLocation } from '../kit/database.js'
import { ManualClock } from '../kit/manual-clock.js'

const DAY_MS = 86_400_000

/** Every loop of the program, by the subgraph whose work it is. */
const WORK = {
  accounts: ['closes holds that nobody settles', 'forgets old events'],
  catalog: [],
  pricing: ['reads price lists', 'forgets old health'],
  inference: [],
  compute: ['drives rentals'],
  compliance: ['ends abandoned scans'],
} as const satisfies Record<(typeof SUBGRAPH_NAMES)[number], readonly string[]>

const elsewhere = (names: readonly string[]) => new Map(names.map((name) => [name, `http://127.0.0.1:9/${name}`]))
const modes: [string, ServerMode, readonly (keyof typeof WORK)[], Dialect][] = [
  ['serve on SQLite', { kind: 'serve' }, SUBGRAPH_NAMES, 'sqlite'],
  ['serve on PostgreSQL', { kind: 'serve' }, SUBGRAPH_NAMES, 'postgres'],
  ...SUBGRAPH_NAMES.map((name) => [`subgraph ${name}`, { kind: 'subgraph', name }, [name], 'postgres'] as (typeof modes)[number]),
  ['gateway of all subgraphs', { kind: 'gateway', urls: elsewhere(SUBGRAPH_NAMES) }, [], 'postgres'],
  [
    'gateway that runs compute and compliance itself',
    { kind: 'gateway', urls: elsewhere(['accounts', 'catalog', 'pricing', 'inference']) },
    ['compute', 'compliance'],
    'postgres',
  ],
]

type Rows = Record<string, Record<string, unknown>>

/** Something for every loop to find; `done` tells which of them have found it. */
async function leaveWork(database: Database, url: string, clock: ManualClock, listsRead: () => number) {
  const rows = database.kysely.withTables<Rows>() as unknown as Kysely<Rows>
  const now = clock.now()
  const gone = await openLedger({ url, clock })
  await gone.openAccount('acc_a', { monthlyCap: null })
  await gone.topUp({ accountId: 'acc_a', amount: 1_000_000_000n, idempotencyKey: 'k', kind: 'top_up' })
  await gone.reserve({ holdId: 'req_1', accountId: 'acc_a', amount: 5n, purpose: 'chat', expiresAt: now - 1 })
  await gone.close()
  const outbox = createOutbox({ database, events: createInProcessEvents(), clock })
  // A request that died while its hold was being placed: no machine was asked for.
  const session = aSession({
    holdPhase: 'reserving',
    accountId: 'acc_a',
    createdAt: now,
    dueAt: now,
    leaseToken: null,
    leaseUntil: 0,
  })
  await createSessionTables(database, outbox).insert(session, { maxConcurrentSessions: null, maxHourlySpend: null }, [])
  const summary = { critical: 0, high: 0, medium: 0, low: 0 }
  await rows
    .insertInto('scan')
    .values({
      ...summary,
      id: 'scan_1',
      account_id: 'acc_a',
      status: 'running',
      file_count: 1,
      files_done: 0,
      standards: '[]',
      created_at: BigInt(now - DAY_MS),
    })
    .execute()
  const event = { topic: 'rental', subject: 'rent_0', payload: '{}', created_at: BigInt(now - 30 * DAY_MS) }
  await rows.insertInto('outbox_event').values(event).execute()
  const health = {
    deployment_id: 'd',
    status: 'healthy',
    error_rate_milli: 0,
    samples: 1,
    measured_at: BigInt(now - 30 * DAY_MS),
  }
  await rows.insertInto('deployment_health').values(health).execute()

  const count = async (table: string, column: string, value: string): Promise<number> =>
    (await rows.selectFrom(table).selectAll().where(column, '=', value).execute()).length
  const found: Record<string, () => Promise<boolean>> = {
    'closes holds that nobody settles': async () => (await count('ledger_hold', 'state', 'open')) === 0,
    'forgets old events': async () => (await count('outbox_event', 'subject', 'rent_0')) === 0,
    'reads price lists': async () => listsRead() > 0,
    'forgets old health': async () => (await count('deployment_health', 'deployment_id', 'd')) === 0,
    'drives rentals': async () => (await count('gpu_session', 'phase', 'requested')) === 0,
    'ends abandoned scans': async () => (await count('scan', 'status', 'running')) === 0,
  }
  return async (): Promise<string[]> => {
    const done = await Promise.all(Object.entries(found).map(async ([name, isDone]) => ((await isDone()) ? [name] : [])))
    return done.flat().sort()
  }
}

it.each(modes)('%s does the work of its own subgraphs and no other', async (_name, mode, names, dialect) => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-work-'))
  await using location = await testLocation(dialect)
  const database = await openDatabase({ url: location.url, entities })
  await migrate(database)
  const clock = new ManualClock(Date.now())
  let listsRead = 0
  const list = createServer((_request, response) => {
    listsRead++
    response.end('[]')
  }).listen(0, '127.0.0.1')
  await once(list, 'listening')
  const done = await leaveWork(database, location.url, clock, () => listsRead)
  const { port } = list.address() as AddressInfo
  const feed = {
    name: 'list',
    type: 'json',
    url: `http://127.0.0.1:${port}`,
    provider: 'p',
    mapping: { model_id: 'm', input: 'i', output: 'o', unit: 'per_token' },
  }
  const file = { sandbox: false, catalog: { include_shipped: false }, pricing: { feeds: [feed] } }
  writeFileSync(join(folder, 'sluice.config.yaml'), stringify(file))
  const config = loadConfig({ env: { SLUICE_DATABASE_URL: location.url }, workingDirectory: folder })

  const log = createLog({ level: 'silent' })
  const app = await createApp(config, { log, metrics: createMetrics(), work: ownSubgraphs(mode), clock })
  const expected = names.flatMap((name) => [...WORK[name]]).sort()
  try {
    await app.start()
    await clock.advance(1_000)
    await expect.poll(done, { timeout: 10_000 }).toEqual(expected)
  } finally {
    // Waits for what is under way: what another loop has begun is done by then.
    await app.stop()
  }
  expect(await done()).toEqual(expected)
  list.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})
