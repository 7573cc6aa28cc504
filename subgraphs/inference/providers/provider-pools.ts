/** The connections to all providers: one pool each, opened at the first call and replaced when its configuration changes. */
import type { Clock } from '#platform/clock.js'
import type { ChatLimits } from '../limits.js'
import type { ProviderConfig } from '../ports.js'
import type { ProviderPool } from './exchange.js'
import { createProviderPool } from './provider-pool.js'

export interface ProviderPools {
  of(provider: ProviderConfig): ProviderPool
  close(): Promise<void>
}

export function createProviderPools(limits: ChatLimits, clock: Clock): ProviderPools {
  const pools = new Map<string, ProviderPool>()
  return {
    of(provider) {
      const known = pools.get(provider.id)
      if (known && isSame(known.provider, provider)) return known
      const pool = createProviderPool(provider, limits, clock)
      pools.set(provider.id, pool)
      void known?.retire()
      return pool
    },
    async close() {
      const open = [...pools.values()]
      pools.clear()
      await Promise.all(open.map((pool) => pool.close()))
    },
  }
}

/** Whether the connections of the one may serve the other. */
const isSame = (a: ProviderConfig, b: ProviderConfig): boolean =>
  a.baseUrl === b.baseUrl && a.apiKey === b.apiKey && a.api === b.api
