/** Which usage records are meant. */
import type { NanoUsd } from '#platform/money.js'
import type { ChatApi } from '#platform/vocabulary/words.js'
import type { UsageOutcome } from '../ledger/ledger-columns.js'

/** Null: whatever it is. Times are epoch milliseconds. */
export interface UsageFilter {
  readonly modelId: string | null
  readonly keyId: string | null
  readonly providerId: string | null
  readonly outcome: UsageOutcome | null
  readonly api: ChatApi | null
  readonly minCost: NanoUsd | null
  readonly from: number | null
  readonly to: number | null
}
