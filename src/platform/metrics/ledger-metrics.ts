/** The ledger and the database in figures. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Connections of this process to its database, now. */
export interface PoolFigures {
  readonly used: number
  readonly idle: number
  /** Statements and transactions that wait for a connection or for their turn to write. */
  readonly waiting: number
}

/** What is read when the figures are asked for. */
export interface LedgerGauges {
  readonly unsettled: () => number
  readonly waiting: () => number
  /** Rejects while the database is in trouble: then the last figure stands. */
  readonly openHolds: () => Promise<number>
  readonly pool: () => PoolFigures
}

export interface LedgerMetrics {
  /** One batch was committed. */
  batch(operations: number, seconds: number): void
  /** Delivered and not charged, in USD. */
  ledgerLoss(usd: number): void
  watchLedger(gauges: LedgerGauges): void
}

const BATCH_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024]
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export function createLedgerMetrics(registry: Registry): LedgerMetrics {
  const registers = [registry]
  const operations = new Histogram({
    name: 'sluice_ledger_batch_operations',
    help: 'Operations of a batch that was committed together.',
    buckets: BATCH_BOUNDS,
    registers,
  })
  const seconds = new Histogram({
    name: 'sluice_ledger_commit_seconds',
    help: 'Seconds that one attempt at a committed batch took.',
    buckets: COMMIT_SECONDS,
    registers,
  })
  const losses = new Counter({
    name: 'sluice_ledger_lost_usd_total',
    help: 'Delivered and not charged, because a server had stood still and nothing was left of what it held.',
    registers,
  })
  const watch = gauges(registry)
  return {
    batch(count, took) {
      operations.observe(count)
      seconds.observe(took)
    },
    ledgerLoss: (usd) => losses.inc(usd),
    watchLedger: watch,
  }
}

function gauges(registry: Registry): LedgerMetrics['watchLedger'] {
  let asked: LedgerGauges | null = null
  const gauge = (name: string, help: string, read: (from: LedgerGauges) => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // A database in trouble is told by other figures, and must not take the rest of them with it.
        if (asked)
          await Promise.resolve(read(asked)).then(
            (value) => this.set(value),
            () => undefined,
          )
      },
    })
  gauge(
    'sluice_ledger_unsettled_outcomes',
    'Settlements and releases that the database has not taken and that are repeated until it does.',
    ({ unsettled }) => unsettled(),
  )
  gauge('sluice_ledger_waiting_operations', 'Operations that wait for the next batch.', ({ waiting }) => waiting())
  gauge('sluice_holds_open', 'Holds that are open now, in the whole installation.', ({ openHolds }) => openHolds())
  const connections = new Gauge({
    name: 'sluice_database_connections',
    help: 'Connections of this process to its database, by state: used, idle. The ledger has its own.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      if (!asked) return
      const { used, idle } = asked.pool()
      connections.set({ state: 'used' }, used)
      connections.set({ state: 'idle' }, idle)
    },
  })
  gauge(
    'sluice_database_waiting',
    'Statements and transactions that wait for a connection or for their turn to write.',
    ({ pool }) => pool().waiting,
  )
  return (from) => {
    asked = from
  }
}
