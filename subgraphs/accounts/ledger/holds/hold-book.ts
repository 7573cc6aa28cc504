/**
 * The holds that live in this process, and what they set aside of accounts and budgets. The book keeps sums and decides nothing:
 * whoever places a hold compares them first with what the process may spend.
 *
 * An amount is given back in the same tick in which the figures that its outcome led to are known (operation-queue.ts calls
 * back before anybody else hears of it), so that between two decisions nothing is counted twice or not at all.
 */
import { PassingMap } from '#platform/passing-map.js'
import { type HoldFacts, type HoldRow, listedBudgets } from '../ledger-columns.js'

/** What an amount is set aside from. */
export type Purse = Pick<HoldFacts, 'accountId' | 'budgetIds' | 'amount'>

export interface MemoryHold {
  readonly facts: HoldFacts
  readonly createdAt: number
  /** What it has cost so far. */
  metered: bigint
  /** `done`: the database has a row of it, which counts in the account's `held`, and in the book no more. */
  writing: 'not_begun' | 'under_way' | 'done'
  /** Its charge is on its way, or waits to be repeated. */
  isClosing: boolean
  /** Of the lease that it is held in; null where this process alone writes. */
  readonly leaseEpoch: number | null
}

export class HoldBook {
  readonly #holds = new PassingMap<string, MemoryHold & { readonly giveBack: () => void }>()
  readonly #ofAccounts = new Sums()
  readonly #ofBudgets = new Sums()

  /** Counts an amount until the returned function is called; calling it again changes nothing. */
  setAside(purse: Purse): () => void {
    this.#count(purse, purse.amount)
    let isCounted = true
    return () => {
      if (!isCounted) return
      isCounted = false
      this.#count(purse, -purse.amount)
    }
  }

  keep(facts: HoldFacts, createdAt: number, leaseEpoch: number | null = null): void {
    const giveBack = this.setAside(facts)
    const fresh = { metered: 0n, writing: 'not_begun', isClosing: false } as const
    this.#holds.set(facts.holdId, { facts, createdAt, leaseEpoch, ...fresh, giveBack })
  }

  of(holdId: string): MemoryHold | null {
    return this.#holds.get(holdId)
  }

  /** The database counts it now. */
  noteWritten(holdId: string): void {
    const hold = this.#holds.get(holdId)
    if (!hold) return
    hold.giveBack()
    hold.writing = 'done'
  }

  end(holdId: string): void {
    this.#holds.get(holdId)?.giveBack()
    this.#holds.delete(holdId)
  }

  #count({ accountId, budgetIds }: Purse, change: bigint): void {
    this.#ofAccounts.add(accountId, change)
    for (const budgetId of listedBudgets(budgetIds)) this.#ofBudgets.add(budgetId, change)
  }

  heldOf = (accountId: string): bigint => this.#ofAccounts.of(accountId)
  heldOfBudget = (budgetId: string): bigint => this.#ofBudgets.of(budgetId)

  /** What is held in one lease, added up. */
  heldIn(accountId: string, leaseEpoch: number): bigint {
    return this.unwritten().reduce(
      (sum, hold) => (hold.facts.accountId === accountId && hold.leaseEpoch === leaseEpoch ? sum + hold.facts.amount : sum),
      0n,
    )
  }

  /** Holds of which the database may know nothing. */
  unwritten(): MemoryHold[] {
    return this.#holds.values().filter(({ writing }) => writing !== 'done')
  }
}

export const rowOf = ({ facts, metered, createdAt }: MemoryHold): HoldRow => ({
  ...facts,
  captured: 0n,
  metered,
  state: 'open',
  createdAt,
})

class Sums {
  readonly #sums = new Map<string, bigint>()

  of(id: string): bigint {
    return this.#sums.get(id) ?? 0n
  }

  add(id: string, amount: bigint): void {
    const sum = this.of(id) + amount
    if (sum === 0n) this.#sums.delete(id)
    else this.#sums.set(id, sum)
  }
}
