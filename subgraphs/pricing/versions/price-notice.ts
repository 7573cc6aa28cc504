/** What operators are told of prices: those that wait for a decision, and those that came into force. */
import { notice, NoticeType, type Notice } from '#platform/events/notices.js'
import { formatUsd, type NanoUsd } from '#platform/money.js'
import { PriceOrigin, type PriceVersion } from './price-version.js'

/** The first price that the configuration states is no news to whoever wrote it: null. */
export function priceNotice(version: PriceVersion): Notice | null {
  const { priceId, modelId, providerId, origin, state, number, reason } = version
  if (origin === PriceOrigin.CONFIG && number === 1) return null
  return notice(state === 'pending' ? NoticeType.PRICE_PENDING : NoticeType.PRICE_CHANGED, modelId, {
    modelId,
    providerId,
    deploymentId: priceId,
    origin,
    inputPerMillion: amount(version.input),
    outputPerMillion: amount(version.output),
    cachedInputPerMillion: amount(version.cachedInput),
    reason,
  })
}

const amount = (rate: NanoUsd | null): string | null => (rate === null ? null : formatUsd(rate))
