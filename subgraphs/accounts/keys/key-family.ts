/** Keys that took each other's place by rotation. */
import type { ApiKey } from './api-key.js'
import type { KeyStore } from './key-store.js'

/** The key, those that it replaced and those that replaced it, oldest first. */
export async function familyOf(store: KeyStore, { id, accountId }: Pick<ApiKey, 'id' | 'accountId'>): Promise<ApiKey[]> {
  const keys = await store.ofAccount(accountId)
  const found = new Set([id])
  for (let before = 0; before < found.size;) {
    before = found.size
    for (const key of keys) {
      if (found.has(key.id) && key.replacedBy !== null) found.add(key.replacedBy)
      if (key.replacedBy !== null && found.has(key.replacedBy)) found.add(key.id)
    }
  }
  return keys.filter((key) => found.has(key.id))
}
