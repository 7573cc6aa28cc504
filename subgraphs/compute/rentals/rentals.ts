/** Rentals: GPUs that an account rents for itself. Other accounts' rentals do not exist. */
import type { Clock } from '#platform/clock.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import type { Page, PageRequest } from '#platform/paging/page.js'
import type { NanoUsd } from '#platform/money.js'
import { gpusToTake, type Offer } from '../offers/offer.js'
import type { Offers } from '../offers/offers.js'
import type { ComputePolicy } from '../policy.js'
import type { CatalogPort, Payer } from '../ports.js'
import type { Recipes } from '../deployments/recipe.js'
import { createKeyedRents } from './keyed-rents.js'
import { chooseOffer } from './offer-choice.js'
import type { RentRequest } from './rent-request.js'
import { newSessionId, type GpuSession, type SessionStatus } from '../sessions/session.js'
import { holdFor, hourlyPrice } from '../sessions/session-cost.js'
import type { Sessions } from '../sessions/sessions.js'
import type { SessionStore } from '../store/session-store.js'

/** What a request would get now. */
export interface Quote {
  readonly offer: Offer
  readonly gpuCount: number
  /** For all its GPUs. */
  readonly pricePerHour: NanoUsd
  readonly hold: NanoUsd
  readonly estimatedReadySeconds: number
}

export interface Rentals {
  /** @throws AppError 400, 404 `model_not_found`, 409 `offer_unavailable` */
  quote(request: RentRequest): Promise<Quote>
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
  readonly catalog: Pick<CatalogPort, 'has'>
  readonly clock: Clock
  readonly policy: ComputePolicy
}

/** For a rental that serves nothing: machine and image only. */
const PLAIN_READY_SECONDS = 180

export const rentalNotFound = (): AppError =>
  new AppError('rental_not_found', 'There is no rental with this id.', { param: 'rentalId' })

export function createRentals(deps: RentalsDeps): Rentals {
  const { store, sessions, clock } = deps

  async function quote(request: RentRequest): Promise<Quote> {
    const recipe = request.modelId === null ? null : await deps.recipes.find(request.modelId)
    if (!recipe) await assertServable(request)
    const wantedGpus = recipe?.gpuModel?.toLowerCase() === request.gpuModel.toLowerCase() ? recipe.gpuCount : 1
    // An image of the renter's own may hold the model in any size.
    const totalVramGb = request.dockerImage === null ? (recipe?.minVramGb ?? 0) : 0
    const need = { gpuCount: wantedGpus, totalVramGb }
    const offer = await chooseOffer(deps.offers, request, need)
    const gpuCount = gpusToTake(offer, wantedGpus)
    const pricePerHour = hourlyPrice(offer.pricePerGpuHour, gpuCount)
    const startSeconds = deps.offers.caps(offer.driverId)?.startSeconds
    return {
      offer,
      gpuCount,
      pricePerHour,
      hold: holdFor(pricePerHour, deps.policy.holdSeconds),
      estimatedReadySeconds: startSeconds ?? recipe?.estimatedDeploySeconds ?? PLAIN_READY_SECONDS,
    }
  }

  /** Without a recipe: a model of the catalogue, a variant of the renter's own, or an image that serves it. */
  async function assertServable({ modelId, fineTuned, dockerImage }: RentRequest): Promise<void> {
    if (modelId === null || fineTuned || dockerImage !== null || (await deps.catalog.has(modelId))) return
    const message = `Nobody knows how to deploy the model "${modelId}". Give a dockerImage that serves it.`
    throw new AppError('model_not_found', message, { param: 'modelId' })
  }

  async function start(id: string, request: RentRequest, payer: Payer): Promise<GpuSession> {
    const { offer, gpuCount, estimatedReadySeconds } = await quote(request)
    const { gpuModel: _gpu, providerId, region, spot: _spot, maxPricePerGpuHour: _price, ...asked } = request
    const { session } = await sessions.open({
      ...asked,
      id,
      purpose: 'rental',
      payer,
      offer,
      gpuCount,
      anyProvider: providerId === null,
      anyRegion: region === null,
      estimatedReadySeconds,
    })
    return session
  }

  const rentOnce = createKeyedRents({ ...deps, start })

  const find = async (id: string, accountId: string) => visible(await store.find(id), accountId)

  return {
    quote,
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

const visible = (session: GpuSession | null | undefined, accountId: string): GpuSession | null =>
  session?.purpose === 'rental' && session.accountId === accountId && session.terminationReason !== 'not_started' ? session : null
