/** The adapters between subgraphs: each consumer's port, spoken by the provider's door. No rule of the domain lives here. */
import type { EventBus } from '#platform/events.js'
import { AppError } from '#platform/errors.js'
import type { Metrics } from '#platform/metrics.js'
import { CREDITS_CHANGED, type Books, type Ledger } from '../subgraphs/accounts/index.js'
import type { CreditLedger, RoutesOf } from '../subgraphs/inference/index.js'

/** The ledger as chat completions see it; every charge is counted and announced. */
export function chatLedger(ledger: Ledger, events: EventBus, metrics: Metrics): CreditLedger {
  return {
    async reserve(hold) {
      const result = await ledger.reserve({ ...hold, purpose: 'chat' })
      if (result.ok) return { ok: true }
      if (result.reason === 'closed') throw new AppError('conflict', 'This request was answered before.')
      return { ok: false, reason: result.reason, available: result.account.available, balance: result.account.balance }
    },
    available: (accountId) => ledger.lastKnown(accountId)?.available ?? null,
    // Lost metering costs the operator at most a second of one stream after a crash; a request must not fail for it.
    meter: (holdId, amount) => void ledger.meter({ holdId, amount }).catch(() => undefined),
    async settle({ holdId, amount, usage }) {
      const { accountId, tokens, route, ...facts } = usage
      const { charged } = await ledger.settle({ holdId, amount, usage: { ...facts, tokens, route: JSON.stringify(route) } })
      metrics.chatTokens.inc({ kind: 'input' }, tokens.input)
      metrics.chatTokens.inc({ kind: 'cached_input' }, tokens.cachedInput)
      metrics.chatTokens.inc({ kind: 'output' }, tokens.output)
      metrics.chargedUsd.inc(Number(charged) / 1e9)
      events.publish(CREDITS_CHANGED, { accountId })
    },
    async release(holdId) {
      await ledger.release({ holdId })
    },
  }
}

/** Stored routes for `UsageRecord.route`; another account's do not exist. */
export const routesOf =
  (books: Books): RoutesOf =>
  async (usageIds, { principal }) => {
    const rows = await books.routesByIds(usageIds)
    return rows.map((row) => {
      const isVisible = row && (row.accountId === principal?.accountId || principal?.scopes.has('admin'))
      return isVisible && row.route !== null ? JSON.parse(row.route) : null
    })
  }
