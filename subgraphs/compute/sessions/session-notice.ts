/** What operators are told of a rental: each of its states, once. */
import { notice, type Notice } from '#platform/events/notices.js'
import { formatUsd } from '#platform/money.js'
import { type GpuSession, statusOf } from './session.js'

/** Of a change that subscribers hear of; nothing when the status is what it was. */
export function rentalNotices(before: GpuSession | null, after: GpuSession): Notice[] {
  const status = statusOf(after)
  const wasTold = before !== null && before.holdPhase !== 'reserving' && statusOf(before) === status
  if (after.purpose !== 'rental' || wasTold) return []
  const { id, accountId, providerId, region, gpuModel, gpuCount, terminationReason, finalCost } = after
  const cost = finalCost === null ? null : formatUsd(finalCost)
  const machine = { providerId, region, gpuModel, gpuCount }
  return [notice(`rental.${status}`, id, { rentalId: id, accountId, status, ...machine, terminationReason, cost })]
}
