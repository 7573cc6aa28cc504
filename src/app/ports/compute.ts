/** What GPU sessions need of accounts, the ledger and the catalogue. */
import type { Accounts, Ledger } from '../../../subgraphs/accounts/index.js'
import type { Catalog } from '../../../subgraphs/catalog/index.js'
import type {
  AccountsPort,
  CatalogPort as SessionCatalog,
  LedgerPort as SessionLedger,
} from '../../../subgraphs/compute/index.js'
import { refusedBudget } from './refused-budget.js'

/** The ledger as GPU sessions see it: one hold a session, billed by a watermark. */
export function sessionLedger(ledger: Ledger): SessionLedger {
  return {
    async reserve(hold) {
      const result = await ledger.reserve({ ...hold, purpose: 'session' })
      if (result.ok) return { outcome: 'reserved' }
      if (result.reason === 'closed') return { outcome: 'closed' }
      const { reason, budget } = result
      const { balance, available } = result.account
      const refused = { outcome: 'insufficient', credits: { balance, available } } as const
      return reason === 'budget' ? { ...refused, reason, budget: refusedBudget(budget) } : { ...refused, reason }
    },
    async extend(request) {
      const result = await ledger.extend(request)
      if (result.ok) return 'extended'
      return result.reason === 'closed' ? 'closed' : 'insufficient'
    },
    async capture(holdId, total) {
      await ledger.capture({ holdId, total })
    },
    async meter(holdId, amount) {
      await ledger.meter({ holdId, amount })
    },
    settle: async (holdId, amount) => (await ledger.settle({ holdId, amount })).charged,
    release: async (holdId) => (await ledger.release({ holdId })).charged,
    async read(holdIds) {
      const holds = await ledger.readHolds(holdIds)
      return new Map(
        [...holds].map(([id, { state, amount, captured, budgetIds }]) => [
          id,
          { state: state === 'open' ? 'open' : 'closed', amount, captured, budgetIds },
        ]),
      )
    },
    credits: async (accountId) => {
      const { balance, available } = await ledger.read(accountId)
      return { balance, available }
    },
  }
}

export const accountLimits = (accounts: Accounts): AccountsPort => ({
  async limits(accountId) {
    const account = await accounts.find(accountId)
    return {
      maxConcurrentSessions: account?.maxConcurrentSessions ?? null,
      maxHourlySpend: account?.maxHourlySpend ?? null,
    }
  },
})

/** Running sessions as deployments of the catalogue, and the operator's recipes. */
export function sessionCatalog(catalog: Catalog): SessionCatalog {
  const own = (modelId: string) => {
    const recipe = catalog.recipeOf(modelId)
    return recipe?.isOwn ? recipe : null
  }
  return {
    has: async (modelId) => catalog.model(modelId) !== undefined,
    recipe: async (modelId) => own(modelId),
    recipes: async () => [...catalog.models()].flatMap(({ id }) => own(id) ?? []),
    async announce({ sessionId, modelId, baseUrl, apiKey, providerId, region, accountId }) {
      // A rental may serve something that the catalogue does not know; its owner uses the endpoint directly.
      if (!catalog.model(modelId)) return
      catalog.addDynamicDeployment({ id: sessionId, modelId, providerId, baseUrl, apiKey, region, accountId })
    },
    async withdraw(sessionId) {
      catalog.removeDynamicDeployment(sessionId)
    },
  }
}
