/** Rentals: GPUs that an account rents for itself. Other accounts' rentals do not exist. */
import { createHash } from 'node:crypto'
import { delay, type Clock } from '#platform/clock.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import type { Page, PageRequest } from '#platform/paging/page.js'
import { gpusToTake, matchesFilter, offersFor, type Offer } from '../offers/offer.js'
import type { Offers } from '../offers/offers.js'
import type { ComputePolicy } from '../policy.js'
import type { Payer } from '../ports.js'
import type { Recipes } from '../deployments/recipe.js'
import type { RentRequest } from './rent-request.js'
import type { GpuSession, SessionStatus } from '../sessions/session.js'
import { newSessionId, type Sessions } from '../sessions/sessions.js'
import type { RememberedRequest, SessionStore } from '../sessions/session-store.js'

export interface Rentals {
  /**
   * Starts a rental. With an idempotency key the same request answers the same rental for 24 hours; while another request with
   * the key is starting it, this one waits for it or for `signal`.
   *
   * @throws AppError 400, 402 `insufficient_credits`, 404 `model_not_found`, 409 `offer_unavailable`, `idempotency_conflict`,
   * `conflict`
   */
  rent(request: RentRequest, payer: Payer, idempotencyKey: string | null, signal?: AbortSignal): Promise<GpuSession>
  /** Null for what does not exist or belongs to someone else. */
  find(id: string, accountId: string): Promise<GpuSession | null>
  findMany(ids: readonly string[], accountId: string): Promise<readonly (GpuSession | null)[]>
  /** Newest first. */
  list(accountId: string, status: SessionStatus | null, page: PageRequest): Promise<Page<GpuSession>>
  count(accountId: string, status: SessionStatus | null): Promise<number>
  /** @throws AppError 404 `rental_not_found` */
  terminate(id: string, accountId: string): Promise<GpuSession>
}

export interface RentalsDeps {
  readonly store: SessionStore
  readonly sessions: Sessions
  readonly offers: Offers
  readonly recipes: Recipes
  readonly clock: Clock
  readonly policy: ComputePolicy
}

/** For a rental that serves nothing: machine and image only. */
const PLAIN_READY_SECONDS = 180
/** How often a request looks whether another one with its key has started the rental; a start takes a few milliseconds. */
const LOOK_AGAIN_MS = 40

export const rentalNotFound = (): AppError =>
  new AppError('rental_not_found', 'There is no rental with this id.', { param: 'rentalId' })

export function createRentals(deps: RentalsDeps): Rentals {
  const { store, sessions, clock } = deps

  async function start(id: string, request: RentRequest, payer: Payer): Promise<GpuSession> {
    const recipe = request.modelId === null ? null : await deps.recipes.find(request.modelId)
    if (request.modelId !== null && !recipe && !request.fineTuned && request.dockerImage === null) {
      const message = `Nobody knows how to deploy the model "${request.modelId}". Give a dockerImage that serves it.`
      throw new AppError('model_not_found', message, { param: 'modelId' })
    }
    const wantedGpus = recipe?.gpuModel?.toLowerCase() === request.gpuModel.toLowerCase() ? recipe.gpuCount : 1
    const need = { gpuCount: wantedGpus, totalVramGb: recipe?.minVramGb ?? 0 }
    const offer = await choose(request, need)
    const { gpuModel: _gpu, providerId, region, maxPricePerGpuHour: _price, ...asked } = request
    const { session } = await sessions.open({
      ...asked,
      id,
      purpose: 'rental',
      payer,
      offer,
      gpuCount: gpusToTake(offer, wantedGpus),
      anyProvider: providerId === null,
      anyRegion: region === null,
      estimatedReadySeconds:
        deps.offers.caps(offer.driverId)?.startSeconds ?? recipe?.estimatedDeploySeconds ?? PLAIN_READY_SECONDS,
    })
    return session
  }

  /** The cheapest offer that fits, or the most helpful reason why there is none. */
  async function choose(request: RentRequest, need: { gpuCount: number; totalVramGb: number }): Promise<Offer> {
    const { gpuModel, providerId, region, maxPricePerGpuHour } = request
    const market = { gpuModel, providerId, region }
    const inMarket = await deps.offers.available(market)
    if (inMarket.length === 0) {
      throw new AppError('offer_unavailable', `No offer for ${gpuModel} matches right now.`, { param: paramOf(request) })
    }
    const large = offersFor(inMarket, { filter: {}, ...need }, () => false)
    if (large.length === 0) {
      const message = `The model needs ${need.totalVramGb} GB of GPU memory in total, more than these offers of ${gpuModel} have.`
      throw invalidRequest(message, 'gpuModel')
    }
    const able = large.filter((offer) => canDo(offer, request))
    if (able.length === 0) {
      const param = request.sshKey === null ? 'dockerImage' : 'sshKey'
      throw new AppError('offer_unavailable', `No provider of ${gpuModel} accepts ${param} right now.`, { param })
    }
    const offer = able.find((candidate) => matchesFilter(candidate, { maxPricePerGpuHour }))
    if (!offer) {
      const message = `No offer for ${gpuModel} costs at most maxPricePerGpuHour right now.`
      throw new AppError('offer_unavailable', message, { param: 'maxPricePerGpuHour' })
    }
    return offer
  }

  function canDo(offer: Offer, { sshKey, dockerImage }: RentRequest): boolean {
    const caps = deps.offers.caps(offer.driverId)
    return caps !== null && (sshKey === null || caps.ssh) && (dockerImage === null || caps.image)
  }

  /** The one rental of a key: whoever comes first starts it, and everybody else gets it, in whichever process they ask. */
  async function rentOnce(request: RentRequest, payer: Payer, key: string, signal?: AbortSignal): Promise<GpuSession> {
    const { accountId } = payer
    const requestHash = hashOf(request)
    for (const until = clock.now() + deps.policy.leaseMs; ;) {
      const now = clock.now()
      const id = newSessionId('rental', now)
      const expiresAt = now + deps.policy.idempotencyKeyMs
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
    const ageMs = clock.now() - (known.expiresAt - deps.policy.idempotencyKeyMs)
    // The first request was refused, or died before it started anything: the next one takes its place.
    if (session?.terminationReason === 'not_started' || ageMs >= deps.policy.leaseMs)
      await store.forget(accountId, key, known.sessionId)
    return null
  }

  const visible = (session: GpuSession | null | undefined, accountId: string): GpuSession | null =>
    session?.purpose === 'rental' && session.accountId === accountId && session.terminationReason !== 'not_started'
      ? session
      : null

  const find = async (id: string, accountId: string) => visible(await store.find(id), accountId)

  return {
    rent(request, payer, idempotencyKey, signal) {
      if (idempotencyKey === null) return start(newSessionId('rental', clock.now()), request, payer)
      if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
        throw invalidRequest('Idempotency-Key is 1 to 255 visible characters.', 'Idempotency-Key')
      }
      return rentOnce(request, payer, idempotencyKey, signal)
    },
    find,
    async findMany(ids, accountId) {
      const found = new Map((await store.findMany(ids)).map((session) => [session.id, session]))
      return ids.map((id) => visible(found.get(id), accountId))
    },
    list: (accountId, status, page) => store.rentalsOf(accountId, status, page),
    count: (accountId, status) => store.countRentals(accountId, status),
    async terminate(id, accountId) {
      const session = await find(id, accountId)
      if (!session) throw rentalNotFound()
      return sessions.end(session, 'user')
    },
  }
}

const stillWorkedOn = (): AppError =>
  new AppError('conflict', 'A request with this Idempotency-Key is being worked on. Try again in a moment.', {
    retryAfterSeconds: 1,
    param: 'Idempotency-Key',
  })

const paramOf = (request: RentRequest): string =>
  request.region !== null ? 'region' : request.providerId !== null ? 'providerId' : 'gpuModel'

const hashOf = (request: RentRequest): string =>
  createHash('sha256')
    .update(JSON.stringify(request, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)))
    .digest('hex')
