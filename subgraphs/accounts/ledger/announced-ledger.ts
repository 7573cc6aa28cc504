/**
 * A ledger that tells of every change of an account's money, whichever part of the program makes it: top-ups, caps, holds, charges
 * and sweeps. Subscribers only hear that they should look again, so many changes in a moment are told once.
 */
import type { Clock } from '#platform/clock.js'
import type { EventBus } from '#platform/events/events.js'
import type { Ledger } from './ledger.js'

/** Published with `accountId` after anything that moved an account's money. */
export const CREDITS_CHANGED = 'credits.changed'

export type TellChange = (accountId: string) => void

/** How long changes are gathered: shorter than anybody sees, and one notice for the hold and the charge of a quick request. */
const GATHER_MS = 50

export function creditNews(events: EventBus, clock: Clock): TellChange {
  const changed = new Set<string>()
  return (accountId) => {
    if (changed.size === 0) {
      clock.setTimeout(() => {
        for (const id of changed) events.publish(CREDITS_CHANGED, { accountId: id })
        changed.clear()
      }, GATHER_MS)
    }
    changed.add(accountId)
  }
}

export function announced(ledger: Ledger, tell: TellChange): Ledger {
  const tellOf = <T extends { readonly account: { readonly accountId: string } | null }>(result: T): T => {
    if (result.account) tell(result.account.accountId)
    return result
  }
  return {
    ...ledger,
    async setMonthlyCap(accountId, monthlyCap) {
      await ledger.setMonthlyCap(accountId, monthlyCap)
      tell(accountId)
    },
    reserve: async (request) => tellOf(await ledger.reserve(request)),
    extend: async (request) => tellOf(await ledger.extend(request)),
    capture: async (request) => tellOf(await ledger.capture(request)),
    settle: async (request) => tellOf(await ledger.settle(request)),
    release: async (request) => tellOf(await ledger.release(request)),
    topUp: async (request) => tellOf(await ledger.topUp(request)),
    async sweep(request) {
      const result = await ledger.sweep(request)
      for (const { accountId } of result.closed) tell(accountId)
      return result
    },
  }
}
