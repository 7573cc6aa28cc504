/** The stream of offers: what counts as a change, and what it does while nothing can be looked up. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DatabaseOutage } from '#platform/database/outage.js'
import type { RequestContext } from '#platform/requests/context.js'
import type { Offer } from '../../subgraphs/compute/offers/offer.js'
import { offersSource } from '../../subgraphs/compute/offers/offer-source.js'
import { createOffers } from '../../subgraphs/compute/offers/offers.js'
import { defaultPolicy } from '../../subgraphs/compute/policy.js'
import { FakeCloud } from '../kit/clouds/fake-cloud.js'
import { ManualClock } from '../kit/manual-clock.js'
import { createMemoryStore } from './kit/memory-store.js'
import { testOffer } from './kit/world.js'

const MINUTE_MS = 60_000
let clock: ManualClock
let cloud: FakeCloud
let left: AbortController
beforeEach(() => {
  clock = new ManualClock()
  cloud = new FakeCloud({ clock, offers: [testOffer()] })
  left = new AbortController()
})
afterEach(() => left.abort())

async function follow(args = {}, store = createMemoryStore()) {
  const drivers = new Map([[cloud.id, cloud]])
  const offers = createOffers({ drivers, store, clock, policy: defaultPolicy, onError: () => {} })
  const context: RequestContext = {
    requestId: 'req_1',
    principal: { accountId: 'acc_a', keyId: 'key_1', scopes: new Set() },
    signal: left.signal,
    startedAt: 0,
    headers: new Map(),
    chats: { count: 0 },
  }
  const told: string[] = []
  const source = (await offersSource(offers, clock, defaultPolicy)(args, context)) as AsyncIterable<readonly Offer[]>
  const ended = (async () => {
    for await (const list of source)
      told.push(list.map(({ region, pricePerGpuHour }) => `${region} ${pricePerGpuHour}`).join(','))
  })()
  const pass = async (minutes: number) => {
    for (let at = 0; at < minutes; at++) await clock.advance(MINUTE_MS)
    return told
  }
  return { pass, ended }
}

it('tells the offers at once, then only what is another price, another offer or one less', async () => {
  const { pass, ended } = await follow()
  expect(await pass(3)).toEqual(['eu-1 720000000'])
  cloud.offers = [testOffer({ pricePerGpuHour: 700_000_000n })]
  expect(await pass(3)).toEqual(['eu-1 720000000', 'eu-1 700000000'])
  cloud.offers = [...cloud.offers, testOffer({ region: 'us-1', pricePerGpuHour: 800_000_000n })]
  expect((await pass(3)).at(-1)).toBe('eu-1 700000000,us-1 800000000')
  cloud.offers = []
  expect((await pass(3)).slice(3)).toEqual([''])
  left.abort()
  await ended
})

it('tells nothing of offers that its filters leave out', async () => {
  const { pass } = await follow({ maxPrice: '0.75' })
  expect(await pass(2)).toEqual(['eu-1 720000000'])
  cloud.offers = [...cloud.offers, testOffer({ region: 'us-1', pricePerGpuHour: 800_000_000n })]
  expect(await pass(2)).toHaveLength(1)
})

it('goes on when the database was in trouble', async () => {
  const store = createMemoryStore()
  const { experience } = store
  store.experience = async () => {
    throw new DatabaseOutage('connection')
  }
  const { pass } = await follow({}, store)
  expect(await pass(2)).toEqual([])
  store.experience = experience
  expect(await pass(2)).toEqual(['eu-1 720000000'])
})
