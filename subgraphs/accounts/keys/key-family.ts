/** Keys that took each other's place by rotation: they share one budget, so that a grace period is no second cap. */
import type { Database } from '#platform/database/database.js'
import { ApiKey } from './api-key.js'

export interface KeyFamily {
  /** The key, those that it replaced and those that replaced it, oldest first. */
  of(key: ApiKey): Promise<ApiKey[]>
  shareBudget(keys: readonly ApiKey[], budgetId: string | null): Promise<void>
}

export const createKeyFamily = (database: Database, announce: (key: ApiKey) => void): KeyFamily => ({
  async of({ id, accountId }) {
    const keys = await database.fork().find(ApiKey, { accountId }, { orderBy: { createdAt: 'asc', id: 'asc' } })
    const found = new Set([id])
    for (let before = 0; before < found.size;) {
      before = found.size
      for (const key of keys) {
        if (found.has(key.id) && key.replacedBy != null) found.add(key.replacedBy)
        if (key.replacedBy != null && found.has(key.replacedBy)) found.add(key.id)
      }
    }
    return keys.filter((key) => found.has(key.id))
  },
  async shareBudget(keys, budgetId) {
    for (const key of keys) {
      await database.fork().nativeUpdate(ApiKey, { id: key.id }, { budgetId })
      announce(key)
    }
  },
})
