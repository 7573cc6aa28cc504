import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { expect, describe, test } from 'vitest'
import type { AppError } from '#platform/errors.js'
import { createBatchedLedger } from '../../../subgraphs/accounts/ledger/batched-ledger.js'
import type { BillResult, Ledger, ReserveResult } from '../../../subgraphs/accounts/ledger/ledger.js'
import type { LedgerTransport, Operation } from '../../../subgraphs/accounts/ledger/operations/operation.js'
import { byEffort } from '../../kit/effort.js'
import {
  crashable,
  dialects,
  keepsHoldsInMemory,
  MINUTE_MS,
  openTransport,
  type TestLedger,
  testLedger,
} from './kit/ledger-kit.js'
import { ACCOUNTS, type Answer, asUsual, type Command, commands, isBudgeted, LedgerModel, type Step } from './kit/ledger-model.js'

/** The same sequences every time, so that their coverage is certain; `LEDGER_RUNS=1000` takes that many new ones. */
const RUNS =
  process.env.LEDGER_RUNS === undefined
    ? {
        ...byEffort({ brief: { numRuns: 10, seed: 3 }, short: { numRuns: 24, seed: 1 }, long: { numRuns: 240, seed: 1 } }),
        endOnFailure: true,
      }
    : { numRuns: Number(process.env.LEDGER_RUNS) }
const EXPIRY_MS = 30 * MINUTE_MS
/** Nobody is dead for being silent in these runs, only for being replaced. */
const NEVER_STALE = { staleAfterMs: 400 * 24 * 60 * MINUTE_MS }

type Coverage = Map<string, number>
type Mutation = (operations: readonly Operation[]) => Operation[]

/** One sequence of commands against a real ledger and the model beside it. */
class Run {
  readonly model: LedgerModel
  readonly #owners: string[] = []
  #ledger!: Ledger
  #transport!: ReturnType<typeof crashable>
  #last: Step | undefined

  constructor(
    readonly kit: TestLedger,
    readonly name: string,
    readonly coverage: Coverage,
    readonly mutate: Mutation,
  ) {
    this.model = new LedgerModel(keepsHoldsInMemory(kit.database.dialect))
  }

  async start(): Promise<void> {
    this.#transport = crashable(openTransport(this.kit.database.url))
    const { mutate } = this
    const inner = this.#transport
    const transport: LedgerTransport = { ...inner, execute: (operations, time) => inner.execute(mutate(operations), time) }
    this.#ledger = await createBatchedLedger({ transport, clock: this.kit.clock })
    this.#owners.push(this.#ledger.ownerId)
    for (let account = 0; account < ACCOUNTS; account++) {
      await this.#ledger.openAccount(this.#account(account), { monthlyCap: null })
      const monthlyCap = this.model.keyCap(account)
      await this.#ledger.setBudget({ budgetId: this.#budget(account), accountId: this.#account(account), cap: monthlyCap })
    }
  }

  async execute({ step, crash }: Command): Promise<void> {
    if (step.verb === 'again') {
      if (!this.#last) return
      this.#count('again')
      return this.execute({ step: this.#last, crash })
    }
    this.#last = step
    const crashes = this.#transport.crashes
    if (crash) this.#transport.arm(crash)
    const [expected, actual] = await this.#apply(step)
    const crashed = this.#transport.crashes > crashes
    // After a crash the repetition may find its own work done.
    const comparable = (answer: Answer) => (crashed ? answer.replace('replayed', 'done').replace('duplicate', 'settled') : answer)
    assert.equal(comparable(actual), comparable(expected), step.verb)
    this.#count(`${step.verb} ${expected.replace(/\d+/g, 'n')}`)
    if (crash && crashed) this.#count(`crash ${crash}`)
    await this.#compareAccounts()
  }

  /** Everything agrees at the end, also as seen by another connection; then the run's holds make room for the next run. */
  async finish(): Promise<void> {
    await this.execute({ step: { verb: 'sweep' }, crash: null })
    await this.#compareHolds(this.#ledger, [...this.model.holds])
    await this.#compareHolds(
      this.kit.ledger,
      [...this.model.holds].filter(([, hold]) => !(hold.open && hold.inMemory)),
    )
    assert.deepEqual((await this.#ledger.checkInvariants()).violations, [])
  }

  async #compareHolds(ledger: Ledger, expected: [string, ReturnType<LedgerModel['holds']['get']>][]): Promise<void> {
    const found = await ledger.readHolds([...this.model.holds.keys()].map(this.#nameOf))
    assert.equal(found.size, expected.length)
    for (const [id, hold] of expected) {
      const { amount, captured, metered, state } = found.get(this.#nameOf(id))!
      assert.deepEqual(
        { amount, captured, metered, open: state === 'open' },
        { amount: hold?.amount, captured: hold?.captured, metered: hold?.metered, open: hold?.open },
      )
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.model.holds.keys()].map((id) => this.kit.ledger.release({ holdId: this.#nameOf(id) })))
    await this.#ledger.close()
  }

  async #apply(wanted: Step): Promise<[Answer, Answer]> {
    const { model, kit } = this
    // Memory does not know what every id in the file was used for, and chats do not use the ids of others.
    const step = model.keepsHoldsInMemory && wanted.verb === 'reserve' ? asUsual(wanted) : wanted
    const ledger = this.#ledger
    const month = new Date(kit.clock.now()).toISOString().slice(0, 7)
    const expiresAt = kit.clock.now() + EXPIRY_MS
    switch (step.verb) {
      case 'reserve': {
        const { amount, purpose } = step
        const budgetIds = isBudgeted(step.hold) ? [this.#budget(step.account)] : undefined
        const accountId = this.#account(step.account)
        const request = { holdId: this.#hold(step.hold), accountId, amount, purpose, expiresAt, budgetIds }
        return [model.reserve(step, month, expiresAt), await answer(Promise.resolve(ledger.reserve(request)).then(reserveAnswer))]
      }
      case 'extend': {
        const request = { holdId: this.#hold(step.hold), toAmount: step.amount, expiresAt }
        return [
          model.extend(model.idOf(step.hold), step.amount, month, expiresAt),
          await answer(ledger.extend(request).then(reserveAnswer)),
        ]
      }
      case 'meter':
        return [
          String(model.meter(model.idOf(step.hold), step.amount)),
          String(await ledger.meter({ holdId: this.#hold(step.hold), amount: step.amount })),
        ]
      case 'capture':
        return [
          model.bill(model.idOf(step.hold), step.amount, false, month),
          billAnswer(await ledger.capture({ holdId: this.#hold(step.hold), total: step.amount })),
        ]
      case 'settle':
        return [
          model.bill(model.idOf(step.hold), step.amount, true, month),
          billAnswer(await ledger.settle({ holdId: this.#hold(step.hold), amount: step.amount })),
        ]
      case 'release':
        return [
          model.bill(model.idOf(step.hold), 0n, true, month),
          billAnswer(await ledger.release({ holdId: this.#hold(step.hold) })),
        ]
      case 'topUp': {
        const request = {
          accountId: this.#account(step.account),
          amount: step.amount,
          idempotencyKey: `k${step.key}`,
          kind: 'top_up',
        }
        const result = ledger.topUp(request).then(({ applied }) => (applied ? 'done' : 'replayed'))
        return [model.topUp(step.account, step.key, step.amount, month), await answer(result)]
      }
      case 'cap':
        model.setCap(step.account, step.cap)
        await ledger.setMonthlyCap(this.#account(step.account), step.cap)
        return ['done', 'done']
      case 'keyCap': {
        const budget = { budgetId: this.#budget(step.account), accountId: this.#account(step.account) }
        model.setKeyCap(step.account, step.cap)
        await ledger.setBudget({ ...budget, cap: step.cap })
        return ['done', 'done']
      }
      default:
        return this.#pass(step.verb, month)
    }
  }

  async #pass(verb: 'nextMonth' | 'expire' | 'restart' | 'sweep' | 'again', month: string): Promise<[Answer, Answer]> {
    const { clock } = this.kit
    if (verb === 'nextMonth') clock.nextMonth()
    if (verb === 'expire') clock.time += EXPIRY_MS + 1
    if (verb === 'restart') {
      // As after kill -9: nothing is said to anybody, and a new process takes over.
      await this.#transport.kill()
      await this.start()
      this.model.restart()
    }
    if (verb !== 'sweep') return ['done', 'done']
    const { closed } = await this.#ledger.sweep({ ...NEVER_STALE, deadOwners: this.#owners.slice(0, -1) })
    const expected = [...this.model.sweep(clock.now(), month)].map(([id, charged]) => `${this.#nameOf(id)} ${charged}`)
    if (expected.length > 0) this.#count('swept a hold')
    const actual = closed.map(({ holdId, charged }) => `${holdId} ${charged}`)
    // A crash hides from the ledger what the first attempt closed; the state is compared in any case.
    return this.#transport.crashes > 0 ? ['done', 'done'] : [expected.toSorted().join(), actual.toSorted().join()]
  }

  async #compareAccounts(): Promise<void> {
    const period = new Date(this.kit.clock.now()).toISOString().slice(0, 7)
    for (let account = 0; account < ACCOUNTS; account++) {
      const accountId = this.#account(account)
      const { balance, held, spent, monthlyCap } = await this.#ledger.read(accountId)
      assert.deepEqual(
        { balance, held, spent, monthlyCap },
        {
          balance: this.model.balance(account),
          held: this.model.held(account),
          spent: this.model.spent(account, period),
          monthlyCap: this.model.cap(account),
        },
      )
      assert.ok(balance >= held)
    }
    await this.#compareBudgets(period)
  }

  async #compareBudgets(period: string): Promise<void> {
    const budgets = await this.#ledger.readBudgets(Array.from({ length: ACCOUNTS }, (_, account) => this.#budget(account)))
    for (let account = 0; account < ACCOUNTS; account++) {
      const found = budgets.get(this.#budget(account))
      assert.deepEqual(found && { held: found.held, spent: found.spent, cap: found.cap }, {
        held: this.model.held(account, 'budgeted'),
        spent: this.model.spent(account, period, 'budgeted'),
        cap: this.model.keyCap(account),
      })
    }
  }

  #budget = (account: number): string => `${this.name}-budget-${account}`
  #account = (account: number): string => `${this.name}-account-${account}`
  #nameOf = (id: string): string => `${this.name}-hold-${id}`
  #hold = (hold: number): string => this.#nameOf(this.model.idOf(hold))
  #count(label: string): void {
    this.coverage.set(label, (this.coverage.get(label) ?? 0) + 1)
  }
}

const reserveAnswer = (result: ReserveResult): Answer => {
  if (!result.ok) return result.reason
  return result.replayed ? 'replayed' : 'done'
}

const billAnswer = ({ outcome, charged }: BillResult): Answer => (outcome === 'unknown' ? 'unknown' : `${outcome} ${charged}`)

/** Errors with a name of their own are answers too. */
const answer = (result: Promise<Answer>): Promise<Answer> =>
  result.catch((error: AppError) => {
    if (error.code === 'idempotency_conflict') return 'conflict'
    if (error.code === 'not_found') return 'unknown'
    throw error
  })

let runs = 0
const agreesWithModel = (kit: TestLedger, coverage: Coverage, mutate: Mutation = (operations) => [...operations]) =>
  fc.asyncProperty(commands(40), async (sequence) => {
    const run = new Run(kit, `run-${runs++}`, coverage, mutate)
    await run.start()
    try {
      for (const command of sequence) await run.execute(command)
      await run.finish()
    } finally {
      await run.stop()
    }
  })

/** A suite that reaches nothing passes: these must all have happened. */
const MUST_HAPPEN = [
  'reserve done',
  'reserve replayed',
  'reserve balance',
  'reserve closed',
  'reserve conflict',
  'reserve monthly_cap',
  'reserve budget',
  'extend budget',
  'extend done',
  'extend balance',
  'extend closed',
  'extend unknown',
  'meter true',
  'capture settled n',
  'capture duplicate n',
  'settle settled n',
  'settle duplicate n',
  'topUp done',
  'topUp replayed',
  'topUp conflict',
  'nextMonth done',
  'restart done',
  'swept a hold',
  'again',
  'crash before',
  'crash after',
  'crash during',
]

describe('any sequence of operations, crashes and restarts', () => {
  test.each(dialects)('leaves the ledger on %s as an independent model says', { timeout: 600_000 }, async (dialect) => {
    await using kit = await testLedger(dialect)
    const coverage: Coverage = new Map()
    await fc.assert(agreesWithModel(kit, coverage), RUNS)
    expect(MUST_HAPPEN.filter((label) => !coverage.has(label))).toEqual([])
  })
})

describe('the model notices a ledger that', () => {
  const mutants: [string, Mutation][] = [
    [
      'charges one nano-dollar too much',
      (operations) =>
        operations.map((operation) =>
          operation.kind === 'bill' || operation.kind === 'charge' ? { ...operation, total: operation.total + 1n } : operation,
        ),
    ],
    [
      'writes down less of a hold than it has set aside',
      (operations) =>
        operations.map((operation) =>
          operation.kind === 'write_hold' ? { ...operation, amount: operation.amount / 2n } : operation,
        ),
    ],
    [
      'charges a hold in memory under a new id each time',
      (operations) =>
        operations.map((operation) =>
          operation.kind === 'charge' ? { ...operation, holdId: `${operation.holdId}#${Math.random()}` } : operation,
        ),
    ],
    [
      'keeps a hold open after its settlement',
      (operations) => operations.map((operation) => (operation.kind === 'bill' ? { ...operation, close: false } : operation)),
    ],
    [
      'sets less aside than was asked for',
      (operations) =>
        operations.map((operation) =>
          operation.kind === 'reserve' ? { ...operation, amount: operation.amount / 2n } : operation,
        ),
    ],
    [
      'forgets that a hold comes out of a budget',
      (operations) =>
        operations.map((operation) => (operation.kind === 'reserve' ? { ...operation, budgetIds: null } : operation)),
    ],
    [
      'forgets what was metered',
      (operations) =>
        operations.map((operation) => {
          if (operation.kind === 'write_hold') return { ...operation, metered: 0n }
          return operation.kind === 'meter' ? { ...operation, amount: 0n } : operation
        }),
    ],
    [
      'applies a repeated top-up again',
      (operations) =>
        operations.map((operation) =>
          operation.kind === 'top_up' ? { ...operation, reference: `${operation.reference}#${runs}${Math.random()}` } : operation,
        ),
    ],
  ]
  test.each(mutants)('%s', { timeout: 60_000 }, async (_name, mutate) => {
    await using kit = await testLedger('sqlite')
    const { failed } = await fc.check(agreesWithModel(kit, new Map(), mutate), {
      numRuns: 60,
      seed: 20_261_121,
      endOnFailure: true,
    })
    expect(failed).toBe(true)
  })
})
