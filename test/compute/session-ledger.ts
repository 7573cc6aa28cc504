/** The real ledger behind compute's port, as the composition root connects them. */
import type { Ledger } from '../../subgraphs/accounts/index.js'
import type { Credits, LedgerPort } from '../../subgraphs/compute/index.js'

export function sessionLedger(ledger: Ledger): LedgerPort {
  const creditsOf = ({ balance, available }: Credits): Credits => ({ balance, available })
  return {
    async reserve(request) {
      const result = await ledger.reserve({ ...request, purpose: 'session' })
      if (result.ok) return { outcome: 'reserved' }
      if (result.reason === 'closed') return { outcome: 'closed' }
      return { outcome: 'insufficient', reason: result.reason, credits: creditsOf(result.account) }
    },
    async extend(request) {
      const result = await ledger.extend(request)
      return result.ok ? 'extended' : result.reason === 'closed' ? 'closed' : 'insufficient'
    },
    capture: async (holdId, total) => void (await ledger.capture({ holdId, total })),
    meter: async (holdId, amount) => void (await ledger.meter({ holdId, amount })),
    settle: async (holdId, amount) => (await ledger.settle({ holdId, amount })).charged,
    release: async (holdId) => (await ledger.release({ holdId })).charged,
    async read(holdIds) {
      const holds = await ledger.readHolds(holdIds)
      return new Map(
        [...holds].map(([id, hold]) => [id, { ...hold, state: hold.state === 'open' ? ('open' as const) : ('closed' as const) }]),
      )
    },
    credits: async (accountId) => creditsOf(await ledger.read(accountId)),
  }
}
