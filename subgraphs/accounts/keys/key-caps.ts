/**
 * What keys may spend in a calendar month. Keys that took each other's place by rotation share one budget of the ledger, so that
 * a grace period is no second cap.
 */
import type { NanoUsd } from '#platform/money.js'
import type { BudgetSnapshot, Ledger } from '../ledger/ledger.js'
import type { BudgetStore } from '../budgets/budget-store.js'
import type { ApiKey } from './api-key.js'
import { familyOf } from './key-family.js'
import type { KeyStore } from './key-store.js'

export interface KeyCaps {
  /** The budget of a new key. */
  begin(key: Pick<ApiKey, 'id' | 'accountId'>, monthlyCap: NanoUsd): Promise<string>
  /** Null for no cap. The keys that the key replaced and that replaced it get the cap too. */
  set(key: ApiKey, monthlyCap: NanoUsd | null): Promise<void>
  /** Gives a new key the cap that the one in whose place it comes got meanwhile. */
  inherit(key: ApiKey, from: ApiKey): Promise<ApiKey>
  /** The budgets of those keys that have one, by the budget's id. */
  budgets(keys: readonly Pick<ApiKey, 'budgetId'>[]): Promise<ReadonlyMap<string, BudgetSnapshot>>
  /** What budgets of the key's own name as their owner: the budget of its monthly cap, which is made for it without a cap. */
  group(key: ApiKey): Promise<string>
  /** The budget that the key shares, if that has a cap or is the owner of budgets; null for a key that may spend what its account may. */
  binding(key: ApiKey): Promise<string | null>
}

/** Told by the key, so that two who give it a cap at once give it one. */
const budgetIdOf = (keyId: string): string => keyId.replace('key_', 'bdg_')

export function createKeyCaps(
  store: KeyStore,
  ledger: Pick<Ledger, 'setBudget' | 'readBudgets'>,
  budgets: Pick<BudgetStore, 'owned'>,
  announce: (key: ApiKey) => void,
): KeyCaps {
  async function share(key: ApiKey, budgetId: string | null): Promise<ApiKey> {
    const changed = await store.change(key, { budgetId })
    announce(changed)
    return changed
  }

  async function shareCap(key: ApiKey, cap: NanoUsd | null): Promise<string> {
    const budgetId = key.budgetId ?? budgetIdOf((await familyOf(store, key))[0]!.id)
    await ledger.setBudget({ budgetId, accountId: key.accountId, cap })
    // Looked at again after it was written, for one that a rotation puts in its place meanwhile.
    for (let without = [key]; without.length > 0;) {
      without = (await familyOf(store, key)).filter((relative) => relative.budgetId !== budgetId)
      for (const relative of without) await share(relative, budgetId)
    }
    return budgetId
  }

  return {
    async begin({ id, accountId }, monthlyCap) {
      const budgetId = budgetIdOf(id)
      await ledger.setBudget({ budgetId, accountId, cap: monthlyCap })
      return budgetId
    },
    async set(key, monthlyCap) {
      if (monthlyCap !== null || key.budgetId !== null) await shareCap(key, monthlyCap)
    },
    group: async (key) => key.budgetId ?? (await shareCap(key, null)),
    async binding({ accountId, budgetId }) {
      if (budgetId === null) return null
      const cap = (await ledger.readBudgets([budgetId])).get(budgetId)?.cap ?? null
      return cap !== null || (await budgets.owned(accountId, [budgetId])).length > 0 ? budgetId : null
    },
    inherit: async (key, { budgetId }) => (key.budgetId === budgetId ? key : share(key, budgetId)),
    budgets: (keys) => ledger.readBudgets(keys.flatMap(({ budgetId }) => budgetId ?? [])),
  }
}
