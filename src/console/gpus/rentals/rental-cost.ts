/** What a rental has cost until a moment: what the server has billed, and the seconds since. */
import { compareDecimals, fractionOf } from '../../format/decimal.js'
import { runningMs, type Rental } from './rental-words.js'

/** USD; final once it has ended. */
export function costAt(
  rental: Pick<Rental, 'status' | 'startedAt' | 'terminatedAt' | 'pricePerHour' | 'cost'>,
  now: number,
): string {
  const ms = rental.status === 'RUNNING' ? runningMs(rental, now) : null
  if (ms === null) return rental.cost
  const passed = fractionOf(rental.pricePerHour, Math.floor(ms / 1000), 3_600)
  return compareDecimals(passed, rental.cost) > 0 ? passed : rental.cost
}
