/** Ledgers on real databases for these tests, with a clock that moves by hand and transports that can be made to fail. */
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import type { Clock } from '#platform/clock.js'
import type { Database, Dialect } from '#platform/database/database.js'
import { parseDatabaseUrl } from '#platform/database/database-url.js'
import { createInProcessEvents } from '#platform/events/events.js'
import { leaseNews } from '../../../../subgraphs/accounts/ledger/announced-ledger.js'
import { createBatchedLedger } from '../../../../subgraphs/accounts/ledger/batched-ledger.js'
import type { Ledger, Usage } from '../../../../subgraphs/accounts/ledger/ledger.js'
import { ledgerEntities } from '../../../../subgraphs/accounts/ledger/ledger-tables.js'
import { ConnectionLost } from '../../../../subgraphs/accounts/ledger/operations/database-trouble.js'
import type { LedgerTransport } from '../../../../subgraphs/accounts/ledger/operations/operation.js'
import type { ConnectionLimits } from '../../../../subgraphs/accounts/ledger/postgres/postgres-connection.js'
import { openPostgresTransport } from '../../../../subgraphs/accounts/ledger/postgres/postgres-ledger.js'
import { openSqliteTransport } from '../../../../subgraphs/accounts/ledger/sqlite/sqlite-ledger.js'
import { postgresUrl, testDatabase } from '../../../kit/database.js'

export const dialects = ['sqlite', 'postgres'] as const

/** One process writes to a SQLite file, and keeps chat holds in its memory; on Postgres every hold is a row that all see. */
export const keepsHoldsInMemory = (dialect: Dialect): boolean => dialect === 'sqlite'

/** A clock without timers: heartbeats happen when a ledger opens, and time passes when a test says so. */
export class SteppingClock implements Clock {
  constructor(public time = Date.UTC(2026, 10, 21, 8)) {}
  now = (): number => this.time
  monotonic = (): number => this.time
  setTimeout = (): (() => void) => () => {}
  /** To the first second of the next UTC month. */
  nextMonth(): void {
    const date = new Date(this.time)
    this.time = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  }
}

export interface TestTransport extends LedgerTransport {
  /** Breaks the connection or thread at once, whatever it does. */
  kill(): Promise<void>
}

/** The same transports as in production; `kill` ends the worker thread, or the server's side of the connection. */
export function openTransport(url: string, limits: Partial<ConnectionLimits> = {}): TestTransport {
  const location = parseDatabaseUrl(url)
  if (location.dialect === 'sqlite') return openSqliteTransport(location.file)
  const name = `ledger-${randomBytes(4).toString('hex')}`
  const connectionString = `${location.connectionString}?application_name=${name}`
  const transport = openPostgresTransport(
    { ...location, connectionString },
    { connectMs: 3_000, statementMs: 4_000, lockMs: 2_000, ...limits },
  )
  return {
    ...transport,
    kill: () => onServer(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${name}'`),
  }
}

async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  await client.query(sql)
  await client.end()
}

export interface TestLedger extends AsyncDisposable {
  readonly database: Database
  readonly ledger: Ledger
  readonly clock: SteppingClock
  readonly transport: TestTransport
  /** Another process on the same database. */
  openAnother(transport?: LedgerTransport): Promise<Ledger>
  /** The ledgers that may charge at once: of two processes where several may. */
  openAll(): Promise<[Ledger, Ledger]>
}

/** @param hasLeases where several processes write: they hold chats in leases */
export async function testLedger(dialect: Dialect, hasLeases = false): Promise<TestLedger> {
  const database = await testDatabase(dialect, ledgerEntities)
  const clock = new SteppingClock()
  const transport = openTransport(database.url)
  const leases = hasLeases ? { leases: leaseNews(createInProcessEvents()) } : {}
  const ledger = await createBatchedLedger({ transport, clock, ...leases })
  const others: Ledger[] = []
  const openAnother = async (transport: LedgerTransport = openTransport(database.url)) => {
    const other = await createBatchedLedger({ transport, clock, ...leases })
    others.push(other)
    return other
  }
  return {
    database,
    ledger,
    clock,
    transport,
    openAnother,
    openAll: async () => [ledger, keepsHoldsInMemory(dialect) ? ledger : await openAnother()],
    async [Symbol.asyncDispose]() {
      await Promise.all([ledger, ...others].map((open) => open.close()))
      await database[Symbol.asyncDispose]()
    },
  }
}

export type CrashPoint = 'before' | 'after' | 'during'

/** A transport that fails its next batch at a chosen point, as a crash of the database or its connection would. */
export function crashable(inner: TestTransport): TestTransport & { arm(point: CrashPoint): void; readonly crashes: number } {
  let armed: CrashPoint | undefined
  let crashes = 0
  return {
    ...inner,
    get crashes() {
      return crashes
    },
    arm(point) {
      armed = point
    },
    async execute(operations, time) {
      const point = armed
      armed = undefined
      if (point === undefined) return inner.execute(operations, time)
      crashes++
      if (point === 'before') throw new ConnectionLost('before')
      const running = inner.execute(operations, time)
      running.catch(() => {})
      if (point === 'during') await inner.kill()
      const outcomes = await running
      if (point === 'after') throw new ConnectionLost('after')
      return outcomes
    },
  }
}

export const MINUTE_MS = 60_000

export const usage = (changes: Partial<Usage> = {}): Usage => ({
  keyId: 'key_1',
  modelId: 'model-1',
  deploymentId: 'model-1@hp-1',
  priceVersionId: 'price_1',
  inputTokens: 10,
  cachedInputTokens: 2,
  outputTokens: 5,
  usageSource: 'reported',
  providerCost: 3n,
  endedAs: 'completed',
  route: '{"requested":"model-1","candidates":[],"attempts":[],"servedBy":"model-1@hp-1"}',
  createdAt: Date.UTC(2026, 10, 21, 8),
  firstTokenMs: 120,
  durationMs: 900,
  attempts: 1,
  api: 'messages',
  codeFindings: 2,
  ...changes,
})
