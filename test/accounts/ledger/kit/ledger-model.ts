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

const isSession = (hold: number): boolean => hold % 3 === 0

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
export const asUsual = <T extends { readonly hold: number }>(step: T) => ({
  ...step,
  account: step.hold % ACCOUNTS,
  purpose: isSession(step.hold) ? ('session' as const) : ('chat' as const),
})
const reserve = fc
  .record({ verb: fc.constant('reserve' as const), hold, account, amount, purpose, odd: fc.nat(9) })
  .map(({ odd, ...step }) => (odd === 0 ? step : asUsual(step)))

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
  /** Of a hold in memory: void with its process, and forgotten when it ends without a charge. */
  inMemory: boolean
  /** Where memory placed a hold once more under the id of a closed one: what it sets aside, for a charge that was made before. */
  again: { readonly amount: bigint; readonly expiresAt: number } | null
}

/** What a verb is expected to answer, in the model's words. */
export type Answer = string

export class LedgerModel {
  readonly holds = new Map<string, ModelHold>()
  readonly #log: Movement[] = []
  readonly #caps: (bigint | null)[] = Array.from({ length: ACCOUNTS }, () => null)
  readonly #keyCaps: (bigint | null)[] = Array.from({ length: ACCOUNTS }, () => null)
  readonly #topUps = new Map<string, bigint>()
  #owner = 0

  constructor(readonly keepsHoldsInMemory: boolean) {}

  /** The id of a hold: of chats, a process does not use those of the processes before it. */
  idOf(hold: number): string {
    return `${hold}-${this.keepsHoldsInMemory && !isSession(hold) ? this.#owner : 0}`
  }

  balance(account: number): bigint {
    return sum(this.#log.filter((movement) => movement.account === account).map((movement) => movement.amount))
  }

  held(account: number, only: 'all' | 'budgeted' = 'all'): bigint {
    const counted = [...this.holds.values()].filter((hold) => hold.account === account && (only === 'all' || hold.budgeted))
    return sum(counted.map((hold) => (hold.open ? hold.amount - hold.captured : (hold.again?.amount ?? 0n))))
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
    const existing = this.holds.get(this.idOf(step.hold))
    if (existing) {
      if (existing.account !== step.account || existing.purpose !== step.purpose) return 'conflict'
      const held = existing.open ? existing.amount : existing.again?.amount
      if (held !== undefined) return held < step.amount ? 'conflict' : 'replayed'
      if (!this.keepsHoldsInMemory || step.purpose === 'session') return 'closed'
    }
    const budgeted = isBudgeted(step.hold)
    const refused = this.#refusal(step, budgeted, step.amount, month)
    if (refused) return refused
    const { account, purpose, amount } = step
    if (existing) existing.again = { amount, expiresAt }
    else {
      const fresh = { owner: this.#owner, metered: 0n, captured: 0n, expiresAt, open: true, again: null }
      const inMemory = this.keepsHoldsInMemory && purpose === 'chat'
      this.holds.set(this.idOf(step.hold), { account, budgeted, purpose, amount, inMemory, ...fresh })
    }
    return 'done'
  }

  extend(id: string, toAmount: bigint, month: string, expiresAt: number): Answer {
    const hold = this.holds.get(id)
    if (!hold) return 'unknown'
    hold.inMemory = false
    if (!hold.open) return 'closed'
    const refused = toAmount > hold.amount ? this.#refusal(hold, hold.budgeted, toAmount - hold.amount, month) : null
    if (refused) return refused
    if (toAmount <= hold.amount && expiresAt <= hold.expiresAt) return 'replayed'
    if (toAmount > hold.amount) hold.amount = toAmount
    hold.expiresAt = Math.max(hold.expiresAt, expiresAt)
    return 'done'
  }

  meter(id: string, amount: bigint): boolean {
    const hold = this.holds.get(id)
    if (!hold?.open) return false
    hold.inMemory = false
    hold.metered = amount > hold.amount ? hold.amount : amount
    return true
  }

  bill(id: string, total: bigint, close: boolean, month: string): Answer {
    const hold = this.holds.get(id)
    if (!hold) return 'unknown'
    if (!hold.open) return this.#billAgain(hold, total, close)
    if (!close) hold.inMemory = false
    const target = total > hold.amount ? hold.amount : total
    const charge = target > hold.captured ? target - hold.captured : 0n
    if (charge === 0n && !close) return `duplicate ${hold.captured}`
    if (charge > 0n) this.#log.push({ account: hold.account, budgeted: hold.budgeted, amount: -charge, month })
    hold.captured += charge
    hold.open = !close
    if (total === 0n && hold.inMemory) this.holds.delete(id)
    return `settled ${hold.captured}`
  }

  /** Once-only: what was charged under the id before is the answer. One that ends with nothing is not even asked about. */
  #billAgain(hold: ModelHold, total: bigint, close: boolean): Answer {
    const { again, captured } = hold
    if (close) hold.again = null
    return again && close && total === 0n && !hold.again ? 'settled 0' : `duplicate ${captured}`
  }

  /** Closes and returns what a sweep has to close, with its charge. */
  sweep(now: number, month: string): Map<string, bigint> {
    const again = [...this.holds].filter(([, hold]) => hold.again !== null && hold.again.expiresAt < now)
    for (const [, hold] of again) hold.again = null
    const due = [...this.holds].filter(
      ([, hold]) => hold.open && (hold.expiresAt < now || (hold.purpose === 'chat' && hold.owner !== this.#owner)),
    )
    for (const [id, hold] of due) this.bill(id, hold.metered, true, month)
    return new Map([...due.map(([id, hold]) => [id, hold.captured] as const), ...again.map(([id]) => [id, 0n] as const)])
  }

  /** Another process takes over: what was only in the memory of the last one is void. */
  restart(): void {
    this.#owner++
    for (const [id, hold] of this.holds) {
      hold.again = null
      if (hold.open && hold.inMemory) this.holds.delete(id)
    }
  }

  #refusal(
    { account }: { account: number },
    budgeted: boolean,
    amount: bigint,
    month: string,
  ): 'balance' | 'monthly_cap' | 'budget' | null {
    if (this.balance(account) < this.held(account) + amount) return 'balance'
    const cap = this.cap(account)
    if (cap !== null && this.spent(account, month) + this.held(account) + amount > cap) return 'monthly_cap'
    const keyCap = budgeted ? this.keyCap(account) : null
    const ofKey = this.spent(account, month, 'budgeted') + this.held(account, 'budgeted')
    if (keyCap !== null && ofKey + amount > keyCap) return 'budget'
    return null
  }
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
