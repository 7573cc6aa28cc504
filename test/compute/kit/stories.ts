/** Life stories of sessions: random commands against a small world, and what must hold after each of them and at the end. */
import * as fc from 'fast-check'
import { AppError } from '#platform/errors.js'
import { costOf, hourlyPrice } from '../../../subgraphs/compute/sessions/session-cost.js'
import { labelKeyOf } from '../../../subgraphs/compute/sessions/session.js'
import { statusOf, type GpuSession } from '../../../subgraphs/compute/sessions/session.js'
import { parseLabel } from '../../../subgraphs/compute/drivers/driver.js'
import { parseRentRequest } from '../../../subgraphs/compute/rentals/rent-request.js'
import type { CallFault, CreateFault, DestroyFault } from '../../kit/clouds/fake-cloud.js'
import { ACCOUNTS, count, Crash, createWorld, type Gateway, type World, type WorldOptions } from './world.js'

export type Command =
  | { do: 'rent'; account: number; model: boolean; key: number | null }
  | { do: 'ask'; account: number; gateway: number }
  | { do: 'askTogether'; stagger: number }
  | { do: 'terminate'; pick: number }
  | { do: 'tick'; gateway: number }
  | { do: 'tickBoth' }
  | { do: 'wait'; seconds: number }
  | { do: 'run'; minutes: number }
  | { do: 'interrupt'; pick: number; vanishes: boolean }
  | { do: 'deaf'; on: boolean }
  | { do: 'earn'; nano: number }
  | { do: 'createFault'; fault: CreateFault }
  | { do: 'callFault'; verb: 'get' | 'list'; fault: CallFault; times: number }
  | { do: 'destroyFault'; fault: DestroyFault; times: number }
  | { do: 'crash'; gateway: number; after: number }
  | { do: 'pause'; gateway: number; after: number }
  | { do: 'resume'; gateway: number }
  | { do: 'leftover'; isOurs: boolean }

const gateway = fc.integer({ min: 0, max: 1 })
const account = fc.integer({ min: 0, max: 1 })
const pick = fc.nat({ max: 9 })
/** How many effects a gateway still has before it dies or stops. */
const after = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 150 }))

export const commandArbitrary: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('rent' as const), account, model: fc.boolean(), key: fc.option(fc.nat({ max: 2 })) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('ask' as const), account, gateway }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('askTogether' as const), stagger: fc.nat({ max: 40 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('terminate' as const), pick }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('tick' as const), gateway }) },
  { weight: 3, arbitrary: fc.constant({ do: 'tickBoth' as const }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 90 }) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('run' as const), minutes: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('interrupt' as const), pick, vanishes: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('deaf' as const), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('earn' as const), nano: fc.integer({ min: 1, max: 200_000_000 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('createFault' as const),
      fault: fc.constantFrom<CreateFault>(
        'capacity',
        'price_moved',
        'invalid',
        'auth',
        'rate_limited',
        'doubt_created',
        'doubt_late',
        'doubt_nothing',
        'failed_with_id',
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('callFault' as const),
      verb: fc.constantFrom('get' as const, 'list' as const),
      fault: fc.constantFrom<CallFault>('error', 'rate_limited', 'stale'),
      times: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('destroyFault' as const),
      fault: fc.constantFrom<DestroyFault>('error', 'lies', 'refuses', 'acts_then_errors'),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('crash' as const), gateway, after }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pause' as const), gateway, after }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resume' as const), gateway }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leftover' as const), isOurs: fc.boolean() }) },
)

export interface StoryOptions extends WorldOptions {
  readonly sweeper: boolean
}

/** One story. Throws with the broken promise; answers what it reached. */
export async function tellStory(commands: readonly Command[], options: StoryOptions): Promise<World> {
  const story = new Story(options)
  for (const command of commands) {
    await story.obey(command)
    story.check()
  }
  await story.converge()
  return story.world
}

/** Nobody waits for another request in this world: the clock stands still while one is answered. */
const NO_PATIENCE = AbortSignal.abort()

const NO_RESTART: ReadonlySet<Command['do']> = new Set(['crash', 'pause', 'wait', 'createFault', 'callFault', 'destroyFault'])

const isLeftover = (label: string): boolean => label.includes('-0000000000000000000000000-')

class Story {
  readonly world: World
  readonly #gateways: Gateway[]
  readonly #options: StoryOptions
  /** What was once said to be final. */
  readonly #final = new Map<string, string>()
  #foreign = 0

  constructor(options: StoryOptions) {
    this.#options = options
    this.world = createWorld(options)
    this.#gateways = [this.world.gateway(), this.world.gateway()]
  }

  #gateway(index: number): Gateway {
    const gateway = this.#gateways[index]!
    if (!gateway.isDead) return gateway
    count(this.world.counts, 'restarted')
    return (this.#gateways[index] = this.world.gateway())
  }

  /** Runs something on a gateway; it may be refused, die half-way, or get stuck and go on at some later time. */
  async #attempt<T>(index: number, work: (gateway: Gateway) => Promise<T>): Promise<T | null> {
    const gateway = this.#gateway(index)
    if (gateway.resume) return null
    try {
      const working = work(gateway)
      working.catch(() => {})
      return await Promise.race([working, gateway.paused.then(() => null)])
    } catch (error) {
      if (error instanceof AppError) {
        // Nobody died or stopped, so nothing excuses a fault of ours.
        if (error.code === 'server_error' && gateway.crashIn === null && gateway.pauseIn === null) throw error
        count(this.world.counts, `refused ${error.code}`)
        return null
      }
      if (error instanceof Crash) return null
      throw error
    }
  }

  async obey(command: Command): Promise<void> {
    const { cloud, clock, store, revenue } = this.world
    if (!NO_RESTART.has(command.do)) for (const index of [0, 1]) this.#gateway(index)
    switch (command.do) {
      case 'rent':
        return this.#rent(command)
      case 'ask':
        return this.#ask(command.gateway, command.account)
      case 'askTogether':
        await Promise.all([0, 1, 0, 1].map((index, place) => this.#askAfter(place * command.stagger, index)))
        return
      case 'terminate':
        return this.#terminate(command.pick)
      case 'tick':
        return this.#tick(command.gateway)
      case 'tickBoth':
        await Promise.all([this.#tick(0), this.#tick(1)])
        return
      case 'wait':
        clock.time += command.seconds * 1000
        return
      case 'run':
        return this.#run(command.minutes * 60_000)
      case 'interrupt': {
        const there = cloud.existing().filter(({ label }) => !isLeftover(label))
        const victim = there[command.pick % Math.max(1, there.length)]
        if (victim) {
          count(this.world.counts, 'provider interrupted')
          cloud.interrupt(victim, command.vanishes)
        }
        return
      }
      case 'deaf':
        for (const url of ['http://10.0.0.0/v1', 'http://10.0.0.1/v1']) {
          if (command.on) cloud.deafUrls.add(url)
          else cloud.deafUrls.delete(url)
        }
        return
      case 'earn':
        for (const session of store.sessions.values()) {
          if (session.purpose === 'model' && session.wanted === 'running' && session.runningAt !== null) {
            revenue.set(session.id, (revenue.get(session.id) ?? 0n) + BigInt(command.nano))
          }
        }
        return
      case 'createFault':
        cloud.faults.create.push(command.fault)
        return
      case 'callFault':
        cloud.faults[command.verb].push(...Array<CallFault>(command.times).fill(command.fault))
        return
      case 'destroyFault':
        cloud.faults.destroy.push(...Array<DestroyFault>(command.times).fill(command.fault))
        return
      case 'crash':
        this.#gateways[command.gateway]!.crashIn ??= command.after
        return
      case 'pause':
        this.#gateways[command.gateway]!.pauseIn ??= command.after
        return
      case 'resume':
        return this.#resume(command.gateway)
      case 'leftover':
        return this.#leaveOver(command.isOurs)
    }
  }

  async #resume(index: number): Promise<void> {
    this.#gateways[index]!.resume?.()
    // What it was doing runs on by itself.
    await new Promise((resolve) => setImmediate(resolve))
  }

  /** An instance that no session answers for: from a lost database, or somebody else's program in the same cloud account. */
  async #leaveOver(isOurs: boolean): Promise<void> {
    const { cloud } = this.world
    if (isOurs && !this.#options.sweeper) return
    const faults = cloud.faults.create.splice(0)
    const label = isOurs ? 'slu-test-0000000000000000000000000-1' : 'slu-other-0000000000000000000000000-1'
    const nothing = { modelId: null, endpointKey: '', dockerImage: null, sshKey: null, fineTuned: false }
    await cloud.create({ label, offer: cloud.offers[0]!, gpuCount: 1, pricePerGpuHour: 1n, ...nothing })
    cloud.faults.create.push(...faults)
    if (!isOurs) this.#foreign++
  }

  async #rent({ account, model, key }: Extract<Command, { do: 'rent' }>): Promise<void> {
    const request = parseRentRequest({ gpuModel: 'L4', ...(model ? { modelId: 'cold-model' } : { dockerImage: 'busybox' }) })
    const idempotencyKey = key === null ? null : `key-${model}-${key}`
    const rental = await this.#attempt(account, ({ rentals }) =>
      rentals.rent(request, { accountId: ACCOUNTS[account]! }, idempotencyKey, NO_PATIENCE),
    )
    if (!rental || idempotencyKey === null) return
    const again = await this.#attempt(1 - account, ({ rentals }) =>
      rentals.rent(request, { accountId: ACCOUNTS[account]! }, idempotencyKey, NO_PATIENCE),
    )
    if (again && again.id !== rental.id) throw new Error('one idempotency key made two rentals')
  }

  /** Asks a few turns of the event loop's microtasks later, so that callers meet each other's half-done work. */
  async #askAfter(turns: number, index: number): Promise<void> {
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    this.world.clock.time += 1
    return this.#ask(index, index)
  }

  async #ask(index: number, account: number): Promise<void> {
    const live = await this.world.store.liveForModel('cold-model')
    const result = await this.#attempt(index, ({ deployments }) =>
      deployments.ensure({ modelId: 'cold-model', accountId: ACCOUNTS[account]! }),
    )
    if (result?.kind !== 'deploying') return
    count(this.world.counts, result.alreadyQueued ? 'joined' : 'started')
    if (live?.holdPhase === 'open' && !result.alreadyQueued) throw new Error('a model on its way was started again')
    if (result.retryAfterSeconds < 5 || result.retryAfterSeconds > 600) throw new Error('Retry-After out of range')
  }

  async #terminate(pick: number): Promise<void> {
    const rentals = [...this.world.store.sessions.values()].filter(
      (session) => session.purpose === 'rental' && session.terminationReason !== 'not_started',
    )
    const rental = rentals[pick % Math.max(1, rentals.length)]
    if (!rental) return
    count(this.world.counts, `DELETE while ${rental.wanted === 'terminated' ? 'terminated' : rental.phase}`)
    const held = this.world.ledger.held(rental.accountId)
    const ended = await this.#attempt(0, ({ rentals }) => rentals.terminate(rental.id, rental.accountId))
    if (!ended) return
    if (statusOf(ended) !== 'terminated' || ended.holdPhase !== 'closed')
      throw new Error('DELETE answered before the money was settled')
    if (rental.holdPhase === 'closed' && held !== this.world.ledger.held(rental.accountId))
      throw new Error('a repeated DELETE moved money')
  }

  async #tick(index: number): Promise<void> {
    await this.#attempt(index, ({ reconciler }) => reconciler.tick())
    if (this.#options.sweeper) await this.#attempt(index, ({ reconciler }) => reconciler.sweepIfDue())
    await this.#attempt(index, ({ reconciler }) => reconciler.auditIfDue())
  }

  /** Lets time pass in steps, as the loop would. */
  async #run(ms: number): Promise<void> {
    const { clock, store } = this.world
    const until = clock.time + ms
    for (let turn = 0; clock.time < until && turn < 200; turn++) {
      await this.#tick(turn % 2)
      const dueAt = await store.nextDue()
      clock.time = Math.min(until, Math.max(clock.time + 1_000, dueAt ?? until))
      this.check()
    }
  }

  check(): void {
    const { store, ledger, cloud } = this.world
    if (ledger.violations.length > 0) throw new Error(ledger.violations[0])
    const liveModels = [...store.sessions.values()].filter(
      (session) => session.purpose === 'model' && session.wanted === 'running',
    )
    if (liveModels.length > 1) throw new Error('two live sessions of one model')
    const existing = new Map<string, number>()
    for (const instance of cloud.existing()) {
      if (isLeftover(instance.label)) continue
      const key = parseLabel(instance.label)?.sessionKey ?? ''
      existing.set(key, (existing.get(key) ?? 0) + 1)
    }
    for (const session of store.sessions.values()) this.#checkSession(session, existing.get(labelKeyOf(session.id)) ?? 0)
    for (const account of ACCOUNTS) {
      if ((ledger.balances.get(account) ?? 0n) - ledger.held(account) < 0n) throw new Error('an account is overdrawn')
    }
  }

  #checkSession(session: GpuSession, instances: number): void {
    const { cloud, ledger } = this.world
    if (instances > 1) throw new Error(`${instances} instances of one session`)
    if (session.phase === 'terminated' && instances > 0) throw new Error('terminated, but an instance is left')
    const hold = ledger.holds.get(session.id)
    const key = labelKeyOf(session.id)
    const servedMs = session.modelId === null ? cloud.servedMs(key) : cloud.servedModelMs(key)
    const trueCost = costOf(hourlyPrice(session.pricePerGpuHour, session.gpuCount), servedMs)
    const charged = hold?.captured ?? 0n
    if (charged > trueCost) throw new Error(`charged ${charged} for ${servedMs} ms that cost ${trueCost}`)
    if (servedMs === 0 && charged > 0n) throw new Error('charged for a session that never ran')
    if (session.holdPhase === 'open' && hold?.state !== 'open') throw new Error('a session runs without a hold')
    if (session.holdPhase === 'closed' && hold?.state === 'open' && session.terminationReason !== 'not_started') {
      throw new Error('the record says closed, the hold is open')
    }
    if (session.terminationReason === 'interrupted' && !cloud.wasInterrupted(key)) throw new Error('interrupted by nobody')
    if (session.wanted === 'terminated') this.#checkFinal(session)
  }

  /** What was once decided stays: reason, time and, once closed, the charge. */
  #checkFinal(session: GpuSession): void {
    const decided = `${session.terminationReason} ${session.terminatedAt}`
    const before = this.#final.get(session.id) ?? decided
    if (before !== decided) throw new Error('terminal is not final')
    this.#final.set(session.id, decided)
    if (session.holdPhase !== 'closed') return
    const charge = String(this.world.ledger.holds.get(session.id)?.captured ?? 0n)
    const chargeBefore = this.#final.get(`${session.id} charge`) ?? charge
    if (chargeBefore !== charge) throw new Error('a closed session was charged again')
    this.#final.set(`${session.id} charge`, charge)
  }

  /** The faults stop; everything must come to rest: no instance, no open hold, nothing due. */
  async converge(): Promise<void> {
    const { cloud, clock, store, ledger, endpoints } = this.world
    for (const queue of Object.values(cloud.faults)) queue.length = 0
    cloud.deafUrls.clear()
    for (const gateway of this.#gateways) gateway.crashIn = gateway.pauseIn = null
    for (const index of [0, 1]) await this.#resume(index)
    for (const index of [0, 1]) this.#gateway(index)
    clock.time += 60_000
    await this.#run(60_000)
    for (const session of Array.from(store.sessions.values())) {
      if (session.purpose === 'rental' && session.terminationReason !== 'not_started') {
        await this.#gateway(0).rentals.terminate(session.id, session.accountId)
      }
    }
    for (let turn = 0; turn < 600 && (await store.nextDue()) !== null; turn++) {
      clock.time = Math.max(clock.time, (await store.nextDue()) ?? clock.time)
      await this.#tick(turn % 2)
      this.check()
    }
    // The audit frees the hold of a request that died after the reconciler had given up on it.
    clock.time += 5 * 60_000
    await this.#tick(0)
    this.check()
    const left = cloud.existing().length - this.#foreign
    if (left !== 0) throw new Error(left > 0 ? `${left} instances are left` : "somebody else's instance is gone")
    if ((await store.nextDue()) !== null) throw new Error('something never comes to rest')
    for (const account of ACCOUNTS) if (ledger.held(account) > 0n) throw new Error('credit is still held')
    if (endpoints.size > 0) throw new Error('a dead endpoint is still routable')
  }
}
