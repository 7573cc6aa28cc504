/**
 * Keeps the health of deployments over a restart, and shares it between the processes of one Postgres.
 *
 * Each process writes what its own traffic changed since the last time and reads what the others wrote; who wrote a deployment
 * last wins, and a process with own traffic shows its own figures. Losing a write loses at most one interval of figures, so failures are only reported.
 */
import { DAY_MS, type Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import { tablesOf } from '#platform/database/tables.js'
import { HealthEntity, healthOf, rowOf } from './health-row.js'
import type { DeploymentHealth, HealthTracker } from '../ports.js'

/** Deployments come and go with GPU sessions; figures this old say nothing about today. */
const KEPT_MS = 7 * DAY_MS

export interface HealthStore {
  /** Removes what was measured more than a week ago. */
  prune(): Promise<void>
  /** Gives the tracker what is stored of the last week. */
  load(): Promise<void>
  /** Writes what changed, then reads what other processes measured. */
  exchange(): Promise<void>
}

export function createHealthStore(database: Database, health: HealthTracker, clock: Clock): HealthStore {
  const db = tablesOf<typeof HealthEntity>(database)
  /** Figures of the tracker that need no writing: written by us, or not measured here. */
  const settled = new Map<string, string>()
  /** Rows as last read or written. */
  const seen = new Map<string, string>()

  const load = async () => {
    const rows = await db
      .selectFrom('deployment_health')
      .selectAll()
      .where('measuredAt', '>=', clock.now() - KEPT_MS)
      .execute()
    const fresh = rows.map(healthOf).filter((row) => seen.get(row.deploymentId) !== figures(row))
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
      await db
        .deleteFrom('deployment_health')
        .where('measuredAt', '<', clock.now() - KEPT_MS)
        .execute()
    },
    load,
    async exchange() {
      const changed = unsettled()
      if (changed.length > 0) {
        const measuredAt = clock.now()
        await database.fork().upsertMany(
          HealthEntity,
          changed.map((entry) => rowOf(entry, measuredAt)),
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

/** As a text to compare, whatever the order of its fields. */
const figures = (health: DeploymentHealth): string =>
  JSON.stringify(Object.entries(health).toSorted(([a], [b]) => (a < b ? -1 : 1)))
