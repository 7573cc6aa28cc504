/** How many chat requests and tokens a minute a key may use. Keys that follow each other, or that one made, share the rates. */
import { invalidRequest } from '#platform/errors.js'
import type { ApiKey } from './api-key.js'
import { familyOf } from './key-family.js'
import type { KeyRateFields, KeyStore } from './key-store.js'

/** Null for any number, left out for what it is. */
export interface RateChange {
  readonly requestsPerMinute?: number | null | undefined
  readonly tokensPerMinute?: number | null | undefined
}

const MOST_REQUESTS = 1_000_000
const MOST_TOKENS = 1_000_000_000

/** @throws AppError 400 */
export function checkRates({ requestsPerMinute, tokensPerMinute }: RateChange): void {
  checkRate(requestsPerMinute, MOST_REQUESTS, 'requestsPerMinute')
  checkRate(tokensPerMinute, MOST_TOKENS, 'tokensPerMinute')
}

function checkRate(rate: number | null | undefined, most: number, name: string): void {
  if (rate != null && !(rate >= 1 && rate <= most)) throw invalidRequest(`"${name}" is from 1 to ${most}.`, name)
}

export const ratesOf = ({ requestsPerMinute, tokensPerMinute, rateGroup }: ApiKey): KeyRateFields => ({
  requestsPerMinute,
  tokensPerMinute,
  rateGroup,
})

/** The first key of a group names it. */
export const groupNamed = (keyId: string): string => keyId

export interface KeyRateLimits {
  /** The keys that share the rates get them too. @throws AppError 400 */
  set(key: ApiKey, change: RateChange): Promise<void>
  /** Gives a new key the rates that the one in whose place it comes got meanwhile. */
  inherit(key: ApiKey, from: ApiKey): Promise<ApiKey>
}

export function createKeyRateLimits(store: KeyStore, announce: (key: ApiKey) => void): KeyRateLimits {
  async function share(key: ApiKey, rates: KeyRateFields): Promise<ApiKey> {
    const changed = await store.change(key, rates)
    announce(changed)
    return changed
  }

  return {
    async set(key, change) {
      checkRates(change)
      const rates: KeyRateFields = {
        requestsPerMinute: change.requestsPerMinute === undefined ? key.requestsPerMinute : change.requestsPerMinute,
        tokensPerMinute: change.tokensPerMinute === undefined ? key.tokensPerMinute : change.tokensPerMinute,
        rateGroup: key.rateGroup ?? groupNamed((await familyOf(store, key))[0]!.id),
      }
      const isThere = (other: ApiKey) =>
        other.rateGroup === rates.rateGroup &&
        other.requestsPerMinute === rates.requestsPerMinute &&
        other.tokensPerMinute === rates.tokensPerMinute
      // Looked at again after it was written, for one that a rotation puts in its place meanwhile.
      for (let without = [key]; without.length > 0;) {
        const family = new Set((await familyOf(store, key)).map(({ id }) => id))
        const sharing = (other: ApiKey) => family.has(other.id) || other.rateGroup === rates.rateGroup
        without = (await store.ofAccount(key.accountId)).filter((other) => sharing(other) && !isThere(other))
        for (const other of without) await share(other, rates)
      }
    },
    async inherit(key, from) {
      const rates = ratesOf(from)
      const isSame = JSON.stringify(rates) === JSON.stringify(ratesOf(key))
      return isSame ? key : share(key, rates)
    },
  }
}
