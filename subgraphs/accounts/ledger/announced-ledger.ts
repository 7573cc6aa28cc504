/**
 * A ledger that tells of every change of an account's money, whichever part of the program makes it: top-ups, caps, holds, charges
 * and sweeps. Subscribers only hear that they should look again, so many changes in a moment are told once.
 */
import type { Clock } from '#platform/clock.js'
import { whenKnown } from '#platform/eventually.js'
import type { EventBus } from '#platform/events/events.js'
import type { LeaseNews } from './holds/leases.js'
import type { BillResult, BudgetSnapshot, Ledger, ReserveResult, Usage } from './ledger.js'

/** Published with `accountId` after anything that moved an account's money. */
export const CREDITS_CHANGED = 'credits.changed'

/** Published with `accountId` and `ids`, request ids joined by a space, when their usage records can be read. */
export const USAGE_RECORDED = 'usage.recorded'

/** Published with `accountId`, `capOf`, the account or the budget whose cap had no room for what was asked, and the `period` of that cap. */
export const CAP_REFUSED = 'credits.cap_refused'

/** Published with `accountId` by a server that ran dry, to those that lease of the account. */
const LEASES_WANTED = 'leases.wanted'

export const leaseNews = (events: EventBus): LeaseNews => ({
  tell: (accountId) => events.publish(LEASES_WANTED, { accountId }),
  listen: (hear) => events.listen(LEASES_WANTED, ({ accountId }) => hear(String(accountId))),
})

/** `usageId`: of the usage record that was written with the change. `capOf`: of a hold that was refused for a cap. */
export type TellChange = (accountId: string, usageId?: string, capOf?: RefusedCap) => void

/** An account or a budget, and the period that its cap had no room in: told of later, a refusal would be one of the next period's. */
interface RefusedCap {
  readonly id: string
  readonly period: string
}

const capOf = ({ budgetId: id, period }: BudgetSnapshot): RefusedCap => ({ id, period })

/** How long changes are gathered: shorter than anybody sees, and one notice for the hold and the charge of a quick request. */
const GATHER_MS = 50

/** A notice is small: buses have limits. */
const IDS_A_NOTICE = 100

export function creditNews(events: EventBus, clock: Clock): TellChange {
  const changed = new Map<string, string[]>()
  const refused = new Map<string, { readonly accountId: string; readonly period: string }>()
  const publish = () => {
    for (const [capOf, { accountId, period }] of refused) events.publish(CAP_REFUSED, { accountId, capOf, period })
    refused.clear()
    for (const [accountId, ids] of changed) {
      events.publish(CREDITS_CHANGED, { accountId })
      for (let at = 0; at < ids.length; at += IDS_A_NOTICE) {
        events.publish(USAGE_RECORDED, { accountId, ids: ids.slice(at, at + IDS_A_NOTICE).join(' ') })
      }
    }
    changed.clear()
  }
  return (accountId, usageId, capOf) => {
    if (changed.size === 0) clock.setTimeout(publish, GATHER_MS)
    const ids = changed.get(accountId) ?? []
    changed.set(accountId, ids)
    if (usageId !== undefined) ids.push(usageId)
    if (capOf) refused.set(capOf.id, { accountId, period: capOf.period })
  }
}

export function announced(ledger: Ledger, tell: TellChange): Ledger {
  const tellOf = <T extends { readonly account: { readonly accountId: string } | null }>(result: T, usageId?: string): T => {
    if (result.account) tell(result.account.accountId, usageId)
    return result
  }
  const closed = (result: BillResult, { holdId, usage }: { readonly holdId: string; readonly usage?: Usage }): BillResult =>
    tellOf(result, usage && result.outcome === 'settled' ? holdId : undefined)
  const reserved = (result: ReserveResult): ReserveResult => {
    const { accountId } = result.account
    if (result.ok) tell(accountId)
    else if (result.reason === 'monthly_cap') tell(accountId, undefined, { id: accountId, period: result.account.period })
    else tell(accountId, undefined, result.reason === 'budget' && result.budget ? capOf(result.budget) : undefined)
    return result
  }
  return {
    ...ledger,
    async setMonthlyCap(accountId, monthlyCap) {
      await ledger.setMonthlyCap(accountId, monthlyCap)
      tell(accountId)
    },
    reserve: (request) => whenKnown(ledger.reserve(request), reserved),
    extend: async (request) => reserved(await ledger.extend(request)),
    capture: async (request) => tellOf(await ledger.capture(request)),
    settle: (request) => ledger.settle(request).then((result) => closed(result, request)),
    release: async (request) => closed(await ledger.release(request), request),
    topUp: async (request) => tellOf(await ledger.topUp(request)),
    async sweep(request) {
      const result = await ledger.sweep(request)
      for (const { accountId, holdId } of result.closed) tell(accountId, holdId)
      return result
    },
  }
}
