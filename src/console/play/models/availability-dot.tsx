/** Whether a model answers, as a dot with its word for those who do not see colours. */
import type { Availability } from '../../../generated/console.js'
import { classes } from '../../ui/classes.js'

const LOOKS: Readonly<Record<Availability, readonly [word: string, colour: string]>> = {
  INSTANT: ['Answers now', 'bg-good'],
  DEPLOYING: ['Is being deployed', 'bg-warn animate-pulse'],
  COLD: ['Cold: the first request starts it', 'bg-edge'],
  PRICING_PENDING: ['Waits for its price', 'bg-bad'],
}

export function AvailabilityDot({ availability }: { readonly availability: Availability }) {
  const [word, colour] = LOOKS[availability]
  return (
    <span role="img" aria-label={word} title={word} className={classes('inline-block size-2 shrink-0 rounded-full', colour)} />
  )
}
