/** A ledger in memory that checks its own invariants at every step and keeps what was truly charged. */
import type { Credits, LedgerPort } from '../../../subgraphs/compute/ports.js'

interface Hold {
  readonly accountId: string
  amount: bigint
  captured: bigint
  state: 'open' | 'closed'
}

export interface FakeLedger extends LedgerPort {
  readonly holds: Map<string, Hold>
  readonly balances: Map<string, bigint>
  readonly violations: string[]
  held(accountId: string): bigint
}

export function createFakeLedger(balances: Record<string, bigint>, monthlyCap: bigint | null = null): FakeLedger {
  const holds = new Map<string, Hold>()
  const accounts = new Map(Object.entries(balances))
  const spent = new Map<string, bigint>()
  const violations: string[] = []
  const held = (accountId: string) =>
    [...holds.values()].filter((h) => h.accountId === accountId && h.state === 'open').reduce((sum, h) => sum + h.amount, 0n)
  const availableOf = (accountId: string) => {
    const free = (accounts.get(accountId) ?? 0n) - held(accountId)
    if (monthlyCap === null) return free
    const capLeft = monthlyCap - (spent.get(accountId) ?? 0n) - held(accountId)
    return capLeft < free ? capLeft : free
  }
  const creditsOf = (accountId: string): Credits => ({
    balance: accounts.get(accountId) ?? 0n,
    available: availableOf(accountId),
  })
  const close = (id: string, hold: Hold, amount: bigint) => {
    if (amount > hold.amount) violations.push(`${id}: settled ${amount} above the hold ${hold.amount}`)
    hold.state = 'closed'
    hold.captured = amount
    accounts.set(hold.accountId, (accounts.get(hold.accountId) ?? 0n) - amount)
    spent.set(hold.accountId, (spent.get(hold.accountId) ?? 0n) + amount)
    if ((accounts.get(hold.accountId) ?? 0n) - held(hold.accountId) < 0n) violations.push(`${hold.accountId}: negative`)
  }
  return {
    holds,
    balances: accounts,
    violations,
    held,
    async reserve({ holdId, accountId, amount }) {
      if (holds.has(holdId)) return { outcome: 'reserved' }
      if (availableOf(accountId) < amount) return { outcome: 'insufficient', credits: creditsOf(accountId), reason: 'balance' }
      holds.set(holdId, { accountId, amount, captured: 0n, state: 'open' })
      return { outcome: 'reserved' }
    },
    async extend({ holdId, toAmount }) {
      const hold = holds.get(holdId)
      if (hold?.state !== 'open') return 'closed'
      if (toAmount <= hold.amount) return 'extended'
      if (availableOf(hold.accountId) < toAmount - hold.amount) return 'insufficient'
      hold.amount = toAmount
      return 'extended'
    },
    async capture(holdId, total) {
      const hold = holds.get(holdId)
      if (hold?.state !== 'open') return
      if (total > hold.amount) violations.push(`${holdId}: captured ${total} above the hold ${hold.amount}`)
      if (total > hold.captured) hold.captured = total
    },
    meter: async () => {},
    async settle(holdId, amount) {
      const hold = holds.get(holdId)
      if (hold?.state === 'open') close(holdId, hold, amount > hold.captured ? amount : hold.captured)
      return hold?.captured ?? 0n
    },
    async release(holdId) {
      const hold = holds.get(holdId)
      if (hold?.state === 'open') close(holdId, hold, hold.captured)
      return hold?.captured ?? 0n
    },
    read: async (ids) => new Map(ids.flatMap((id) => (holds.has(id) ? [[id, holds.get(id)!] as const] : []))),
    credits: async (accountId) => creditsOf(accountId),
  }
}
