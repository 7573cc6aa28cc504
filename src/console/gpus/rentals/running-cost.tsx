/** What a rental has cost until this second. */
import { Money } from '../../format/money.js'
import { useNow } from '../../ui/use-now.js'
import { costAt } from './rental-cost.js'
import type { Rental } from './rental-words.js'

export function RunningCost({ rental }: { readonly rental: Rental }) {
  const now = useNow(1_000)
  return <Money amount={costAt(rental, now)} digits={4} />
}
