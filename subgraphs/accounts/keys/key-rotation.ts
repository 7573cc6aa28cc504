/** A new key in the place of an old one, which stays valid for a grace period. */
import type { Clock } from '#platform/clock.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import { validUntil, type ApiKey } from './api-key.js'
import type { KeyAnswerScans } from './key-answer-scan.js'
import type { KeyCaps } from './key-caps.js'
import type { CreatedKey, CreateKeyInput, KeyLimits } from './key-maker.js'
import { ratesOf, type KeyRateLimits } from './key-rate-limits.js'
import type { KeyStore } from './key-store.js'

export interface RotatedKey extends CreatedKey {
  readonly replaced: ApiKey
}

interface KeyRotation {
  readonly rows: KeyStore
  readonly caps: KeyCaps
  readonly rates: KeyRateLimits
  readonly answerScans: KeyAnswerScans
  readonly clock: Clock
  readonly limits: KeyLimits
  readonly create: (input: CreateKeyInput) => Promise<CreatedKey>
  readonly announce: (key: ApiKey) => void
}

const USUAL_GRACE_SECONDS = 24 * 3600

/** @throws AppError 400 */
function graceWithin(given: number | null, most: number): number {
  const grace = given ?? Math.min(USUAL_GRACE_SECONDS, most)
  if (grace < 0 || grace > most) throw invalidRequest(`"graceSeconds" is from 0 to ${most}.`, 'graceSeconds')
  return grace
}

/** @returns what rotates a key, with the seconds of its grace; a day when null. It throws AppError 400 or 409. */
export function createKeyRotation({ rows, caps, rates, answerScans, clock, limits, create, announce }: KeyRotation) {
  return async (key: ApiKey, given: number | null): Promise<RotatedKey> => {
    const graceSeconds = graceWithin(given, limits.graceSeconds)
    const now = clock.now()
    if (now >= validUntil(key)) throw new AppError('conflict', 'Only a valid key can be rotated.', { param: 'id' })
    const { accountId, name, scopes, models, budgetId, answerScan } = key
    // A key that ran for 30 days is followed by one that runs for 30 days.
    const expiresAt = key.expiresAt === null ? null : now + (key.expiresAt - key.createdAt)
    const created = await create({ accountId, name, scopes, models, budgetId, answerScan, ...ratesOf(key), expiresAt })
    const replaced = await rows.change(key, {
      replacedBy: created.apiKey.id,
      expiresAt: Math.min(key.expiresAt ?? Infinity, now + graceSeconds * 1000),
    })
    announce(replaced)
    // What it shares may have been given to it meanwhile.
    const current = (await rows.find(key.id, accountId)) ?? replaced
    const shared = await rates.inherit(await caps.inherit(created.apiKey, current), current)
    const apiKey = await answerScans.inherit(shared, current)
    return { apiKey, secret: created.secret, replaced }
  }
}
