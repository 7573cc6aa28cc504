/** The adapters between subgraphs: each consumer's port, spoken by the provider's door. No rule of the domain lives here. */
import { endReason, serverStops } from '#platform/requests/end-reasons.js'
import { requireScope, sees, type RequestContext } from '#platform/requests/context.js'
import { AppError } from '#platform/errors.js'
import type { Metrics } from '#platform/metrics.js'
import { keyCapInWords, type KeyCap } from '#platform/requests/key-cap.js'
import { formatUsd, type NanoUsd } from '#platform/money.js'
import type { Subgraph } from '#platform/subgraph.js'
import type { Accounts, Books, BudgetSnapshot, ChargeNotice, Ledger, NodeSource, Usage } from '../../subgraphs/accounts/index.js'
import type { Catalog } from '../../subgraphs/catalog/index.js'
import type { ScanAccountsPort } from '../../subgraphs/compliance/index.js'
import type {
  AccountsPort,
  Activity,
  CatalogPort as SessionCatalog,
  Deployments,
  LedgerPort as SessionLedger,
} from '../../subgraphs/compute/index.js'
import type { CreditLedger, DeploymentUse, EnsureDeployment, RoutesOf, UsageEntry } from '../../subgraphs/inference/index.js'
import { packRoute, readRoute } from './route-text.js'

/** The ledger as chat completions see it; every charge is counted. */
export function chatLedger(ledger: Ledger, metrics: Metrics): CreditLedger {
  const charged = chargeCounter(metrics)
  return {
    async reserve(hold) {
      const result = await ledger.reserve({ ...hold, purpose: 'chat' })
      if (result.ok) return { ok: true }
      if (result.reason === 'closed') throw new AppError('conflict', 'This request was answered before.')
      const { reason, account, budget } = result
      const available = least(account.available, budget?.available ?? null)
      const refused = { ok: false, available, balance: account.balance } as const
      return reason === 'key_cap' ? { ...refused, reason, keyCap: keyCapOf(budget) } : { ...refused, reason }
    },
    available: (accountId) => ledger.lastKnown(accountId)?.available ?? null,
    // Lost metering costs the operator at most a second of one stream after a crash; a request must not fail for it.
    meter: (holdId, amount) => void ledger.meter({ holdId, amount }).catch(() => undefined),
    async settle({ usage, ...charge }) {
      const stored = storedUsage(usage)
      const { outcome, ...result } = await ledger.settle({ ...charge, usage: stored })
      if (outcome !== 'unknown') charged({ charged: result.charged, usage: stored })
    },
    async release(holdId) {
      await ledger.release({ holdId })
    },
  }
}

/** A chat's usage as the ledger stores it; who paid how much is its hold's business. */
function storedUsage({
  requestId: _id,
  accountId: _account,
  cost: _cost,
  tokens,
  startedAt,
  route,
  ...usage
}: UsageEntry): Usage {
  return {
    ...usage,
    inputTokens: tokens.input,
    cachedInputTokens: tokens.cachedInput,
    outputTokens: tokens.output,
    createdAt: startedAt,
    route: packRoute(route, usage),
  }
}

const least = (available: NanoUsd, ofBudget: NanoUsd | null): NanoUsd =>
  ofBudget !== null && ofBudget < available ? ofBudget : available

/** Of a budget that refused something. */
function keyCapOf(budget: BudgetSnapshot | null): KeyCap {
  if (!budget || budget.monthlyCap === null) throw new Error('A budget without a cap refused a hold.')
  return { cap: budget.monthlyCap, spent: budget.spent, held: budget.held }
}

/** Counts a charge, whenever it became durable. */
export function chargeCounter(metrics: Metrics): (charge: Pick<ChargeNotice, 'charged' | 'usage'>) => void {
  return ({ charged, usage }) => {
    if (!usage) return
    const tokens = { input: usage.inputTokens, cachedInput: usage.cachedInputTokens, output: usage.outputTokens }
    metrics.charge(tokens, Number(charged) / 1e9)
  }
}

/** A look at the credits before a large request is read: who has none is refused as cheaply as possible. */
export const creditCheck =
  (ledger: Ledger) =>
  async (context: RequestContext): Promise<void> => {
    const { accountId, budgetId } = requireScope(context, 'chat')
    const budget = budgetId === undefined ? undefined : (await ledger.readBudgets([budgetId])).get(budgetId)
    if (budget?.available === 0n) throw new AppError('insufficient_credits', `${keyCapInWords(keyCapOf(budget))}.`)
    const { balance, available } = ledger.lastKnown(accountId) ?? (await ledger.read(accountId))
    if (available > 0n) return
    const state = `The balance is $${formatUsd(balance)}, of which $${formatUsd(available)} is available.`
    throw new AppError('insufficient_credits', `Insufficient credits. ${state}`)
  }

/** Stored routes for `UsageRecord.route`; another account's do not exist. */
export const routesOf =
  (books: Books): RoutesOf =>
  async (usageIds, { principal }) => {
    const rows = await books.routesByIds(usageIds)
    return rows.map((row) => {
      const isVisible = row && sees(principal, row.accountId)
      return isVisible && row.route !== null ? readRoute(row.route, row) : null
    })
  }

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
      return reason === 'key_cap' ? { ...refused, reason, keyCap: keyCapOf(budget) } : { ...refused, reason }
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
        [...holds].map(([id, { state, amount, captured, budgetId }]) => [
          id,
          { state: state === 'open' ? 'open' : 'closed', amount, captured, budgetId: budgetId ?? undefined },
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

/** The scanner's rate limits go by the account's tier. */
export const scanTiers = (accounts: Accounts): ScanAccountsPort => ({
  scanTier: async (accountId) => (await accounts.find(accountId))?.scanTier ?? 'free',
})

/** Running sessions as deployments of the catalogue, and the operator's recipes. */
export function sessionCatalog(catalog: Catalog): SessionCatalog {
  const own = (modelId: string) => {
    const recipe = catalog.recipeOf(modelId)
    return recipe?.isOwn ? recipe : null
  }
  return {
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

const NOBODY = (): void => undefined

/** Calls to a GPU session keep it from going idle; hosted deployments do not care. */
export const deploymentUse = (catalog: () => Catalog, activity: () => Activity): DeploymentUse => ({
  begin({ deploymentId, modelId }) {
    const isSession = catalog().deployment(deploymentId)?.provider.kind === 'session'
    return isSession ? activity().touch(modelId) : NOBODY
  },
})

/**
 * A cold model as chat completions see it: the news that it is being deployed, a wait until it serves, or a fault that SDKs
 * retry by themselves; the request's `Prefer: wait=N` wins over the account's setting, within the limit.
 */
export function ensureDeployment(
  deployments: () => Deployments,
  accounts: Accounts,
  limits: { readonly waitSeconds: number },
): EnsureDeployment {
  return async ({ modelId, accountId, context }) => {
    const result = await deployments().ensure({ modelId, accountId, budgetId: context.principal?.budgetId })
    if (result.kind !== 'deploying') return result
    const mode = (await accounts.find(accountId))?.coldStartMode ?? 'respond'
    const wanted = preferredWait(context.headers.get('prefer')) ?? (mode === 'wait' ? limits.waitSeconds : 0)
    const waitSeconds = Math.min(wanted, limits.waitSeconds)
    if (waitSeconds > 0) {
      const waited = await deployments().waitUntilReady(modelId, waitSeconds * 1000, context.signal)
      if (waited === 'ready') return { kind: 'ready' }
      // The wait goes on at another server as well as here.
      if (waited === 'gone') throw context.signal.aborted ? endReason(context.signal) : serverStops()
    }
    if (mode === 'retry') {
      throw new AppError('model_deploying', result.message, { param: 'model', retryAfterSeconds: result.retryAfterSeconds })
    }
    return result
  }
}

/** Seconds of RFC 7240's `wait`; null when the header does not ask for it. */
function preferredWait(header: string | undefined): number | null {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?/i.exec(header ?? '')?.[1]
  return seconds === undefined ? null : Number(seconds)
}

/** Objects by their ids, from the subgraph that owns them. */
export const nodesOf =
  (subgraphs: () => readonly Subgraph[]): NodeSource =>
  async (typeName, references, context) => {
    for (const { entities } of subgraphs()) {
      const part = entities?.[typeName]
      if (part?.kind === 'owner') return part.load(references, context)
    }
    throw new Error(`No subgraph owns ${typeName}.`)
  }
