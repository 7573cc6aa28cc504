/** The last known health of a deployment: what a restarted process, or another one on the same database, shows. */
import { defineEntity, p } from '@mikro-orm/core'
import { time } from '#platform/database/columns.js'
import type { Row } from '#platform/database/tables.js'
import { HealthStatus } from '#platform/vocabulary/words.js'
import type { DeploymentHealth } from '../ports.js'

export const HealthEntity = defineEntity({
  name: 'DeploymentHealthRow',
  tableName: 'deployment_health',
  properties: {
    deploymentId: p.string().length(400).primary(),
    status: p.enum(Object.values(HealthStatus)),
    latencyP50Ms: p.integer().nullable(),
    latencyP95Ms: p.integer().nullable(),
    timeToFirstTokenMs: p.integer().nullable(),
    /** Thousandths, because the columns of both dialects hold integers exactly. */
    tokensPerSecondMilli: p.integer().nullable(),
    errorRateMilli: p.integer(),
    samples: p.integer(),
    measuredAt: time(),
  },
})

type HealthRow = Row<typeof HealthEntity>

const thousandths = (value: number): number => Math.round(value * 1000)

export const rowOf = ({ tokensPerSecond, errorRate, ...same }: DeploymentHealth, measuredAt: number): HealthRow => ({
  ...same,
  tokensPerSecondMilli: tokensPerSecond === null ? null : thousandths(tokensPerSecond),
  errorRateMilli: thousandths(errorRate),
  measuredAt,
})

export const healthOf = ({ tokensPerSecondMilli, errorRateMilli, measuredAt: _at, ...same }: HealthRow): DeploymentHealth => ({
  ...same,
  tokensPerSecond: tokensPerSecondMilli === null ? null : tokensPerSecondMilli / 1000,
  errorRate: errorRateMilli / 1000,
})
