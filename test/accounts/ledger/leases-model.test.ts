/**
 * Several processes lease of shared accounts, and everything happens to them: after every step the rows are added up again by
 * other arithmetic, and compared with what was acknowledged.
 */
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Operation } from '../../../subgraphs/accounts/ledger/operations/operation.js'
import { ledgerEntities } from '../../../subgraphs/accounts/ledger/ledger-tables.js'
import { testDatabase, type TestDatabase } from '../../kit/database.js'
import { byEffort, effort } from '../../kit/effort.js'
import { ACCOUNTS, PROCESSES, step, type Step } from './kit/lease-steps.js'
import { MINUTE_MS, usage } from './kit/ledger-kit.js'
import { World, type WorldProcess } from './kit/lease-world.js'

/** What dead processes leased must be gone by then. */
const GONE_MS = 30_000
/** A lease is of use to its process for so long. */
const USE_MS = 17_000

interface OpenHold {
  readonly id: string
  readonly account: number
  readonly owner: WorldProcess
  readonly amount: bigint
}

class Run {
  readonly #holds: OpenHold[] = []
  readonly #given = Array.from({ length: ACCOUNTS }, () => 0n)
  readonly #charged = Array.from({ length: ACCOUNTS }, () => 0n)
  /** What processes had asked for when they were killed: done or not, nobody was told. */
  readonly #inDoubt = Array.from({ length: ACCOUNTS }, () => 0n)
  readonly #stalledAt = new Map<WorldProcess, number>()
  #ids = 0

  constructor(
    readonly world: World,
    readonly name: string,
    readonly seen: Map<string, number>,
  ) {}

  async begin(): Promise<void> {
    while (this.world.living.length < PROCESSES) await this.world.start([0, 40_000, -90_000][this.world.living.length])
    this.world.isDeaf = false
    const [first] = this.world.living
    for (let account = 0; account < ACCOUNTS; account++) {
      await first!.ledger.openAccount(this.#account(account), { monthlyCap: null })
      await this.#topUp(first!, account, 3_000n)
    }
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const one of steps) {
      await this.#apply(one)
      await this.world.settled()
      await this.#check(one.verb)
    }
  }

  /** Everything ends: what was lost to nobody is there again. */
  async finish(): Promise<void> {
    for (const process of this.world.processes) if (process.state === 'stalled') await this.#wake(process)
    for (const hold of this.#holds.splice(0)) if (hold.owner.state === 'runs') await this.#settle(hold, 50)
    await this.world.advance(45_000)
    for (const { ledger } of this.world.living.slice(0, 1)) await ledger.sweep({ deadOwners: this.#dead() })
    await this.world.advance(45_000)
    await this.#check('the end')
    const rows = await this.world.rows()
    assert.deepEqual(
      rows.leases.filter(({ account_id: id }) => id.startsWith(this.name)),
      [],
      'everything is returned',
    )
    for (const found of rows.accounts.filter(({ account_id: id }) => id.startsWith(this.name))) assert.equal(found.held, 0n)
    const { violations } = await this.world.living[0]!.ledger.checkInvariants()
    assert.deepEqual(violations, [])
  }

  async #apply(one: Step): Promise<void> {
    switch (one.verb) {
      case 'chats':
        return this.#on(one.process, (owner) => this.#chats(owner, one))
      case 'settle':
      case 'stream':
      case 'leave':
        return this.#onHold(one)
      case 'session':
        return this.#on(one.process, (owner) => this.#session(owner, one))
      case 'topUp':
        return this.#on(one.process, (owner) => this.#topUp(owner, one.account, one.amount))
      case 'cap':
        return this.#on(one.process, ({ ledger }) => ledger.setMonthlyCap(this.#account(one.account), one.amount))
      case 'wait':
        return this.world.advance(one.seconds * 1_000)
      case 'break':
        return this.#on(one.process, async (owner) => owner.arm(one.point))
      case 'kill':
        return this.#on(one.process, (owner) => this.#kill(owner, one.after))
      case 'stall':
        return this.#on(one.process, (owner) => this.#stall(owner, one.seconds))
      case 'wake':
        for (const process of this.world.processes) if (process.state === 'stalled') await this.#wake(process)
        return
      case 'deaf':
        this.world.isDeaf = one.isDeaf
    }
  }

  async #chats(owner: WorldProcess, { account, count, amount }: Step & { verb: 'chats' }): Promise<void> {
    const one = async () => {
      const id = `${this.name}-${this.#ids++}`
      const result = await owner.ledger.reserve(this.#request(owner, id, account, amount, 'chat'))
      if (!result.ok) return this.#count(`chat ${result.reason}`)
      this.#holds.push({ id, account, owner, amount })
      const isInMemory = owner.ledger.holdsInMemory(this.#account(account)).some(({ holdId }) => holdId === id)
      this.#count(isInMemory ? 'chat in a lease' : 'chat in a row')
    }
    await Promise.all(Array.from({ length: count }, one))
  }

  async #onHold({ verb, hold: index, part }: Step & { verb: 'settle' | 'stream' | 'leave' }): Promise<void> {
    if (this.#holds.length === 0) return
    const hold = this.#holds[index % this.#holds.length]!
    if (hold.owner.state !== 'runs') return
    const { ledger } = hold.owner
    if (verb === 'stream') {
      const isMetered = await ledger.meter({ holdId: hold.id, amount: (hold.amount * BigInt(part)) / 200n })
      this.#count(`stream ${isMetered}`)
      if (part % 2 > 0) return
    }
    this.#holds.splice(index % this.#holds.length, 1)
    if (verb !== 'leave') return this.#settle(hold, part)
    await ledger.release({ holdId: hold.id })
    this.#count('leave')
  }

  /** @param part percent of the hold, and above what it covers */
  async #settle({ id, account, owner, amount }: OpenHold, part: number): Promise<void> {
    const total = (amount * BigInt(part)) / 100n
    const due = total < amount ? total : amount
    const settle = () => owner.ledger.settle({ holdId: id, amount: total, ...(part % 3 > 0 && { usage: usage() }) })
    const [{ charged, outcome }, again] = await Promise.all([settle(), settle()])
    assert.equal(charged, again.charged, 'a settlement has one result')
    // Others may have closed the hold of a process that stood still, at what was metered.
    if (!owner.hasSlept) assert.equal(charged, due, `a live process charges what it delivered, ${outcome}`)
    assert.ok(charged <= due || owner.hasSlept)
    this.#charged[account]! += charged
    this.#count(`settle ${charged < due ? 'less' : 'all'}`)
  }

  async #session(owner: WorldProcess, { account, amount }: Step & { verb: 'session' }): Promise<void> {
    const id = `${this.name}-session-${this.#ids++}`
    const placing = this.#request(owner, id, account, amount, 'session')
    const result = await owner.ledger.reserve(placing)
    this.#count(result.ok ? 'session' : `session ${result.reason}`)
    if (!result.ok) return
    const { charged } = await owner.ledger.capture({ holdId: id, total: amount / 3n })
    const more = await owner.ledger.extend({ holdId: id, toAmount: amount + 50n, expiresAt: placing.expiresAt })
    this.#count(more.ok ? 'extended' : `extended ${more.reason}`)
    const settled = await owner.ledger.settle({ holdId: id, amount: amount / 2n })
    assert.equal(charged, amount / 3n)
    assert.equal(settled.charged, amount / 2n)
    this.#charged[account]! += amount / 2n
  }

  async #topUp({ ledger }: WorldProcess, account: number, amount: bigint): Promise<void> {
    const idempotencyKey = `k${this.#ids++}`
    await ledger.topUp({ accountId: this.#account(account), amount, idempotencyKey, kind: 'top_up' })
    this.#given[account]! += amount
  }

  /** In the middle of charges and of leases that grow, and another takes its place. */
  async #kill(owner: WorldProcess, after: number | null): Promise<void> {
    if (after === null) await owner.kill()
    else {
      owner.killAfter(after)
      const own = this.#holds.filter((hold) => hold.owner === owner)
      for (const { id, amount } of own.slice(0, 4)) void owner.ledger.settle({ holdId: id, amount, usage: usage() })
      for (let index = 0; index < 4; index++) {
        const id = `${this.name}-lost-${this.#ids++}`
        void owner.ledger.reserve(this.#request(owner, id, index % ACCOUNTS, 40n, 'chat'))
      }
      void owner.ledger.openAccount(this.#account(0), { monthlyCap: null })
      await expect.poll(() => owner.state, { interval: 2 }).toBe('dead')
    }
    for (const hold of this.#holds.filter((hold) => hold.owner === owner)) {
      this.#holds.splice(this.#holds.indexOf(hold), 1)
      // What was metered of it may be charged by the others.
      this.#inDoubt[hold.account]! += hold.amount
    }
    this.#count(after === null ? 'kill' : 'kill between statements')
    await this.world.start()
  }

  async #stall(owner: WorldProcess, seconds: number | null): Promise<void> {
    if (this.world.living.length < 2) return
    owner.state = 'stalled'
    this.#stalledAt.set(owner, this.world.now)
    if (seconds === null) return
    await this.world.advance(seconds * 1_000)
    await this.#wake(owner)
  }

  async #wake(owner: WorldProcess): Promise<void> {
    owner.state = 'runs'
    const stoodMs = this.world.now - this.#stalledAt.get(owner)!
    if (stoodMs < USE_MS) return
    owner.hasSlept = true
    const [account] = [0]
    const inMemory = () => owner.ledger.holdsInMemory(this.#account(account)).length
    const before = inMemory()
    const id = `${this.name}-${this.#ids++}`
    const result = await owner.ledger.reserve(this.#request(owner, id, account, 1n, 'chat'))
    if (result.ok) this.#holds.push({ id, account, owner, amount: 1n })
    assert.equal(inMemory(), before, 'a process that stood still takes no hold in its old lease')
    this.#count('woke')
    await owner.clock.advance(0)
  }

  async #check(after: string): Promise<void> {
    const { accounts, leases, holds, entries } = await this.world.rows()
    const totalOf = (rows: readonly { account_id: string; amount: bigint }[], id: string) =>
      rows.filter((row) => row.account_id === id).reduce((sum, row) => sum + row.amount, 0n)
    for (let index = 0; index < ACCOUNTS; index++) {
      const id = this.#account(index)
      const found = accounts.find((row) => row.account_id === id)!
      const open = holds.filter((row) => row.account_id === id).reduce((sum, row) => sum + row.amount - row.captured, 0n)
      assert.equal(found.leased, totalOf(leases, id), `leased after ${after}`)
      assert.equal(found.held, open + found.leased, `held after ${after}`)
      assert.ok(found.balance >= found.held && found.held >= 0n, `covered after ${after}`)
      assert.equal(found.balance, totalOf(entries, id), `entries after ${after}`)
      const most = this.#given[index]! - this.#charged[index]!
      const least = most - this.#inDoubt[index]! - this.#sleeping(index)
      assert.ok(found.balance <= most && found.balance >= least, `${found.balance} of ${most} after ${after}`)
    }
    this.#checkProcesses(leases, after)
  }

  /** What others may have charged of the holds of processes that stand or stood still. */
  #sleeping(account: number): bigint {
    const own = this.#holds.filter((hold) => hold.account === account && (hold.owner.hasSlept || hold.owner.state === 'stalled'))
    return own.reduce((sum, { amount }) => sum + amount, 0n)
  }

  #checkProcesses(leases: Awaited<ReturnType<World['rows']>>['leases'], after: string): void {
    for (const one of this.world.processes) {
      const own = leases.filter((row) => row.process_id === one.ledger.ownerId)
      if (own.length > 0) this.#count('lease')
      const isLate = one.state === 'dead' && this.world.now - one.diedAt > GONE_MS
      assert.ok(!isLate || own.length === 0, `a dead process leases ${this.world.now - one.diedAt} ms later, after ${after}`)
      if (one.state !== 'runs' || one.hasSlept) continue
      assert.deepEqual(one.losses, [], `nothing is lost by a live process, after ${after}`)
      for (let index = 0; index < ACCOUNTS; index++) {
        const held = one.ledger.holdsInMemory(this.#account(index)).reduce((sum, { amount }) => sum + amount, 0n)
        const amount = own.find((row) => row.account_id === this.#account(index))?.amount ?? 0n
        assert.ok(held <= amount, `${held} in memory of a lease of ${amount} after ${after}`)
      }
    }
  }

  #request(owner: WorldProcess, holdId: string, account: number, amount: bigint, purpose: 'chat' | 'session') {
    const expiresAt = owner.clock.now() + 600 * MINUTE_MS
    return { holdId, accountId: this.#account(account), amount, purpose, expiresAt }
  }

  async #on(index: number, work: (owner: WorldProcess) => Promise<void>): Promise<void> {
    const { living } = this.world
    await work(living[index % living.length]!)
  }

  #dead = (): string[] => this.world.processes.flatMap(({ state, ledger }) => (state === 'dead' ? [ledger.ownerId] : []))
  #account = (index: number): string => `${this.name}-account-${index}`
  #count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1)
  }
}

let runs = 0
type Mutation = (operations: readonly Operation[]) => Operation[]

function anySteps(database: TestDatabase, seen: Map<string, number>, mutate?: Mutation) {
  return fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 45, size: 'max' }), async (steps) => {
    await using world = new World(database, mutate)
    const run = new Run(world, `run-${runs++}`, seen)
    await run.begin()
    await run.play(steps)
    await run.finish()
  })
}

const MUST_HAPPEN = [
  'chat in a lease',
  'chat in a row',
  'chat balance',
  'chat monthly_cap',
  'settle all',
  'leave',
  'stream true',
  'lease',
  'session',
  'session balance',
  'kill',
  'kill between statements',
  'woke',
]

describe('processes that lease of shared accounts', () => {
  test('keep every promise whatever happens to them', { timeout: 900_000 }, async () => {
    await using database = await testDatabase('postgres', ledgerEntities)
    const seen = new Map<string, number>()
    const usual = byEffort({ brief: 5, short: 25, long: 300 })
    const numRuns = process.env['LEDGER_RUNS'] === undefined ? usual : Number(process.env['LEDGER_RUNS'])
    await fc.assert(anySteps(database, seen), { numRuns, seed: 20_261_125, endOnFailure: true })
    // Few runs do not reach everything.
    const must = effort === 'brief' ? MUST_HAPPEN.slice(0, 2) : MUST_HAPPEN
    expect(must.filter((what) => !seen.has(what))).toEqual([])
  })
})

describe('the model notices processes that', () => {
  /** The number is of a history that finds it: most take dozens to, each of thousands of statements. Others follow it, should it not. */
  const mutants: [string, number, Mutation][] = [
    [
      'give back more than is free',
      17,
      (operations) => operations.map((one) => (one.kind === 'return_lease' ? { ...one, keep: one.keep / 2n } : one)),
    ],
    [
      'charge a hold under a new id each time',
      19,
      (operations) =>
        operations.map((one) => (one.kind === 'charge' ? { ...one, holdId: `${one.holdId}#${Math.random()}` } : one)),
    ],
    [
      'write down less of a hold than it set aside',
      37,
      (operations) => operations.map((one) => (one.kind === 'write_hold' ? { ...one, amount: one.amount / 2n } : one)),
    ],
    ['never renew', 19, (operations) => operations.map((one) => (one.kind === 'renew_leases' ? { ...one, leases: [] } : one))],
  ]
  test.each(mutants)('%s', { timeout: 300_000 }, async (_name, history, mutate) => {
    await using database = await testDatabase('postgres', ledgerEntities)
    const { failed } = await fc.check(anySteps(database, new Map(), mutate), {
      numRuns: 60,
      seed: 20_261_126,
      path: String(history),
      endOnFailure: true,
    })
    expect(failed).toBe(true)
  })
})
