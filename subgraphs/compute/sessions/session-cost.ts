/** What a session costs: always from cumulative time, so that ticking more often never costs more. */
import { ceilDiv, type NanoUsd } from '#platform/money.js'

/** Nano-USD per hour of the whole session. */
export const hourlyPrice = (pricePerGpuHour: NanoUsd, gpuCount: number): NanoUsd => pricePerGpuHour * BigInt(gpuCount)

/** The cost of `elapsedMs` of running time, rounded up to a nano-USD once. Only completed seconds are billed. */
export function costOf(pricePerHour: NanoUsd, elapsedMs: number): NanoUsd {
  if (elapsedMs <= 0) return 0n
  return ceilDiv(pricePerHour * BigInt(Math.floor(elapsedMs / 1000)), 3600n)
}

/** The hold for `seconds` of running time: the contract's minimum session cost. A hold, not a minimum charge. */
export const holdFor = (pricePerHour: NanoUsd, seconds: number): NanoUsd => ceilDiv(pricePerHour * BigInt(seconds), 3600n)

/** Whole seconds of running time that `amount` still pays for. */
export function secondsCovered(pricePerHour: NanoUsd, amount: NanoUsd): number {
  if (amount <= 0n) return 0
  if (pricePerHour === 0n) return Number.MAX_SAFE_INTEGER
  return Number((amount * 3600n) / pricePerHour)
}
