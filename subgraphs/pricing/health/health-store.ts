/**
 * Keeps the health of deployments over a restart, and shares it between the processes of one Postgres.
 *
 * Each process writes what its own traffic changed since the last time and reads what the others wrote; who wrote a deployment
 * last wins, and a process with own traffic shows its own figures. Losing a write loses at most one interval of figures, so failures are only reported.
 */
import type { Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import { HealthRow } from './health-row.js'
import type { DeploymentHealth, HealthTracker } from '../ports.js'

/** Deployments come and go with GPU sessions; figures this old say nothing about today. */
const KEPT_MS = 7 * 24 * 3_600_000

export interface HealthStore {
  /** Removes what was measured more than a week ago. */
  prune(): Promise<void>
  /** Gives the tracker what is stored of the last week. */
  load(): Promise<void>
  /** Writes what changed, then reads what other processes measured. */
  exchange(): Promise<void>
}

export function createHealthStore(database: Database, health: HealthTracker, clock: Clock): HealthStore {
  /** Figures of the tracker that need no writing: written by us, or not measured here. */
  const settled = new Map<string, string>()
  /** Rows as last read or written. */
  const seen = new Map<string, string>()

  const load = async () => {
    const recent = { measuredAt: { $gte: clock.now() - KEPT_MS } }
    const rows = (await database.fork().find(HealthRow, recent)).map(fromRow)
    const fresh = rows.filter((row) => seen.get(row.deploymentId) !== figures(row))
    if (fresh.length === 0) return
    const own = new Set(unsettled().map(({ deploymentId }) => deploymentId))
    health.load(fresh)
    for (const row of fresh) {
      seen.set(row.deploymentId, figures(row))
      // What the tracker answers from a loaded row is not its own measurement and must not be written back.
      if (!own.has(row.deploymentId)) settled.set(row.deploymentId, figures(health.of(row.deploymentId)))
    }
  }
  const unsettled = () =>
    health.snapshot().filter((entry) => entry.samples > 0 && settled.get(entry.deploymentId) !== figures(entry))
  return {
    async prune() {
      await database.fork().nativeDelete(HealthRow, { measuredAt: { $lt: clock.now() - KEPT_MS } })
    },
    load,
    async exchange() {
      const changed = unsettled()
      if (changed.length > 0) {
        const measuredAt = clock.now()
        await database.fork().upsertMany(
          HealthRow,
          changed.map((entry) => toRow(entry, measuredAt)),
        )
        for (const entry of changed) {
          settled.set(entry.deploymentId, figures(entry))
          seen.set(entry.deploymentId, figures(entry))
        }
      }
      await load()
    },
  }
}

const figures = (health: DeploymentHealth): string =>
  JSON.stringify([
    health.status,
    health.latencyP50Ms,
    health.latencyP95Ms,
    health.timeToFirstTokenMs,
    health.tokensPerSecond,
    health.errorRate,
    health.samples,
  ])

const toRow = (health: DeploymentHealth, measuredAt: number) => ({
  deploymentId: health.deploymentId,
  status: health.status,
  latencyP50Ms: health.latencyP50Ms,
  latencyP95Ms: health.latencyP95Ms,
  timeToFirstTokenMs: health.timeToFirstTokenMs,
  tokensPerSecondMilli: health.tokensPerSecond === null ? null : Math.round(health.tokensPerSecond * 1000),
  errorRateMilli: Math.round(health.errorRate * 1000),
  samples: health.samples,
  measuredAt,
})

const fromRow = (row: HealthRow): DeploymentHealth => ({
  deploymentId: row.deploymentId,
  status: row.status,
  latencyP50Ms: row.latencyP50Ms ?? null,
  latencyP95Ms: row.latencyP95Ms ?? null,
  timeToFirstTokenMs: row.timeToFirstTokenMs ?? null,
  tokensPerSecond: row.tokensPerSecondMilli == null ? null : row.tokensPerSecondMilli / 1000,
  errorRate: row.errorRateMilli / 1000,
  samples: row.samples,
})
