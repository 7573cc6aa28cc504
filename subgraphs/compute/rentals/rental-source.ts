/** The stream behind `rentalStatus`: the rental as it is, then as it was after each event of its outbox. */
import type { Clock } from '#platform/clock.js'
import { requirePrincipal, type RequestContext } from '#platform/requests/context.js'
import { lastSeen } from '#platform/events/last-seen.js'
import type { Outbox, OutboxEvent } from '#platform/events/outbox.js'
import { rentalNotFound, type Rentals } from './rentals.js'
import type { GpuSession } from '../sessions/session.js'
import { atMoment } from '../sessions/session-moment.js'

/** A rental after an event; the present state follows none. */
export interface RentalUpdate {
  readonly session: GpuSession
  /** Epoch milliseconds of that state. */
  readonly at: number
  readonly sequence: number | null
}

/**
 * The present state first, then every change. A reconnecting subscriber sends the last sequence it saw (`after`, or the header
 * `Last-Event-ID`) and gets every change since, each with the state of its time; the present state only when nothing happened.
 * Ends when the rental has ended: its machine is gone and its money is settled.
 *
 * @throws AppError 404 `rental_not_found`
 */
export function rentalSource(rentals: Rentals, outbox: Outbox, clock: Clock) {
  return async (args: Readonly<Record<string, unknown>>, context: RequestContext): Promise<AsyncIterable<RentalUpdate>> => {
    const { accountId } = requirePrincipal(context)
    const subject = String(args['id'])
    const seen = lastSeen(args['after'], context)
    const afterSequence = seen ?? (await outbox.latest())
    const isBehind = seen !== null && (await outbox.latest({ topic: TOPIC, subject })) > seen
    const session = await rentals.find(subject, accountId)
    if (!session) throw rentalNotFound()
    const changes = outbox.stream({ topic: TOPIC, subject, afterSequence, signal: context.signal })
    return states(isBehind ? null : { session, at: clock.now(), sequence: null }, session, changes)
  }
}

/**
 * Every change of every rental of the account, as it comes; with `after` (or `Last-Event-ID`) also those since that number.
 * Never ends by itself.
 */
export function rentalsSource(rentals: Rentals, outbox: Outbox) {
  return async (args: Readonly<Record<string, unknown>>, context: RequestContext): Promise<AsyncIterable<RentalUpdate>> => {
    const { accountId } = requirePrincipal(context)
    const afterSequence = lastSeen(args['after'], context) ?? (await outbox.latest())
    const changes = outbox.stream({ topic: TOPIC, afterSequence, signal: context.signal })
    return changesOf(accountId, rentals, changes)
  }
}

const TOPIC = 'rental'

async function* changesOf(
  accountId: string,
  rentals: Rentals,
  changes: AsyncIterable<OutboxEvent>,
): AsyncGenerator<RentalUpdate> {
  for await (const { subject, sequence, payload, createdAt } of changes) {
    const session = await rentals.find(subject, accountId)
    if (session) yield { session: atMoment(session, payload), at: createdAt, sequence }
  }
}

/** The money may be settled before the machine is gone, and the other way round. */
const isOver = ({ phase, holdPhase }: GpuSession): boolean => phase === 'terminated' && holdPhase === 'closed'

async function* states(
  present: RentalUpdate | null,
  session: GpuSession,
  changes: AsyncIterable<OutboxEvent>,
): AsyncGenerator<RentalUpdate> {
  if (present) yield present
  if (present && isOver(session)) return
  for await (const { sequence, payload, createdAt } of changes) {
    const then = atMoment(session, payload)
    yield { session: then, at: createdAt, sequence }
    if (isOver(then)) return
  }
}
