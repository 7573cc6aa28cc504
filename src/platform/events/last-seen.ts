/** Where a follower of the outbox goes on: one rule for every subscription that can be resumed. */
import { invalidRequest } from '../errors.js'
import type { RequestContext } from '../requests/context.js'

/**
 * The sequence number of the last event that a reconnecting subscriber has seen: its argument `after`, else the header
 * `Last-Event-ID`; null for one that begins.
 *
 * @throws AppError 400 for a header that is no sequence number
 */
export function lastSeen(after: unknown, context: RequestContext): number | null {
  if (typeof after === 'number') return after
  const header = context.headers.get('last-event-id')
  if (header === undefined || header === '') return null
  if (!/^\d{1,15}$/.test(header)) throw invalidRequest('Last-Event-ID is a sequence number.', 'Last-Event-ID')
  return Number(header)
}
