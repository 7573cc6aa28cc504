/** The connections to all providers: one pool each, opened at the first call and replaced when its configuration changes. */
import type { Clock } from '#platform/clock.js'
import type { ChatLimits } from '../limits.js'
import type { ProviderConfig } from '../ports.js'
import { createProviderPool, type ProviderPool } from './provider-pool.js'

export interface ProviderPools {
  of(provider: ProviderConfig): ProviderPool
  close(): Promise<void>
}

export function createProviderPools(limits: ChatLimits, clock: Clock): ProviderPools {
  const pools = new Map<string, { pool: ProviderPool; baseUrl: string; apiKey: string | null }>()
  return {
    of(provider) {
      const known = pools.get(provider.id)
      if (known && known.baseUrl === provider.baseUrl && known.apiKey === provider.apiKey) return known.pool
      const pool = createProviderPool(provider, limits, clock)
      pools.set(provider.id, { pool, baseUrl: provider.baseUrl, apiKey: provider.apiKey })
      void known?.pool.retire()
      return pool
    },
    async close() {
      const open = [...pools.values()]
      pools.clear()
      await Promise.all(open.map(({ pool }) => pool.close()))
    },
  }
}
