/**
 * The look-up of a key that every request makes.
 *
 * It answers from memory. An entry is read again after 5 s, and at once when any process announces a change, so a revoked key is
 * refused at once here and at the latest in 5 s where the announcement was lost.
 */
import type { Clock } from '#platform/clock.js'
import type { Database } from '#platform/database/database.js'
import type { Principal } from '#platform/requests/context.js'
import { ApiKey } from './api-key.js'
import { isSameHash, presentedKey, storedKey } from './key-format.js'

export interface KeyLookup {
  /** null for a key that does not exist, has ended, or comes with another secret. */
  authenticate(token: string): Principal | null | Promise<Principal | null>
  /** The key has changed: it is read anew when it is next presented. */
  forget(publicId: string): void
}

const CACHE_MS = 5_000
const MAX_CACHED = 100_000
const LAST_USED_STEP_MS = 60_000

/** What a look-up needs of a key, as plain values: reading an entity costs more than comparing the hash. */
interface KnownKey {
  readonly id: string
  readonly secretHash: string
  /** Epoch milliseconds. */
  readonly validUntil: number
  lastUsedAt: number
}

interface CacheEntry {
  readonly key: KnownKey | null
  readonly principal: Principal | null
  /** Of the monotonic clock: a wall clock that is set back must not keep a revoked key alive. */
  readonly readAt: number
}

const knownKey = (row: ApiKey): KnownKey => ({
  id: row.id,
  secretHash: row.secretHash,
  validUntil: row.validUntil(),
  lastUsedAt: row.lastUsedAt ?? 0,
})

function principalOf(row: ApiKey): Principal {
  const models = row.modelList()
  return {
    accountId: row.accountId,
    keyId: row.id,
    scopes: new Set(row.scopeList()),
    ...(models && { models: new Set(models) }),
    ...(row.budgetId != null && { budgetId: row.budgetId }),
  }
}

export function createKeyLookup(database: Database, clock: Clock): KeyLookup {
  const cache = new Map<string, CacheEntry>()

  async function read(publicId: string): Promise<CacheEntry> {
    const row = await database.fork().findOne(ApiKey, { publicId })
    if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value!)
    const principal = row && principalOf(row)
    const key = row && knownKey(row)
    const entry = { key, principal, readAt: clock.monotonic() }
    cache.delete(publicId)
    cache.set(publicId, entry)
    return entry
  }

  function fresh(publicId: string): CacheEntry | null {
    const entry = cache.get(publicId)
    return entry && clock.monotonic() - entry.readAt < CACHE_MS ? entry : null
  }

  function judge({ key, principal }: CacheEntry, hash: string): Principal | null {
    const now = clock.now()
    if (!key || !isSameHash(hash, key.secretHash) || now >= key.validUntil) return null
    if (now - key.lastUsedAt > LAST_USED_STEP_MS) noteUse(key, now)
    return principal
  }

  /** Known to the minute only, and never waited for: a request must not pay a write for it. */
  function noteUse(key: KnownKey, now: number): void {
    key.lastUsedAt = now
    database
      .fork()
      .nativeUpdate(ApiKey, { id: key.id }, { lastUsedAt: now })
      .catch(() => undefined)
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
    forget: (publicId) => void cache.delete(publicId),
  }
}
