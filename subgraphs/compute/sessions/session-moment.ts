/** What an event keeps of a session, so that whoever hears of it later sees the session as it was then. */
import { amountsOf } from '#platform/database/columns.js'
import type { OutboxPayload } from '#platform/events/outbox.js'
import { type GpuSession, GpuSessionEntity } from './session.js'

/** What never changes while its owner looks on, and what the owner is not shown. All else is kept, also what is added later. */
const NOT_KEPT = new Set<string>([
  'id',
  'labelKey',
  'purpose',
  'accountId',
  'modelId',
  'driverId',
  'pricePerGpuHour',
  'anyProvider',
  'anyRegion',
  'sshKey',
  'dockerImage',
  'fineTuned',
  'label',
  'instanceId',
  'strays',
  'endpointKey',
  'createdAt',
  'leaseToken',
  'leaseUntil',
  'version',
] satisfies (keyof GpuSession)[])

const amounts = amountsOf(GpuSessionEntity)

/** Amounts are text, because JSON numbers are not exact. */
export function momentOf(session: GpuSession): OutboxPayload {
  const kept = Object.entries(session).filter(([field]) => !NOT_KEPT.has(field))
  return Object.fromEntries(
    kept.map(([field, value]) => [field, typeof value === 'bigint' ? String(value) : (value as OutboxPayload[string])]),
  )
}

/** The session as it was; what an event of another version did not keep is as it is now. */
export function atMoment(session: GpuSession, moment: OutboxPayload): GpuSession {
  const kept = Object.entries(moment).filter(([field]) => field in session && !NOT_KEPT.has(field))
  return {
    ...session,
    ...Object.fromEntries(
      kept.map(([field, value]) => [field, typeof value === 'string' && amounts.has(field) ? BigInt(value) : value]),
    ),
  }
}
