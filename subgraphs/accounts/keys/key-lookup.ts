/**
 * The look-up of a key that every request makes.
 *
 * It answers from memory. An entry is read again after 5 s, and at once when any process announces a change, so a revoked key is
 * refused at once here and at the latest in 5 s where the announcement was lost.
 */
import type { Clock } from '#platform/clock.js'
import type { Principal } from '#platform/requests/context.js'
import { modelsOf } from '../budgets/budget.js'
import type { BudgetStore, StoredBudget } from '../budgets/budget-store.js'
import { validUntil, type ApiKey } from './api-key.js'
import { isSameHash, presentedKey, storedKey } from './key-format.js'
import type { KeyRateFields, KeyStore } from './key-store.js'

export interface KeyLookup {
  /** null for a key that does not exist, has ended, or comes with another secret. */
  authenticate(token: string): Principal | null | Promise<Principal | null>
  /** Who the key with this public id speaks for, without its secret; null for one that does not exist or has ended. */
  principalOf(publicId: string): Principal | null | Promise<Principal | null>
  /** The key has changed: it is read anew when it is next presented. */
  forget(publicId: string): void
  /** So have all keys of the account. */
  forgetAccount(accountId: string): void
}

/** With `accountId`: what its keys are bound by. */
export const BUDGETS_CHANGED = 'budgets.changed'

const CACHE_MS = 5_000
const MAX_CACHED = 100_000
const LAST_USED_STEP_MS = 60_000

interface CacheEntry {
  readonly key: ApiKey | null
  readonly principal: Principal | null
  /** As noted by whoever used it last, here or elsewhere. */
  lastUsedAt: number
  /** Of the monotonic clock: a wall clock that is set back must not keep a revoked key alive. */
  readonly readAt: number
}

const principalOf = (
  { id, accountId, scopes, models, budgetId, answerScan, ...key }: ApiKey,
  budgets: readonly StoredBudget[],
): Principal => ({
  accountId,
  keyId: id,
  scopes: new Set(scopes),
  ...(models && { models: new Set(models) }),
  ...budgetsOf(budgetId, budgets),
  ...(answerScan && { answerScan }),
  ...rateLimitsOf(id, key),
})

function budgetsOf(budgetId: string | null, budgets: readonly StoredBudget[]): Pick<Principal, 'budgetIds' | 'modelBudgets'> {
  const ofAll = budgets.filter(({ models }) => models === null).map((budget) => budget.budgetId)
  const budgetIds = budgetId === null ? ofAll : [budgetId, ...ofAll]
  const modelBudgets = budgets.flatMap((budget) => {
    const models = modelsOf(budget.models)
    return models ? { id: budget.budgetId, models: new Set(models) } : []
  })
  return { ...(budgetIds.length > 0 && { budgetIds }), ...(modelBudgets.length > 0 && { modelBudgets }) }
}

function rateLimitsOf(
  id: string,
  { requestsPerMinute, tokensPerMinute, rateGroup }: Pick<ApiKey, keyof KeyRateFields>,
): Pick<Principal, 'rateLimits'> {
  if (requestsPerMinute === null && tokensPerMinute === null) return {}
  return { rateLimits: { group: rateGroup ?? id, requestsPerMinute, tokensPerMinute } }
}

async function readKey(
  publicId: string,
  store: Pick<KeyStore, 'findPresented'>,
  budgets: Pick<BudgetStore, 'owned'>,
  clock: Clock,
): Promise<CacheEntry> {
  const found = await store.findPresented(publicId)
  if (!found) return { key: null, principal: null, lastUsedAt: 0, readAt: clock.monotonic() }
  const { key, mayHaveBudgets } = found
  const { accountId, budgetId } = key
  const owned = mayHaveBudgets ? await budgets.owned(accountId, budgetId === null ? [accountId] : [accountId, budgetId]) : []
  return { key, principal: principalOf(key, owned), lastUsedAt: key.lastUsedAt ?? 0, readAt: clock.monotonic() }
}

export function createKeyLookup(
  store: Pick<KeyStore, 'findPresented' | 'change'>,
  budgets: Pick<BudgetStore, 'owned'>,
  clock: Clock,
): KeyLookup {
  const cache = new Map<string, CacheEntry>()
  /** However many requests come with a key while it is read, it is read once. */
  const reading = new Map<string, Promise<CacheEntry>>()

  function read(publicId: string): Promise<CacheEntry> {
    const begun = reading.get(publicId)
    if (begun) return begun
    // What was forgotten meanwhile may have been read before its change: it is not for those who come later.
    const isCurrent = () => reading.get(publicId) === own
    const own = readKey(publicId, store, budgets, clock)
      .then((entry) => {
        if (isCurrent()) remember(publicId, entry)
        return entry
      })
      .finally(() => isCurrent() && reading.delete(publicId))
    reading.set(publicId, own)
    return own
  }

  function remember(publicId: string, entry: CacheEntry): void {
    if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value!)
    cache.delete(publicId)
    cache.set(publicId, entry)
  }

  function fresh(publicId: string): CacheEntry | null {
    const entry = cache.get(publicId)
    return entry && clock.monotonic() - entry.readAt < CACHE_MS ? entry : null
  }

  const judge = (entry: CacheEntry, hash: string): Principal | null =>
    entry.key && isSameHash(hash, entry.key.secretHash) ? inForce(entry) : null

  /** Whoever the key speaks for, unless it has ended. */
  function inForce(entry: CacheEntry): Principal | null {
    const now = clock.now()
    const { key } = entry
    if (!key || now >= validUntil(key)) return null
    if (now - entry.lastUsedAt > LAST_USED_STEP_MS) {
      entry.lastUsedAt = now
      noteUse(key, now)
    }
    return entry.principal
  }

  /** Known to the minute only, and never waited for: a request must not pay a write for it. */
  function noteUse(key: ApiKey, lastUsedAt: number): void {
    store.change(key, { lastUsedAt }).catch(() => undefined)
  }

  return {
    authenticate(token) {
      const presented = presentedKey(token)
      const cached = fresh(presented.publicId)
      if (cached) return judge(cached, presented.hash)
      const { publicId, hash } = storedKey(token)
      const preset = publicId === presented.publicId ? null : fresh(publicId)
      return preset ? judge(preset, hash) : read(publicId).then((entry) => judge(entry, hash))
    },
    principalOf(publicId) {
      const cached = fresh(publicId)
      return cached ? inForce(cached) : read(publicId).then(inForce)
    },
    forget(publicId) {
      cache.delete(publicId)
      reading.delete(publicId)
    },
    forgetAccount(accountId) {
      for (const [publicId, { key }] of cache) if (key?.accountId === accountId) cache.delete(publicId)
      // Whose they are is not known yet.
      reading.clear()
    },
  }
}
