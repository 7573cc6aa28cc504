/**
 * Whether money can be written: what the last batch proved, or a probe when there was none lately. Real time counts here,
 * because it is about a real database.
 */
import { DatabaseOutage } from '#platform/database/outage.js'
import { RejectedBatch, toPublicError } from './database-trouble.js'
import type { LedgerHealth } from '../ledger.js'
import type { Operation, Outcome } from './operation.js'

/** A hold, charge or probe that was committed this recently proves that the next can be; lesser writes fit into a full file. */
const PROOF_MS = 1_000
/** Trouble may be over sooner than proof expires. */
const TROUBLE_MS = 500
/** A probe that has not answered by then is an answer. */
const PROBE_MS = 800

const HEALTHY: LedgerHealth = { ok: true }

/** Operations that write as much as any other. */
const TAKES_PAGES = new Set<Operation['kind']>(['reserve', 'charge'])

export interface HealthCheck {
  noteCommit(operations: readonly Operation[], outcomes: readonly Outcome[]): void
  noteFailure(error: unknown): void
  /** `probe` resolves when something was written durably. */
  check(probe: () => Promise<unknown>): Promise<LedgerHealth>
  /** Whether the last that was heard of a write is that it failed. */
  isTroubled(): boolean
  /** After trouble, resolves when a write was proved to work again. @throws what the probe throws */
  recovered(probe: () => Promise<unknown>): Promise<void>
}

export function createHealth(): HealthCheck {
  let last: { readonly at: number; readonly health: LedgerHealth } | null = null
  let probing: Promise<LedgerHealth> | undefined
  let recovering: Promise<unknown> | undefined
  const probeOnce = (probe: () => Promise<unknown>): Promise<LedgerHealth> => {
    probing ??= probe()
      .then(() => HEALTHY, unhealthy)
      .finally(() => (probing = undefined))
    return probing
  }
  const lastWithin = (ms: number): LedgerHealth | null =>
    last !== null && performance.now() - last.at <= ms ? last.health : null
  const known = () => lastWithin(last?.health.ok === true ? PROOF_MS : TROUBLE_MS)
  const troubleLately = () => {
    const health = lastWithin(PROOF_MS)
    return health?.ok === false ? health : null
  }
  return {
    noteCommit(operations, outcomes) {
      const isProof = operations.some(
        ({ kind }, index) => kind === 'probe' || (TAKES_PAGES.has(kind) && outcomes[index]?.code === 'done'),
      )
      if (isProof) last = { at: performance.now(), health: HEALTHY }
    },
    noteFailure(error) {
      if (!(error instanceof RejectedBatch)) last = { at: performance.now(), health: unhealthy(error) }
    },
    async check(probe) {
      const before = known()
      if (before) return before
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<LedgerHealth>((resolve) => {
        timer = setTimeout(() => resolve(troubleLately() ?? SILENT), PROBE_MS)
      })
      const health = await Promise.race([probeOnce(probe), late])
      clearTimeout(timer)
      return health
    },
    isTroubled: () => last?.health.ok === false,
    async recovered(probe) {
      if (last?.health.ok !== false) return
      recovering ??= probe().finally(() => (recovering = undefined))
      await recovering
    },
  }
}

const SILENT: LedgerHealth = { ok: false, reason: new DatabaseOutage('timeout').sentence }

const unhealthy = (error: unknown): LedgerHealth => {
  const shown = toPublicError(error)
  return { ok: false, reason: shown instanceof DatabaseOutage ? shown.sentence : shown.message }
}
