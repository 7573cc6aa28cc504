/** What callers are told of a model while it is being deployed. */
import type { DeploymentStatus } from '#platform/vocabulary/words.js'
import type { ComputePolicy } from '../policy.js'
import type { GpuSession } from '../sessions/session.js'

/** The contract's 202 body, in our own case. */
export interface DeployingStatus {
  readonly status: 'deploying'
  readonly message: string
  readonly model: string
  readonly type: 'model_deploying'
  readonly estimatedReadySeconds: number
  readonly alreadyQueued: boolean
  readonly deploymentStatus: DeploymentStatus
  /** A routing id. */
  readonly deploymentProvider: string
  /** For the Retry-After header: the estimate, within 5 to 600 seconds. */
  readonly retryAfterSeconds: number
}

type RetryPolicy = Pick<ComputePolicy, 'minRetryAfterSeconds' | 'maxRetryAfterSeconds'>

export function deployingStatus(
  session: GpuSession,
  now: number,
  alreadyQueued: boolean,
  { minRetryAfterSeconds, maxRetryAfterSeconds }: RetryPolicy,
): DeployingStatus {
  const seconds = remainingSeconds(session, now)
  const model = session.modelId ?? ''
  return {
    status: 'deploying',
    type: 'model_deploying',
    model,
    message: `The model "${model}" is being deployed on a GPU. Try again in about ${seconds} seconds.`,
    estimatedReadySeconds: seconds,
    alreadyQueued,
    deploymentStatus: deploymentStatus(session),
    deploymentProvider: session.providerId,
    retryAfterSeconds: Math.min(maxRetryAfterSeconds, Math.max(minRetryAfterSeconds, seconds)),
  }
}

function deploymentStatus(session: GpuSession): DeployingStatus['deploymentStatus'] {
  if (session.phase === 'requested') return 'requested'
  return session.phase === 'loading' ? 'loading' : 'provisioning'
}

/** An overdue deployment is still promised this share of its estimate, so that callers do not hammer. */
const OVERDUE_SHARE = 0.1

/** Whole seconds until the session probably serves, at least 1. */
export function remainingSeconds(session: GpuSession, now: number): number {
  const elapsed = (now - session.createdAt) / 1000
  return Math.max(1, Math.ceil(Math.max(session.estimatedReadySeconds - elapsed, session.estimatedReadySeconds * OVERDUE_SHARE)))
}
