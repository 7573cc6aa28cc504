/**
 * Processes that share a PostgreSQL database and lease of its accounts: each with a clock of its own, that may be wrong, and a
 * connection that may break. The database's time is one more clock. Processes can be killed between any two statements, and stand
 * still for as long as a test wants.
 */
import { createBatchedLedger } from '../../../../subgraphs/accounts/ledger/batched-ledger.js'
import type { LeaseNews } from '../../../../subgraphs/accounts/ledger/holds/leases.js'
import type { Ledger } from '../../../../subgraphs/accounts/ledger/ledger.js'
import type { LedgerTransport, Operation } from '../../../../subgraphs/accounts/ledger/operations/operation.js'
import type { TestDatabase } from '../../../kit/database.js'
import { ManualClock } from '../../../kit/manual-clock.js'
import { crashable, type CrashPoint, openTransport, type TestTransport } from './ledger-kit.js'

export interface Loss {
  readonly holdId: string
  readonly amount: bigint
}

/** Rows as the database has them. */
export interface LeaseRows {
  readonly accounts: readonly { account_id: string; balance: bigint; held: bigint; leased: bigint; spent: bigint }[]
  readonly leases: readonly { process_id: string; account_id: string; epoch: number; amount: bigint }[]
  readonly holds: readonly { account_id: string; amount: bigint; captured: bigint }[]
  readonly entries: readonly { account_id: string; amount: bigint }[]
}

export class World implements AsyncDisposable {
  readonly processes: WorldProcess[] = []
  /** Milliseconds since the beginning, for everybody. */
  now = 0
  /** Whose news are lost. */
  isDeaf = false
  readonly #listeners = new Set<(accountId: string) => void>()

  constructor(
    readonly database: TestDatabase,
    readonly changed: (operations: readonly Operation[]) => Operation[] = (operations) => [...operations],
  ) {}

  /** @param skewMs what its wall clock is wrong by */
  async start(skewMs = 0): Promise<WorldProcess> {
    const process = new WorldProcess(this, skewMs)
    await process.open()
    this.processes.push(process)
    return process
  }

  get living(): WorldProcess[] {
    return this.processes.filter(({ state }) => state === 'runs')
  }

  /** Time passes for everybody; those that run do what is due. */
  async advance(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1_000) {
      const step = Math.min(left, 1_000)
      this.now += step
      for (const process of this.processes) {
        if (process.state === 'runs') await process.clock.advance(step)
        else if (process.state === 'stalled') process.clock.stall(step)
      }
      if (left % 5_000 < 1_000) await this.settled()
    }
    await this.settled()
  }

  /** Until nothing that was begun is under way: one round for what is asked, and one for what follows from its answer. */
  async settled(): Promise<void> {
    for (let round = 0; round < 2; round++) await Promise.all(this.living.map(({ ledger }) => ledger.readBudgets(['none'])))
  }

  newsFor(process: WorldProcess): LeaseNews {
    return {
      tell: (accountId) => {
        if (!this.isDeaf) for (const hear of this.#listeners) hear(accountId)
      },
      listen: (hear) => {
        const heard = (accountId: string) => {
          if (process.state === 'runs') hear(accountId)
        }
        this.#listeners.add(heard)
        return () => this.#listeners.delete(heard)
      },
    }
  }

  async rows(): Promise<LeaseRows> {
    const run = async (sql: string) =>
      (await this.database.orm.em.getConnection().execute(sql)).map((row: Record<string, unknown>) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, AMOUNTS.has(name) ? BigInt(String(value)) : value])),
      )
    const [accounts, leases, holds, entries] = [
      await run('select * from ledger_account'),
      await run('select * from ledger_lease'),
      await run("select * from ledger_hold where state = 'open'"),
      await run('select account_id, sum(amount)::bigint as amount from ledger_entry group by account_id'),
    ]
    return { accounts, leases, holds, entries } as unknown as LeaseRows
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.processes.map((process) => process.end()))
  }
}

const AMOUNTS = new Set(['balance', 'held', 'leased', 'amount', 'captured', 'metered', 'spent'])

export class WorldProcess {
  readonly clock: ManualClock
  readonly losses: Loss[] = []
  state: 'runs' | 'stalled' | 'dead' = 'runs'
  diedAt = 0
  /** It stood still for longer than its leases lasted. */
  hasSlept = false
  ledger!: Ledger
  #transport!: TestTransport & ReturnType<typeof crashable>
  #killAfter: number | null = null

  constructor(
    readonly world: World,
    skewMs: number,
  ) {
    this.clock = new ManualClock(Date.UTC(2026, 10, 21) + world.now + skewMs)
  }

  async open(): Promise<void> {
    this.#transport = crashable(openTransport(this.world.database.url))
    const transport: LedgerTransport = {
      ...this.#transport,
      execute: (operations, time) => {
        const leaseNow = Date.UTC(2026, 10, 21) + this.world.now
        return this.#execute(this.world.changed(operations), { ...time, leaseNow })
      },
    }
    this.ledger = await createBatchedLedger({
      transport,
      clock: this.clock,
      limits: { reclaimMs: 12 },
      leases: this.world.newsFor(this),
      onLoss: (loss) => this.losses.push(loss),
    })
  }

  /** Its next batch fails first, and is repeated. */
  arm(point: CrashPoint): void {
    this.#transport.arm(point)
  }

  /** As kill -9, when so many operations of its next batch were done. */
  killAfter(operations: number): void {
    this.#killAfter = operations
  }

  async kill(): Promise<void> {
    this.#die()
    await this.#transport.kill()
  }

  async end(): Promise<void> {
    if (this.state !== 'dead') await this.ledger.close()
    else await this.#transport.close().catch(() => {})
  }

  #die(): void {
    if (this.state === 'dead') return
    this.state = 'dead'
    this.diedAt = this.world.now
  }

  async #execute(operations: readonly Operation[], time: Parameters<LedgerTransport['execute']>[1]) {
    // Nothing is heard of a process that is gone, also not that it failed.
    if (this.state === 'dead') return new Promise<never>(() => {})
    if (this.#killAfter === null) return this.#transport.execute(operations, time)
    for (const operation of operations.slice(0, this.#killAfter)) await this.#transport.execute([operation], time)
    await this.kill()
    return new Promise<never>(() => {})
  }
}
