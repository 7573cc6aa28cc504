/**
 * Keeps the health of deployments over a restart, and shares it between the processes of one Postgres.
 *
 * Each process writes what its own traffic changed since the last time and reads what the others wrote; the newest measurement
 * of a deployment wins. Losing a write loses at most one interval of figures, so failures are only reported.
 */
import type { Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import { HealthRow } from './health-row.js'
import type { DeploymentHealth, HealthTracker } from './ports.js'

export interface HealthStore {
  /** Gives the tracker what is stored. */
  load(): Promise<void>
  /** Writes what changed, then reads what other processes measured. */
  exchange(): Promise<void>
}

export function createHealthStore(database: Database, health: HealthTracker, clock: Clock): HealthStore {
  const stored = new Map<string, string>()
  let readUntil = 0

  const load = async () => {
    const rows = await database.fork().find(HealthRow, { measuredAt: { $gt: readUntil } })
    const fresh = rows.filter((row) => stored.get(row.deploymentId) !== figures(fromRow(row)))
    health.load(fresh.map(fromRow))
    for (const row of rows) readUntil = Math.max(readUntil, row.measuredAt)
    // What the tracker now answers for loaded deployments is not its own measurement and must not be written back.
    for (const { deploymentId } of fresh) stored.set(deploymentId, figures(health.of(deploymentId)))
  }
  return {
    load,
    async exchange() {
      const changed = health.snapshot().filter((entry) => entry.samples > 0 && stored.get(entry.deploymentId) !== figures(entry))
      if (changed.length > 0) {
        const measuredAt = clock.now()
        await database.fork().upsertMany(
          HealthRow,
          changed.map((entry) => toRow(entry, measuredAt)),
        )
        for (const entry of changed) stored.set(entry.deploymentId, figures(entry))
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
