/** What our own sessions have shown of markets: how often machines are taken away, and how long a start takes. */
import { sql } from 'kysely'
import { DAY_MS } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import { tablesOf } from '#platform/database/tables.js'
import { offerKey } from '../offers/offer.js'
import type { GpuSessionEntity } from '../sessions/session.js'
import type { SessionStore } from './session-store.js'

/** As the dialects have it. */
type Sum = bigint | number | string

export function createOwnExperience(database: Database): Pick<SessionStore, 'experience' | 'startDurations'> {
  const db = tablesOf<typeof GpuSessionEntity>(database)
  return {
    async experience(sinceMs) {
      const rows = await db
        .selectFrom('gpu_session')
        .select(['driverId', 'providerId', 'region', 'gpuModel'])
        .select([
          sql<Sum | null>`sum(alive_ms)`.as('running_ms'),
          sql<Sum>`sum(case when termination_reason = 'interrupted' then 1 else 0 end)`.as('interruptions'),
        ])
        .where('spot', '=', true)
        .where('runningAt', '>', sinceMs)
        .groupBy(['driverId', 'providerId', 'region', 'gpuModel'])
        .execute()
      return new Map(
        rows.map((row) => [
          offerKey({ ...row, spot: true }),
          { runningDays: Number(row.running_ms ?? 0) / DAY_MS, interruptions: Number(row.interruptions) },
        ]),
      )
    },
    async startDurations({ driverId, gpuModel, modelId }, limit) {
      const rows = await db
        .selectFrom('gpu_session')
        .select(['createdAt', 'runningAt'])
        .where('driverId', '=', driverId)
        .where('gpuModel', '=', gpuModel)
        .where('modelId', '=', modelId)
        .where('runningAt', 'is not', null)
        .orderBy('runningAt', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => (row.runningAt! - row.createdAt) / 1000)
    },
  }
}
