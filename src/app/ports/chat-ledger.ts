/** What chat completions need of the ledger. */
import { requireScope, sees, type RequestContext } from '#platform/requests/context.js'
import { AppError } from '#platform/errors.js'
import { whenKnown } from '#platform/eventually.js'
import type { Metrics } from '#platform/metrics.js'
import type { ChatFigures } from '#platform/metrics/chat-metrics.js'
import { budgetInWords, resetInWords } from '#platform/requests/refused-budget.js'
import { formatUsd, type NanoUsd } from '#platform/money.js'
import type { Books, ChargeNotice, Ledger, ReserveResult, Usage } from '../../../subgraphs/accounts/index.js'
import type { ChatReport, CreditLedger, RoutesOf, UsageEntry } from '../../../subgraphs/inference/index.js'
import { refusedBudget } from './refused-budget.js'
import { packRoute, readRoute } from './route-text.js'

/** The ledger as chat completions see it; every charge is counted. */
export function chatLedger(ledger: Ledger, metrics: Metrics): CreditLedger {
  const charged = chargeCounter(metrics)
  return {
    reserve: (hold) => whenKnown(ledger.reserve({ ...hold, purpose: 'chat' }), asChatsSeeIt),
    available: (accountId) => ledger.lastKnown(accountId)?.available ?? null,
    // Lost metering costs the operator at most a second of one stream after a crash; a request must not fail for it.
    meter: (holdId, amount) => void ledger.meter({ holdId, amount }).catch(() => undefined),
    async settle(charge) {
      const { route } = charge.usage
      const usage = storedUsage(charge.usage)
      const result = await ledger.settle({ ...charge, usage })
      if (result.outcome !== 'unknown') charged(result.charged, usage, route.attempts.at(-1)?.providerId ?? null)
    },
    async release(holdId) {
      await ledger.release({ holdId })
    },
  }
}

type Reserved = Awaited<ReturnType<CreditLedger['reserve']>>

const PLACED: Reserved = { ok: true }

function asChatsSeeIt(result: ReserveResult): Reserved {
  if (result.ok) return PLACED
  if (result.reason === 'closed') throw new AppError('conflict', 'This request was answered before.')
  const { reason, account, budget } = result
  const available = least(account.available, budget?.available ?? null)
  const refused = { ok: false, available, balance: account.balance } as const
  return reason === 'budget' ? { ...refused, reason, budget: refusedBudget(budget) } : { ...refused, reason }
}

/** A chat's usage as the ledger stores it. What else is in it stays unstored: to leave it out costs more than the whole copy. */
const storedUsage = (usage: UsageEntry): Usage => ({
  ...usage,
  inputTokens: usage.tokens.input,
  cachedInputTokens: usage.tokens.cachedInput,
  outputTokens: usage.tokens.output,
  createdAt: usage.startedAt,
  // What is whole already is not copied once more by the ledger.
  firstTokenMs: rounded(usage.firstTokenMs),
  durationMs: Math.round(usage.durationMs),
  route: packRoute(usage.route, usage),
})

const rounded = (value: number | null): number | null => value && Math.round(value)

/** A chat as it is counted. */
export const chatFigures = ({ modelId, providerId, outcome, tokens, attempts, ...report }: ChatReport): ChatFigures => ({
  model: modelId,
  provider: providerId,
  outcome,
  seconds: report.durationMs === null ? null : report.durationMs / 1_000,
  firstTokenSeconds: report.firstTokenMs === null ? null : report.firstTokenMs / 1_000,
  outputTokens: tokens.output,
  codeFindings: report.codeFindings ?? 0,
  attempts,
})

const least = (available: NanoUsd, ofBudget: NanoUsd | null): NanoUsd =>
  ofBudget !== null && ofBudget < available ? ofBudget : available

/** Counts a charge that became durable after its call. */
export function lateChargeCounter(metrics: Metrics): (charge: Pick<ChargeNotice, 'charged' | 'usage'>) => void {
  const count = chargeCounter(metrics)
  return ({ charged, usage }) => {
    if (!usage) return
    const attempts = usage.route === null ? [] : readRoute(usage.route, usage).attempts
    count(charged, usage, attempts.at(-1)?.providerId ?? null)
  }
}

function chargeCounter(metrics: Metrics): (charged: NanoUsd, usage: Usage, provider: string | null) => void {
  return (charged, usage, provider) => {
    const tokens = { input: usage.inputTokens, cachedInput: usage.cachedInputTokens, output: usage.outputTokens }
    metrics.charge({
      model: usage.modelId,
      provider,
      tokens,
      usd: Number(charged) / 1e9,
      providerUsd: usage.providerCost === null ? null : Number(usage.providerCost) / 1e9,
    })
  }
}

/** A look at the credits before a large request is read: who has none is refused as cheaply as possible. */
export const creditCheck =
  (ledger: Ledger) =>
  async (context: RequestContext): Promise<void> => {
    const { accountId, budgetIds } = requireScope(context, 'chat')
    for (const budget of budgetIds === undefined ? [] : (await ledger.readBudgets(budgetIds)).values()) {
      if (budget.available !== 0n) continue
      const refused = refusedBudget(budget)
      throw new AppError('insufficient_credits', `${budgetInWords(refused)}. ${resetInWords(refused)}`)
    }
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
