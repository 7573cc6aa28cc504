/** The first start: an administrator account with credits and a key, so that a newcomer has an answer within a minute. */
import type { Accounts, Keys } from '../../subgraphs/accounts/index.js'
import type { Scope } from '#platform/requests/context.js'
import type { NanoUsd } from '#platform/money.js'

const EVERY_SCOPE: readonly Scope[] = ['chat', 'gpu', 'scan', 'admin']

export interface FirstStartOptions {
  readonly accounts: Accounts
  readonly keys: Keys
  readonly startingCredits: NanoUsd
  /** `SLUICE_ADMIN_KEY`; null makes a random one. */
  readonly adminKey: string | null
}

/**
 * Creates the administrator when there is none, and honours a preset key on every start.
 *
 * @returns the new random secret to print once, or null.
 */
export async function ensureAdministrator({
  accounts,
  keys,
  startingCredits,
  adminKey,
}: FirstStartOptions): Promise<string | null> {
  const known = await accounts.administrator()
  const account = known ?? (await accounts.create({ name: 'administrator', isAdministrator: true, credits: startingCredits }))
  if (adminKey !== null) {
    await keys.ensurePreset(account.id, adminKey, 'SLUICE_ADMIN_KEY', EVERY_SCOPE)
    return null
  }
  // Also when an earlier start died between the account and its key: there must be a way in.
  if ((await keys.count(account.id)) > 0) return null
  const { secret } = await keys.create({ accountId: account.id, name: 'first key', scopes: EVERY_SCOPE })
  return secret
}
