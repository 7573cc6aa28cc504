/** Budgets of any period, of some models or all, against a second opinion that keeps a log and works everything out from it. */
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#platform/clock.js'
import { budgetsFor, type Principal } from '#platform/requests/context.js'
import { BudgetPeriod } from '#platform/vocabulary/words.js'
import { createBatchedLedger } from '../../../subgraphs/accounts/ledger/batched-ledger.js'
import { periodAt, spanNamed } from '../../../subgraphs/accounts/ledger/budget-period.js'
import type { Ledger } from '../../../subgraphs/accounts/ledger/ledger.js'
import { BudgetAction } from '../../../subgraphs/accounts/ledger/ledger-columns.js'
import type { LedgerTransport, Operation } from '../../../subgraphs/accounts/ledger/operations/operation.js'
import { byEffort } from '../../kit/effort.js'
import { crashable, type CrashPoint, dialects, openTransport, type TestLedger, testLedger, usage } from './kit/ledger-kit.js'

const MODELS = ['small', 'medium', 'large'] as const
type Model = (typeof MODELS)[number]

interface Terms {
  readonly every: BudgetPeriod
  readonly models: readonly Model[] | null
  readonly cap: bigint | null
  readonly action: BudgetAction
}

type Step =
  | { readonly verb: 'reserve'; readonly amount: bigint; readonly model: Model | null }
  | { readonly verb: 'settle' | 'capture' | 'extend'; readonly at: number; readonly amount: bigint }
  | { readonly verb: 'change'; readonly at: number; readonly cap: bigint | null; readonly action: BudgetAction }
  | { readonly verb: 'pass'; readonly ms: number }
  | { readonly verb: 'restart' }

interface Command {
  readonly step: Step
  readonly crash: CrashPoint | null
}

const cap = fc.option(fc.bigInt({ min: 1n, max: 120n }), { freq: 6 })
const action = fc.constantFrom(BudgetAction.STOP, BudgetAction.STOP, BudgetAction.STOP, BudgetAction.WARN)
const terms: fc.Arbitrary<Terms> = fc.record({
  every: fc.constantFrom(...Object.values(BudgetPeriod)),
  models: fc.option(fc.uniqueArray(fc.constantFrom(...MODELS), { minLength: 1, maxLength: 2 })),
  cap,
  action,
})
const amount = fc.bigInt({ min: 1n, max: 60n })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      verb: fc.constant('reserve' as const),
      amount,
      model: fc.option(fc.constantFrom(...MODELS), { freq: 3 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ verb: fc.constantFrom('settle', 'settle', 'capture', 'extend'), at: fc.nat(9), amount }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('change' as const), at: fc.nat(4), cap, action }) },
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constant('pass' as const),
      ms: fc.constantFrom(HOUR_MS / 3, HOUR_MS, 9 * HOUR_MS, DAY_MS, 3 * DAY_MS, 7 * DAY_MS, 25 * DAY_MS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('restart' as const) }) },
)
const crash = fc.oneof(
  { weight: 9, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom('before' as const, 'after' as const, 'during' as const) },
)
const story = fc.record({
  budgets: fc.array(terms, { minLength: 2, maxLength: 5 }),
  commands: fc.array(fc.record({ step, crash }), { minLength: 20, maxLength: 50, size: 'max' }),
})

/** Worked out another way than the ledger does: from the fields of a date, and a week by walking back to its Monday. */
function named(every: BudgetPeriod, at: number): string {
  const date = new Date(at)
  const [year, month, day, hour] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours()]
  if (every === BudgetPeriod.TOTAL) return 'total'
  if (every === BudgetPeriod.MONTH) return `${year} ${month}`
  if (every === BudgetPeriod.DAY) return `${year} ${month} ${day}`
  if (every === BudgetPeriod.HOUR) return `${year} ${month} ${day} ${hour}`
  const monday = new Date(at)
  while (monday.getUTCDay() !== 1) monday.setUTCDate(monday.getUTCDate() - 1)
  return monday.toISOString().slice(0, 10)
}

interface Hold {
  readonly id: string
  readonly isChat: boolean
  readonly budgets: readonly number[]
  amount: bigint
  captured: bigint
}

type Mutation = (operation: Operation) => Operation

const FAR = 4_000 * DAY_MS
const NEVER_STALE = { staleAfterMs: FAR }

class Run {
  readonly #open: Hold[] = []
  readonly #charges: { readonly at: number; readonly amount: bigint; readonly budgets: readonly number[] }[] = []
  readonly #owners: string[] = []
  readonly #terms: Terms[]
  #ledger!: Ledger
  #transport!: ReturnType<typeof crashable>
  #count = 0

  constructor(
    readonly kit: TestLedger,
    readonly name: string,
    readonly seen: Set<string>,
    readonly mutate: Mutation,
    budgets: readonly Terms[],
  ) {
    this.#terms = [...budgets]
  }

  async start(): Promise<void> {
    await this.#connect()
    await this.#ledger.openAccount(this.name, { monthlyCap: null })
    await this.#ledger.topUp({ accountId: this.name, amount: 1_000_000n, idempotencyKey: 'k', kind: 'top_up' })
    for (const at of this.#terms.keys()) await this.#setBudget(at)
  }

  async execute({ step, crash }: Command): Promise<void> {
    if (crash) this.#transport.arm(crash)
    const crashes = this.#transport.crashes
    await this.#apply(step)
    if (this.#transport.crashes > crashes) this.seen.add(`crash ${crash}`)
    await this.#compare()
  }

  async finish(): Promise<void> {
    for (const hold of this.#open.splice(0)) await this.#ledger.release({ holdId: hold.id })
    assert.deepEqual((await this.#ledger.checkInvariants()).violations, [])
    const entries = await this.kit.database.kysely
      .withTables<{ ledger_entry: { amount: bigint; budget_id: string | null; account_id: string } }>()
      .selectFrom('ledger_entry')
      .select(['amount', 'budget_id'])
      .where('account_id', '=', this.name)
      .execute()
    for (const at of this.#terms.keys()) {
      const own = entries.filter(({ budget_id: list }) => (list ?? '').split(' ').includes(this.#id(at)))
      const charged = this.#charges.filter(({ budgets }) => budgets.includes(at))
      assert.equal(-sum(own.map((entry) => entry.amount)), sum(charged.map((charge) => charge.amount)))
    }
  }

  stop = (): Promise<void> => this.#ledger.close()

  async #apply(step: Step): Promise<void> {
    switch (step.verb) {
      case 'reserve':
        return this.#reserve(step.amount, step.model)
      case 'settle':
        return this.#settle(step.at, step.amount)
      case 'capture':
        return this.#capture(step.at, step.amount)
      case 'extend':
        return this.#extend(step.at, step.amount)
      case 'change': {
        const at = step.at % this.#terms.length
        this.#terms[at] = { ...this.#terms[at]!, cap: step.cap, action: step.action }
        return this.#setBudget(at)
      }
      case 'pass':
        this.kit.clock.time += step.ms
        return
      case 'restart':
        return this.#restart()
    }
  }

  async #reserve(amount: bigint, model: Model | null): Promise<void> {
    const id = `${this.name}-${this.#count++}`
    const isChat = model !== null
    const budgets = [...this.#terms.entries()].flatMap(([at, { models }]) =>
      models === null || (model !== null && models.includes(model)) ? at : [],
    )
    const budgetIds = isChat ? budgetsFor(this.#principal(), () => [model]) : this.#principal().budgetIds
    assert.deepEqual((budgetIds ?? []).toSorted(), budgets.map(this.#id).toSorted())
    const result = await this.#ledger.reserve({
      holdId: id,
      accountId: this.name,
      amount,
      purpose: isChat ? 'chat' : 'session',
      expiresAt: this.kit.clock.now() + FAR,
      budgetIds,
    })
    this.#judge('reserve', result, budgets, amount)
    if (result.ok) this.#open.push({ id, isChat, budgets, amount, captured: 0n })
  }

  async #extend(at: number, more: bigint): Promise<void> {
    const hold = this.#holdAt(at)
    if (!hold) return
    const toAmount = hold.amount + more
    const result = await this.#ledger.extend({ holdId: hold.id, toAmount, expiresAt: this.kit.clock.now() + FAR })
    this.#judge('extend', result, hold.budgets, more)
    if (result.ok) hold.amount = toAmount
  }

  async #settle(at: number, total: bigint): Promise<void> {
    const hold = this.#holdAt(at)
    if (!hold) return
    const { charged } = await this.#ledger.settle({ holdId: hold.id, amount: total, ...(hold.isChat && { usage: usage() }) })
    this.#charge(hold, total)
    assert.equal(charged, hold.captured)
    this.#open.splice(this.#open.indexOf(hold), 1)
    this.seen.add('settle')
  }

  async #capture(at: number, total: bigint): Promise<void> {
    const hold = this.#holdAt(at)
    if (!hold || hold.isChat) return
    await this.#ledger.capture({ holdId: hold.id, total })
    this.#charge(hold, total)
    this.seen.add('capture')
  }

  /** As after kill -9: chats of the last process cost nothing, because nothing was metered on them. */
  async #restart(): Promise<void> {
    await this.#transport.kill()
    await this.#connect()
    await this.#ledger.sweep({ ...NEVER_STALE, deadOwners: this.#owners.slice(0, -1) })
    // One that was extended is a row of which nothing was metered either.
    this.#open.splice(0, this.#open.length, ...this.#open.filter(({ isChat }) => !isChat))
    this.seen.add('restart')
  }

  #charge(hold: Hold, total: bigint): void {
    const captured = total > hold.amount ? hold.amount : total
    if (captured <= hold.captured) return
    this.#charges.push({ at: this.kit.clock.now(), amount: captured - hold.captured, budgets: hold.budgets })
    hold.captured = captured
  }

  #judge(verb: string, result: Awaited<ReturnType<Ledger['reserve']>>, budgets: readonly number[], amount: bigint): void {
    const left = budgets.flatMap((at) => this.#left(at) ?? []).toSorted((a, b) => (a < b ? -1 : 1))
    const isRefused = left[0] !== undefined && left[0] < amount
    assert.equal(result.ok ? 'done' : result.reason, isRefused ? 'budget' : 'done', verb)
    this.seen.add(`${verb} ${isRefused ? 'refused' : 'done'}`)
    if (result.ok || !result.budget) return
    const told = budgets.find((at) => this.#id(at) === result.budget?.budgetId)
    assert.equal(told === undefined ? undefined : this.#left(told), left[0])
    assert.equal(result.budget.held, this.#held(told!))
    assert.equal(result.budget.spent, this.#spent(told!))
    this.seen.add(`refused for ${this.#terms[told!]!.every}`)
  }

  #left(at: number): bigint | null {
    const { cap, action } = this.#terms[at]!
    return cap === null || action === BudgetAction.WARN ? null : cap - this.#spent(at) - this.#held(at)
  }

  #held = (at: number): bigint =>
    sum(this.#open.filter(({ budgets }) => budgets.includes(at)).map((hold) => hold.amount - hold.captured))

  #spent(at: number): bigint {
    const { every } = this.#terms[at]!
    const now = named(every, this.kit.clock.now())
    const counted = this.#charges.filter((charge) => charge.budgets.includes(at) && named(every, charge.at) === now)
    return sum(counted.map((charge) => charge.amount))
  }

  async #compare(): Promise<void> {
    const found = await this.#ledger.readBudgets([...this.#terms.keys()].map(this.#id))
    for (const [at, { every }] of this.#terms.entries()) {
      const budget = found.get(this.#id(at))!
      const { held, spent, available } = budget
      const left = this.#left(at)
      const expected = { held: this.#held(at), spent: this.#spent(at), available: left !== null && left < 0n ? 0n : left }
      assert.deepEqual({ held, spent, available }, expected, every)
    }
  }

  #holdAt = (at: number): Hold | undefined => this.#open[at % Math.max(1, this.#open.length)]

  #principal(): Principal {
    const all = [...this.#terms.entries()]
    const budgetIds = all.flatMap(([at, { models }]) => (models === null ? this.#id(at) : []))
    const modelBudgets = all.flatMap(([at, { models }]) => (models ? { id: this.#id(at), models: new Set(models) } : []))
    return {
      accountId: this.name,
      keyId: 'key',
      scopes: new Set(['chat']),
      ...(budgetIds.length > 0 && { budgetIds }),
      ...(modelBudgets.length > 0 && { modelBudgets }),
    }
  }

  async #setBudget(at: number): Promise<void> {
    const { every, cap, action, models } = this.#terms[at]!
    const named = { budgetId: this.#id(at), accountId: this.name, ownerId: this.name, models: JSON.stringify(models) }
    await this.#ledger.setBudget({ ...named, every, cap, action })
  }

  async #connect(): Promise<void> {
    const inner = crashable(openTransport(this.kit.database.url))
    const { mutate } = this
    const transport: LedgerTransport = { ...inner, execute: (operations, time) => inner.execute(operations.map(mutate), time) }
    this.#transport = inner
    this.#ledger = await createBatchedLedger({ transport, clock: this.kit.clock })
    this.#owners.push(this.#ledger.ownerId)
  }

  #id = (at: number): string => `${this.name}-budget-${at}`
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)

let runs = 0
const agrees = (kit: TestLedger, seen: Set<string>, mutate: Mutation = (operation) => operation) =>
  fc.asyncProperty(story, async ({ budgets, commands }) => {
    const run = new Run(kit, `run-${runs++}`, seen, mutate, budgets)
    await run.start()
    try {
      for (const command of commands) await run.execute(command)
      await run.finish()
    } finally {
      await run.stop()
    }
  })

const MUST_HAPPEN = [
  'reserve done',
  'reserve refused',
  'extend done',
  'extend refused',
  'settle',
  'capture',
  'restart',
  ...Object.values(BudgetPeriod).map((every) => `refused for ${every}`),
  'crash before',
  'crash after',
  'crash during',
]

describe('budgets of any period and of any models', () => {
  test.each(dialects)(
    'count on %s what a log of holds and charges says, whatever happens',
    { timeout: 300_000 },
    async (dialect) => {
      await using kit = await testLedger(dialect)
      const seen = new Set<string>()
      const numRuns = byEffort({ brief: 12, short: 30, long: 120 })
      await fc.assert(agrees(kit, seen), { numRuns, seed: 20_261_123, endOnFailure: true })
      expect(MUST_HAPPEN.filter((what) => !seen.has(what))).toEqual([])
    },
  )

  const mutants: [string, Mutation][] = [
    [
      'forgets all but the first of the budgets of a hold',
      (operation) =>
        operation.kind === 'reserve' || operation.kind === 'charge'
          ? { ...operation, budgetIds: operation.budgetIds?.split(' ')[0] ?? null }
          : operation,
    ],
    [
      'counts every budget by the month',
      (operation) =>
        operation.kind === 'set_budget' ? { ...operation, terms: { ...operation.terms, every: BudgetPeriod.MONTH } } : operation,
    ],
    [
      'refuses where a budget only warns',
      (operation) =>
        operation.kind === 'set_budget' ? { ...operation, terms: { ...operation.terms, action: BudgetAction.STOP } } : operation,
    ],
  ]
  test.each(mutants)('are not kept by a ledger that %s, as the log tells', { timeout: 60_000 }, async (_name, mutate) => {
    await using kit = await testLedger('sqlite')
    const { failed } = await fc.check(agrees(kit, new Set(), mutate), { numRuns: 40, seed: 20_261_123, endOnFailure: true })
    expect(failed).toBe(true)
  })
})

test('a period holds its time, begins where the last one ended, and is found again by its name, for ISO weeks too', () => {
  const times = fc.integer({ min: 0, max: Date.UTC(2100, 0) })
  fc.assert(
    fc.property(times, fc.constantFrom(...Object.values(BudgetPeriod)), (at, every) => {
      const span = periodAt(every, at)
      expect(spanNamed(every, span.name)).toEqual(span)
      expect(span.from).toBeLessThanOrEqual(at)
      if (span.to === null) return
      expect(at).toBeLessThan(span.to)
      const next = periodAt(every, span.to)
      expect(next.from).toBe(span.to)
      expect(next.name > span.name).toBe(true)
      if (every === BudgetPeriod.WEEK) expect(new Date(span.from).getUTCDay()).toBe(1)
    }),
  )
  expect(periodAt(BudgetPeriod.WEEK, Date.UTC(2027, 0, 1)).name).toBe('2026-12-28')
})
