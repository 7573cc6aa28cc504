/** The last known health of a deployment: what a restarted process, or another one on the same database, shows. */
import { defineEntity, p } from '@mikro-orm/core'
import type { HealthStatus } from '../ports.js'

const HealthRowSchema = defineEntity({
  name: 'DeploymentHealthRow',
  tableName: 'deployment_health',
  properties: {
    deploymentId: p.string().length(400).primary(),
    status: p.enum(['healthy', 'degraded', 'down']).$type<HealthStatus>(),
    latencyP50Ms: p.integer().nullable(),
    latencyP95Ms: p.integer().nullable(),
    timeToFirstTokenMs: p.integer().nullable(),
    /** Thousandths, because the columns of both dialects hold integers exactly. */
    tokensPerSecondMilli: p.integer().nullable(),
    errorRateMilli: p.integer(),
    samples: p.integer(),
    /** Epoch milliseconds. */
    measuredAt: p.bigint('number'),
  },
})

export class HealthRow extends HealthRowSchema.class {}
HealthRowSchema.setClass(HealthRow)
