/** A deployment that waits for a price. */
import type { PricesPendingQuery } from '../../generated/console-prices.js'

export type Pending = NonNullable<PricesPendingQuery['pendingPrices']>[number]
