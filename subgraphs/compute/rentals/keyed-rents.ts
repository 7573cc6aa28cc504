/** Rent requests with an Idempotency-Key: the same request answers the same rental, in whichever process it is made. */
import { createHash } from 'node:crypto'
import { delay, type Clock } from '#platform/clock.js'
import { AppError } from '#platform/errors.js'
import type { ComputePolicy } from '../policy.js'
import type { Payer } from '../ports.js'
import { newSessionId, type GpuSession } from '../sessions/session.js'
import type { RememberedRequest, SessionStore } from '../store/session-store.js'
import type { RentRequest } from './rent-request.js'

export interface KeyedRentsDeps {
  readonly store: SessionStore
  readonly clock: Clock
  readonly policy: ComputePolicy
  /** Rents a GPU under this session's id. */
  readonly start: (id: string, request: RentRequest, payer: Payer) => Promise<GpuSession>
}

/** How often a request looks whether another one with its key has started the rental; a start takes a few milliseconds. */
const LOOK_AGAIN_MS = 40

export function createKeyedRents({ store, clock, policy, start }: KeyedRentsDeps) {
  async function startKeyed(id: string, request: RentRequest, payer: Payer, key: string): Promise<GpuSession> {
    try {
      return await start(id, request, payer)
    } catch (error) {
      // A refusal is not an answer to repeat: the caller may pay in and try again with the same key.
      if (error instanceof AppError && error.code !== 'server_error') await store.forget(payer.accountId, key, id)
      throw error
    }
  }

  /** The rental that another request with this key has started; null while it is being started, or when that came to nothing. */
  async function begun(known: RememberedRequest, accountId: string, key: string): Promise<GpuSession | null> {
    const session = await store.find(known.sessionId)
    if (session && session.holdPhase !== 'reserving' && session.terminationReason !== 'not_started') return session
    const ageMs = clock.now() - (known.expiresAt - policy.idempotencyKeyMs)
    // The first request was refused, or died before it started anything: the next one takes its place.
    if (session?.terminationReason === 'not_started' || ageMs >= policy.leaseMs)
      await store.forget(accountId, key, known.sessionId)
    return null
  }

  /** The one rental of a key: whoever comes first starts it, and everybody else gets it, in whichever process they ask. */
  return async function rentOnce(request: RentRequest, payer: Payer, key: string, signal?: AbortSignal): Promise<GpuSession> {
    const { accountId } = payer
    const requestHash = hashOf(request)
    for (const until = clock.now() + policy.leaseMs; ;) {
      const now = clock.now()
      const id = newSessionId('rental', now)
      const expiresAt = now + policy.idempotencyKeyMs
      const known = await store.remember({ accountId, key, requestHash, sessionId: id, now, expiresAt })
      if (known === 'conflict') {
        throw new AppError('idempotency_conflict', 'This Idempotency-Key was used for a different request.', {
          param: 'Idempotency-Key',
        })
      }
      if (known === 'new') return startKeyed(id, request, payer, key)
      const session = await begun(known, accountId, key)
      if (session) return session
      if (now >= until || signal?.aborted) throw stillWorkedOn()
      await delay(clock, LOOK_AGAIN_MS, signal)
    }
  }
}

const stillWorkedOn = (): AppError =>
  new AppError('conflict', 'A request with this Idempotency-Key is being worked on. Try again in a moment.', {
    retryAfterSeconds: 1,
    param: 'Idempotency-Key',
  })

const hashOf = (request: RentRequest): string =>
  createHash('sha256')
    .update(JSON.stringify(request, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)))
    .digest('hex')
