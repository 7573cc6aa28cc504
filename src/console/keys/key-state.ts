/** How it stands with a key. */
import type { KeysRowFragment } from '../../generated/console-keys.js'
import type { Tone } from '../ui/badge.js'

export type KeyRow = KeysRowFragment

export type KeyState = 'valid' | 'in grace' | 'expired' | 'revoked'

export const TONES: Readonly<Record<KeyState, Tone>> = { valid: 'good', 'in grace': 'warn', expired: 'neutral', revoked: 'bad' }

export function stateOf({ revokedAt, expiresAt, replacedBy }: KeyRow, now: number): KeyState {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return 'expired'
  return replacedBy === null ? 'valid' : 'in grace'
}

export const isUsable = (state: KeyState): boolean => state === 'valid' || state === 'in grace'

/** Of the keys that took its place one after the other, the last: they share its budgets. */
export function newestId({ id, replacedBy }: KeyRow, keys: readonly KeyRow[]): string {
  if (replacedBy === null) return id
  const next = keys.find((key) => key.id === replacedBy)
  return next ? newestId(next, keys) : replacedBy
}

/**
 * Whether a key may rotate and end another: one that may do more than itself it may not. Caps and rates of keys bind too; there
 * the server says so.
 */
export const mayManage = (own: Pick<KeyRow, 'scopes' | 'models'>, { scopes, models }: KeyRow): boolean =>
  own.scopes.includes('ADMIN') ||
  (scopes.every((scope) => own.scopes.includes(scope)) &&
    (own.models === null || (models !== null && models.every((model) => own.models?.includes(model)))))
