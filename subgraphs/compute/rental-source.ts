/** The stream behind `rentalStatus`: the stored rental first, then again after every event of its outbox. */
import { requirePrincipal, type RequestContext } from '#platform/context.js'
import { invalidRequest } from '#platform/errors.js'
import type { Outbox, OutboxEvent } from '#platform/outbox.js'
import { rentalNotFound, type Rentals } from './rentals.js'
import { statusOf, type GpuSession } from './session.js'

/** A rental after an event; the stored state that comes first follows none. */
export interface RentalUpdate {
  readonly session: GpuSession
  readonly sequence: number | null
}

/**
 * A reconnecting subscriber sends the last sequence it saw (`after`, or the header `Last-Event-ID`) and gets every event since.
 * Each shows the rental as it is by then, so one that comes late never tells an old state. Ends when the rental has ended.
 *
 * @throws AppError 404 `rental_not_found`
 */
export function rentalSource(rentals: Rentals, outbox: Outbox) {
  return async (args: Readonly<Record<string, unknown>>, context: RequestContext): Promise<AsyncIterable<RentalUpdate>> => {
    const { accountId } = requirePrincipal(context)
    const id = String(args['id'])
    const afterSequence = lastSeen(args['after'], context) ?? (await outbox.latest())
    const session = await rentals.find(id, accountId)
    if (!session) throw rentalNotFound()
    const changes = outbox.stream({ topic: 'rental', subject: id, afterSequence, signal: context.signal })
    return states(session, changes, () => rentals.find(id, accountId))
  }
}

function lastSeen(after: unknown, context: RequestContext): number | null {
  if (typeof after === 'number') return after
  const header = context.headers.get('last-event-id')
  if (header === undefined || header === '') return null
  if (!/^\d{1,15}$/.test(header)) throw invalidRequest('Last-Event-ID is a sequence number.', 'Last-Event-ID')
  return Number(header)
}

const isOver = (session: GpuSession): boolean => statusOf(session) === 'terminated' && session.holdPhase === 'closed'

async function* states(
  first: GpuSession,
  changes: AsyncIterable<OutboxEvent>,
  read: () => Promise<GpuSession | null>,
): AsyncGenerator<RentalUpdate> {
  yield { session: first, sequence: null }
  if (isOver(first)) return
  for await (const { sequence } of changes) {
    const session = await read()
    if (!session) return
    yield { session, sequence }
    if (isOver(session)) return
  }
}
