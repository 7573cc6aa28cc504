/** Single life stories that state one guarantee each, on a virtual clock. */
import { describe, expect, it, vi } from 'vitest'
import { createActivity } from '../../subgraphs/compute/deployments/activity.js'
import { defaultPolicy } from '../../subgraphs/compute/policy.js'
import { parseRentRequest } from '../../subgraphs/compute/rentals/rent-request.js'
import type { GpuSession } from '../../subgraphs/compute/sessions/session.js'
import { createWaiters, type WaitResult } from '../../subgraphs/compute/deployments/waiters.js'
import { ManualClock } from '../kit/manual-clock.js'
import { createMemoryStore } from './kit/memory-store.js'
import { aSession } from './kit/session-fixture.js'
import { createWorld, testOffer, type WorldOptions } from './kit/world.js'

const USD = 1_000_000_000n
const plain = parseRentRequest({ gpuModel: 'L4', dockerImage: 'busybox' })

function tell(options: Partial<WorldOptions> = {}) {
  const world = createWorld({ balance: 10n * USD, ...options })
  const gateway = world.gateway()
  const { clock, store } = world
  const run = async (seconds: number) => {
    for (const until = clock.time + seconds * 1000; clock.time < until;) {
      await gateway.reconciler.tick()
      clock.time = Math.min(until, Math.max(clock.time + 100, (await store.nextDue()) ?? until))
    }
    await gateway.reconciler.tick()
  }
  const rent = (request = plain) => gateway.rentals.rent(request, { accountId: 'acc_a' }, null)
  const ask = () => gateway.deployments.ensure({ modelId: 'cold-model', accountId: 'acc_a' })
  const session = async (id: string): Promise<GpuSession> => (await store.find(id))!
  const model = async (): Promise<GpuSession> => [...store.sessions.values()].findLast(({ purpose }) => purpose === 'model')!
  return { ...world, gatewayOf: world.gateway, gateway, run, rent, ask, session, model }
}

describe('a rental', () => {
  it('raises its hold by ten minutes when less than two are left', async () => {
    const { rent, run, session, ledger } = tell()
    const { id } = await rent()
    await run(120)
    expect((await session(id)).phase).toBe('running')
    await run(380)
    expect(ledger.held('acc_a')).toBe(120_000_000n)
    await run(60)
    expect(ledger.held('acc_a')).toBeGreaterThan(200_000_000n)
  })

  it('ends as credits_exhausted when it cannot, charged no more than its hold', async () => {
    const { rent, run, session, ledger, cloud } = tell({ balance: 150_000_000n })
    const { id } = await rent()
    await run(1_200)
    const ended = await session(id)
    expect(ended).toMatchObject({ phase: 'terminated', terminationReason: 'credits_exhausted', holdPhase: 'closed' })
    expect(ended.finalCost! <= 120_000_000n).toBe(true)
    expect(ledger.balances.get('acc_a')).toBe(150_000_000n - ended.finalCost!)
    expect(cloud.existing()).toEqual([])
  })

  it('ends as credits_exhausted at the monthly cap', async () => {
    const { rent, run, session } = tell({ monthlyCap: 130_000_000n })
    const { id } = await rent()
    await run(1_200)
    expect(await session(id)).toMatchObject({ terminationReason: 'credits_exhausted' })
  })

  it('is billed through the last sign of life after a long silence of the gateway', async () => {
    const { rent, run, session, clock, cloud } = tell()
    const { id } = await rent()
    await run(120)
    const alive = (await session(id)).lastAliveAt!
    cloud.interrupt(cloud.existing()[0]!, false)
    clock.time += 3_600_000
    await run(60)
    const ended = await session(id)
    expect(ended).toMatchObject({ terminationReason: 'interrupted', lastAliveAt: alive })
    expect(ended.finalCost! < 120_000_000n).toBe(true)
  })

  it('takes the next offer when the first has no capacity, and leaves that one alone for five minutes', async () => {
    const { rent, run, session, cloud, store, clock } = tell()
    cloud.faults.create.push('capacity')
    const { id } = await rent()
    await run(60)
    expect(await session(id)).toMatchObject({ providerId: 'gp91', pricePerGpuHour: 720_000_000n })
    expect([...(await store.barredAt(clock.now()))]).toEqual(['fake/gp90/eu-1/L4/spot'])
  })

  it('that was not to be taken away does not become one that may be, however cheap', async () => {
    const { rent, run, session, cloud } = tell()
    const kept = testOffer({ spot: false })
    cloud.offers = [kept, testOffer({ providerId: 'gp91', pricePerGpuHour: 700_000_000n })]
    const { id } = await rent({ ...plain, spot: false })
    cloud.offers = cloud.offers.filter((offer) => offer !== kept)
    await run(60)
    expect(await session(id)).toMatchObject({ terminationReason: 'no_capacity', finalCost: 0n })
  })

  it('ends as offer_unavailable, free of charge, when the price rose by more than five percent', async () => {
    const { rent, run, session, cloud, ledger } = tell()
    const rented = await rent()
    cloud.offers = [testOffer({ pricePerGpuHour: 756_000_001n })]
    await run(120)
    expect(await session(rented.id)).toMatchObject({ terminationReason: 'offer_unavailable', finalCost: 0n, holdPhase: 'closed' })
    expect(ledger.balances.get('acc_a')).toBe(10n * USD)
    expect(cloud.calls.create).toBe(0)
  })

  it('starts at the agreed price when the price rose by five percent', async () => {
    const { rent, run, session, cloud } = tell()
    const rented = await rent()
    cloud.offers = [testOffer({ pricePerGpuHour: 756_000_000n })]
    await run(120)
    expect(await session(rented.id)).toMatchObject({ phase: 'running', pricePerGpuHour: 720_000_000n })
  })

  it('ends as timeout, free of charge, when it never comes up', async () => {
    const { rent, run, session, cloud, ledger } = tell()
    cloud.bootMs = 86_400_000
    const { id } = await rent()
    await run(700)
    expect(await session(id)).toMatchObject({ terminationReason: 'timeout', phase: 'terminated', finalCost: 0n })
    expect(ledger.balances.get('acc_a')).toBe(10n * USD)
  })

  it('is destroyed with patience: for as long as the provider refuses, with an alarm after 15 minutes', async () => {
    const { rent, run, session, cloud, gateway, counts } = tell()
    const { id } = await rent()
    await run(120)
    cloud.faults.destroy.push(...Array<'refuses'>(200).fill('refuses'))
    const ended = await gateway.rentals.terminate(id, 'acc_a')
    expect(ended.holdPhase).toBe('closed')
    await run(1_200)
    expect(cloud.existing()).toHaveLength(1)
    expect((await session(id)).phase).toBe('stopping')
    expect(counts.get('slow destroy')).toBeGreaterThan(0)
    expect(cloud.calls.destroy).toBeGreaterThan(1_200 / 61)
    cloud.faults.destroy.length = 0
    await run(120)
    expect(cloud.existing()).toEqual([])
    expect((await session(id)).phase).toBe('terminated')
  })

  it('survives a provider that cannot be reached: unknown is not gone', async () => {
    const { rent, run, session, cloud } = tell()
    const { id } = await rent()
    await run(120)
    cloud.faults.get.push(...Array<'error'>(30).fill('error'))
    await run(300)
    expect(await session(id)).toMatchObject({ phase: 'running', wanted: 'running' })
    expect(cloud.existing()).toHaveLength(1)
  })

  it('whose create a stop does not wait for is found by the next server and created once', async () => {
    const { rent, session, cloud, clock, gateway, counts, store, ...world } = tell()
    const timers: { callback: () => void; delayMs: number }[] = []
    Object.assign(clock, {
      setTimeout: (callback: () => void, delayMs: number) => (timers.push({ callback, delayMs }), () => {}),
    })
    const create = cloud.create.bind(cloud)
    cloud.create = async (spec) => (await create(spec), new Promise(() => {}))
    const { id } = await rent()
    await gateway.reconciler.start()
    await vi.waitUntil(() => cloud.calls.create === 1)
    const stopped = gateway.reconciler.stop()
    for (const { callback } of timers.filter(({ delayMs }) => delayMs === defaultPolicy.stopMs)) callback()
    await stopped
    const next = world.gatewayOf()
    for (let turn = 0; turn < 100 && (await session(id)).phase !== 'running'; turn++) {
      clock.time = Math.max(clock.time + 1_000, (await store.nextDue()) ?? 0)
      await next.reconciler.tick()
    }
    expect([(await session(id)).phase, counts.get('adopted'), cloud.calls.create]).toEqual(['running', 1, 1])
    expect(cloud.existing()).toHaveLength(1)
  })

  it('does not hammer a provider that fails: the circuit opens', async () => {
    const { rent, run, cloud } = tell()
    await rent()
    await run(120)
    cloud.faults.get.push(...Array<'error'>(1_000).fill('error'))
    const before = cloud.calls.get
    await run(600)
    expect(cloud.calls.get - before).toBeLessThan(30)
  })
})

describe('a model session', () => {
  it('goes back to cold after 15 minutes without a request, counted from running', async () => {
    const { ask, run, model, store } = tell()
    await ask()
    await run(120)
    expect((await model()).phase).toBe('running')
    await run(14 * 60)
    expect((await model()).wanted).toBe('running')
    await run(150)
    expect(await model()).toMatchObject({ wanted: 'terminated', terminationReason: 'idle', holdPhase: 'closed' })
    expect(await store.liveForModel('cold-model')).toBeNull()
  })

  it('is out of routing and settled at once, while its machine stays 30 seconds for requests in flight', async () => {
    const { ask, run, model, endpoints, cloud } = tell()
    await ask()
    await run(120)
    expect(endpoints.size).toBe(1)
    while ((await model()).wanted === 'running') await run(5)
    expect(endpoints.size).toBe(0)
    expect(cloud.existing()).toHaveLength(1)
    await run(25)
    expect(cloud.existing()).toHaveLength(1)
    await run(20)
    expect(cloud.existing()).toEqual([])
  })

  it('stays while requests come, and costs its payer only what tokens did not pay', async () => {
    const { ask, run, model, revenue, store, clock, ledger } = tell()
    await ask()
    await run(120)
    for (let i = 0; i < 6; i++) {
      await store.noteActivity('cold-model', clock.now())
      await run(600)
    }
    const running = await model()
    expect(running.phase).toBe('running')
    revenue.set(running.id, 700_000_000n)
    await run(16 * 60)
    const ended = await model()
    expect(ended.terminationReason).toBe('idle')
    const timeCost = 720_000_000n * BigInt(Math.floor(ended.aliveMs / 1000))
    expect(ended.finalCost).toBe((timeCost + 3599n) / 3600n - 700_000_000n)
    expect(ledger.balances.get('acc_a')).toBe(10n * USD - ended.finalCost!)
  })

  it('starts again after an interruption when it was asked for lately, else stays cold', async () => {
    const { ask, run, model, cloud, store, clock } = tell()
    await ask()
    await run(120)
    const first = await model()
    await store.noteActivity('cold-model', clock.now())
    cloud.interrupt(cloud.existing()[0]!, true)
    await run(200)
    const second = await model()
    expect(second.id).not.toBe(first.id)
    expect(second.phase).toBe('running')
    await run(400)
    cloud.interrupt(cloud.existing()[0]!, true)
    await run(60)
    expect((await model()).id).toBe(second.id)
    expect(await model()).toMatchObject({ wanted: 'terminated', terminationReason: 'interrupted' })
  })

  it('promises what lately happened once it happened five times', async () => {
    const { ask, store, clock } = tell()
    const kind = { purpose: 'model', modelId: 'cold-model', wanted: 'terminated', phase: 'terminated' } as const
    for (const seconds of [30, 40, 50, 60, 70]) {
      expect((await tell().ask()).kind).toBe('deploying')
      await store.insert(
        aSession({ ...kind, createdAt: 0, runningAt: seconds * 1000 }),
        { maxConcurrentSessions: null, maxHourlySpend: null },
        [],
      )
    }
    expect(await ask()).toMatchObject({ estimatedReadySeconds: 60, retryAfterSeconds: 60 })
    clock.time += 58_000
    expect(await ask()).toMatchObject({ alreadyQueued: true, estimatedReadySeconds: 6, retryAfterSeconds: 6 })
  })

  it('keeps Retry-After between 5 and 600 seconds', async () => {
    const { ask, clock, store } = tell()
    expect(await ask()).toMatchObject({ retryAfterSeconds: 120, deploymentStatus: 'requested' })
    const [session] = [...store.sessions.values()]
    store.sessions.set(session!.id, { ...session!, estimatedReadySeconds: 9_000, phase: 'booting' })
    expect(await ask()).toMatchObject({ retryAfterSeconds: 600, estimatedReadySeconds: 9_000, deploymentStatus: 'provisioning' })
    store.sessions.set(session!.id, { ...session!, estimatedReadySeconds: 10, phase: 'loading' })
    clock.time += 9_500
    expect(await ask()).toMatchObject({ retryAfterSeconds: 5, estimatedReadySeconds: 1, deploymentStatus: 'loading' })
  })

  it('does not become a second session when every offer is barred: the caller hears that no GPU is there', async () => {
    const { ask, store, clock } = tell()
    for (const provider of ['gp90', 'gp91', 'gp92']) await store.bar(`fake/${provider}/eu-1/L4/spot`, clock.now() + 60_000)
    await expect(ask()).rejects.toMatchObject({ code: 'upstream_error' })
  })
})

describe('activity', () => {
  it('keeps a model active while a request is in flight, in any process, with few writes', async () => {
    const clock = new ManualClock()
    const store = createMemoryStore()
    const session = aSession({ purpose: 'model', modelId: 'm', lastActiveAt: 0 })
    store.sessions.set(session.id, session)
    const activity = createActivity(store, clock, () => {})
    const first = activity.touch('m')
    const second = activity.touch('m')
    // To end one twice does not end the other.
    first()
    first()
    for (let i = 0; i < 60; i++) await clock.advance(10_000)
    const current = store.sessions.get(session.id)!
    expect(clock.now() - current.lastActiveAt).toBeLessThanOrEqual(10_000)
    expect(current.version).toBeLessThan(70)
    second()
    await clock.advance(60_000)
    const after = store.sessions.get(session.id)!.version
    await clock.advance(600_000)
    expect(store.sessions.get(session.id)!.version).toBe(after)
    activity.stop()
  })
})

describe('waiting for a model', () => {
  function waiting(state: () => 'ready' | 'deploying' | 'cold') {
    const clock = new ManualClock()
    const waiters = createWaiters(async () => state(), clock, defaultPolicy)
    const results: WaitResult[] = []
    const wait = (timeoutMs = 90_000, signal = new AbortController().signal) =>
      void waiters.wait('m', timeoutMs, signal).then((result) => results.push(result))
    return { clock, waiters, results, wait }
  }

  it('admits 32 at once and lets them go in batches of 8', async () => {
    let state: 'ready' | 'deploying' = 'deploying'
    const { clock, waiters, results, wait } = waiting(() => state)
    for (let i = 0; i < 33; i++) wait()
    await clock.advance(0)
    expect(results).toEqual(['full'])
    state = 'ready'
    waiters.wake('m')
    await clock.advance(0)
    expect(results).toHaveLength(9)
    await clock.advance(200)
    expect(results).toHaveLength(17)
    await clock.advance(2_000)
    expect(results).toHaveLength(33)
  })

  it('ends in time, with the client, with the session, and notices what another process did within a second', async () => {
    let state: 'ready' | 'deploying' | 'cold' = 'deploying'
    const { clock, results, wait } = waiting(() => state)
    wait(5_000)
    await clock.advance(5_000)
    expect(results).toEqual(['timeout'])
    const client = new AbortController()
    wait(90_000, client.signal)
    wait(90_000, AbortSignal.abort())
    client.abort()
    await clock.advance(0)
    expect(results).toEqual(['timeout', 'gone', 'gone'])
    wait()
    await clock.advance(0)
    state = 'cold'
    await clock.advance(1_000)
    expect(results.at(-1)).toBe('failed')
    state = 'deploying'
    wait()
    await clock.advance(10)
    state = 'ready'
    await clock.advance(1_000)
    expect(results.at(-1)).toBe('ready')
  })
})
