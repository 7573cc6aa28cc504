/**
 * A second opinion on the ledger, written naively: it keeps a log of what was acknowledged and works every figure out from that
 * log, where the ledger keeps running totals. The property test compares the two after every step.
 */
import * as fc from 'fast-check'
import type { CrashPoint } from './ledger-kit.js'

export const ACCOUNTS = 2
const HOLDS = 8
/** Every second pair of holds comes out of its account's budget. */
export const isBudgeted = (hold: number): boolean => hold % 4 >= 2

export type Step =
  | {
      readonly verb: 'reserve'
      readonly hold: number
      readonly account: number
      readonly amount: bigint
      readonly purpose: 'chat' | 'session'
    }
  | { readonly verb: 'extend' | 'meter' | 'capture' | 'settle'; readonly hold: number; readonly amount: bigint }
  | { readonly verb: 'release'; readonly hold: number }
  | { readonly verb: 'topUp'; readonly account: number; readonly key: number; readonly amount: bigint }
  /** Of the account, or of the budget in it. */
  | { readonly verb: 'cap' | 'keyCap'; readonly account: number; readonly cap: bigint | null }
  | { readonly verb: 'nextMonth' | 'expire' | 'restart' | 'sweep' | 'again' }

export interface Command {
  readonly step: Step
  /** Where the step's batch is made to fail first. */
  readonly crash: CrashPoint | null
}

const amount = fc.bigInt({ min: 0n, max: 160n })
const hold = fc.nat(HOLDS - 1)
const account = fc.nat(ACCOUNTS - 1)
const purpose = fc.constantFrom('chat' as const, 'session' as const)
const onHold = (verb: 'extend' | 'meter' | 'capture' | 'settle') =>
  fc.record({ verb: fc.constant(verb), hold, amount: verb === 'extend' ? fc.bigInt({ min: 0n, max: 350n }) : amount })
/** A hold mostly keeps its account and purpose, so that repeated reserves are replays more often than conflicts. */
const reserve = fc
  .record({ verb: fc.constant('reserve' as const), hold, account, amount, purpose, odd: fc.nat(9) })
  .map(({ odd, ...step }) =>
    odd === 0
      ? step
      : { ...step, account: step.hold % ACCOUNTS, purpose: step.hold % 3 === 0 ? ('session' as const) : ('chat' as const) },
  )

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: reserve },
  { weight: 5, arbitrary: onHold('extend') },
  { weight: 4, arbitrary: onHold('meter') },
  { weight: 5, arbitrary: onHold('capture') },
  { weight: 5, arbitrary: onHold('settle') },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('release' as const), hold }) },
  {
    weight: 4,
    arbitrary: fc.record({
      verb: fc.constant('topUp' as const),
      account,
      key: fc.nat(1),
      amount: fc.constantFrom(20n, 40n),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ verb: fc.constant('cap' as const), account, cap: fc.option(fc.bigInt({ min: 0n, max: 300n })) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ verb: fc.constant('keyCap' as const), account, cap: fc.option(fc.bigInt({ min: 0n, max: 200n })) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constantFrom('nextMonth' as const, 'expire' as const, 'restart' as const, 'sweep' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ verb: fc.constant('again' as const) }) },
)
const crash = fc.oneof(
  { weight: 9, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom('before' as const, 'after' as const, 'during' as const) },
)
/** Something to work with, so that most steps reach more than a refusal. */
const PROLOGUE: readonly Command[] = [
  { step: { verb: 'topUp', account: 0, key: 9, amount: 300n }, crash: null },
  { step: { verb: 'topUp', account: 1, key: 9, amount: 200n }, crash: null },
  { step: { verb: 'keyCap', account: 0, cap: 150n }, crash: null },
  { step: { verb: 'reserve', hold: 0, account: 0, amount: 60n, purpose: 'session' }, crash: null },
  { step: { verb: 'reserve', hold: 1, account: 1, amount: 60n, purpose: 'chat' }, crash: null },
  { step: { verb: 'reserve', hold: 2, account: 0, amount: 80n, purpose: 'chat' }, crash: null },
]

export const commands = (maxLength: number): fc.Arbitrary<Command[]> =>
  fc
    .array(fc.record({ step, crash }), { minLength: maxLength >> 1, maxLength, size: 'max' })
    .map((sequence) => [...PROLOGUE, ...sequence])

interface Movement {
  readonly account: number
  readonly budgeted: boolean
  readonly amount: bigint
  readonly month: string
}

interface ModelHold {
  readonly account: number
  readonly budgeted: boolean
  readonly purpose: 'chat' | 'session'
  readonly owner: number
  amount: bigint
  metered: bigint
  captured: bigint
  expiresAt: number
  open: boolean
}

/** What a verb is expected to answer, in the model's words. */
export type Answer = string

export class LedgerModel {
  readonly holds = new Map<number, ModelHold>()
  readonly #log: Movement[] = []
  readonly #caps: (bigint | null)[] = Array.from({ length: ACCOUNTS }, () => null)
  readonly #keyCaps: (bigint | null)[] = Array.from({ length: ACCOUNTS }, () => null)
  readonly #topUps = new Map<string, bigint>()
  owner = 0

  balance(account: number): bigint {
    return sum(this.#log.filter((movement) => movement.account === account).map((movement) => movement.amount))
  }

  held(account: number, only: 'all' | 'budgeted' = 'all'): bigint {
    const open = [...this.holds.values()].filter((hold) => hold.open && hold.account === account)
    return sum(open.filter((hold) => only === 'all' || hold.budgeted).map((hold) => hold.amount - hold.captured))
  }

  spent(account: number, month: string, only: 'all' | 'budgeted' = 'all'): bigint {
    const charges = this.#log.filter(
      (movement) =>
        movement.account === account && movement.amount < 0n && movement.month === month && (only === 'all' || movement.budgeted),
    )
    return -sum(charges.map((movement) => movement.amount))
  }

  cap(account: number): bigint | null {
    return this.#caps[account] ?? null
  }

  setCap(account: number, cap: bigint | null): void {
    this.#caps[account] = cap
  }

  keyCap(account: number): bigint | null {
    return this.#keyCaps[account] ?? null
  }

  setKeyCap(account: number, cap: bigint | null): void {
    this.#keyCaps[account] = cap
  }

  topUp(account: number, key: number, amount: bigint, month: string): Answer {
    const before = this.#topUps.get(`${account}/${key}`)
    if (before !== undefined) return before === amount ? 'replayed' : 'conflict'
    this.#topUps.set(`${account}/${key}`, amount)
    this.#log.push({ account, budgeted: false, amount, month })
    return 'done'
  }

  reserve(step: Step & { verb: 'reserve' }, month: string, expiresAt: number): Answer {
    const existing = this.holds.get(step.hold)
    if (existing) {
      if (existing.account !== step.account || existing.purpose !== step.purpose) return 'conflict'
      if (!existing.open) return 'closed'
      return existing.amount < step.amount ? 'conflict' : 'replayed'
    }
    const budgeted = isBudgeted(step.hold)
    const refused = this.#refusal(step, budgeted, step.amount, month)
    if (refused) return refused
    const { account, purpose, amount } = step
    const fresh = { owner: this.owner, metered: 0n, captured: 0n, expiresAt, open: true }
    this.holds.set(step.hold, { account, budgeted, purpose, amount, ...fresh })
    return 'done'
  }

  extend(id: number, toAmount: bigint, month: string, expiresAt: number): Answer {
    const hold = this.holds.get(id)
    if (!hold) return 'unknown'
    if (!hold.open) return 'closed'
    const refused = toAmount > hold.amount ? this.#refusal(hold, hold.budgeted, toAmount - hold.amount, month) : null
    if (refused) return refused
    if (toAmount <= hold.amount && expiresAt <= hold.expiresAt) return 'replayed'
    if (toAmount > hold.amount) hold.amount = toAmount
    hold.expiresAt = Math.max(hold.expiresAt, expiresAt)
    return 'done'
  }

  meter(id: number, amount: bigint): boolean {
    const hold = this.holds.get(id)
    if (!hold?.open) return false
    hold.metered = amount > hold.amount ? hold.amount : amount
    return true
  }

  bill(id: number, total: bigint, close: boolean, month: string): Answer {
    const hold = this.holds.get(id)
    if (!hold) return 'unknown'
    if (!hold.open) return `duplicate ${hold.captured}`
    const target = total > hold.amount ? hold.amount : total
    const charge = target > hold.captured ? target - hold.captured : 0n
    if (charge === 0n && !close) return `duplicate ${hold.captured}`
    if (charge > 0n) this.#log.push({ account: hold.account, budgeted: hold.budgeted, amount: -charge, month })
    hold.captured += charge
    hold.open = !close
    return `settled ${hold.captured}`
  }

  /** Closes and returns what a sweep has to close, with its charge. */
  sweep(now: number, month: string): Map<number, bigint> {
    const due = [...this.holds].filter(
      ([, hold]) => hold.open && (hold.expiresAt < now || (hold.purpose === 'chat' && hold.owner !== this.owner)),
    )
    for (const [id, hold] of due) this.bill(id, hold.metered, true, month)
    return new Map(due.map(([id, hold]) => [id, hold.captured]))
  }

  #refusal(
    { account }: { account: number },
    budgeted: boolean,
    amount: bigint,
    month: string,
  ): 'balance' | 'monthly_cap' | 'key_cap' | null {
    if (this.balance(account) < this.held(account) + amount) return 'balance'
    const cap = this.cap(account)
    if (cap !== null && this.spent(account, month) + this.held(account) + amount > cap) return 'monthly_cap'
    const keyCap = budgeted ? this.keyCap(account) : null
    const ofKey = this.spent(account, month, 'budgeted') + this.held(account, 'budgeted')
    if (keyCap !== null && ofKey + amount > keyCap) return 'key_cap'
    return null
  }
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
