/** What is known of a model, in words and figures; a dash where nothing is. */
import type { Availability, ModelsRowFragment, Tier } from '../../generated/console-models.js'
import { AvailabilityDot } from '../play/models/availability-dot.js'
import { Money } from '../format/money.js'
import { duration, perSecond } from '../format/numbers.js'
import { classes } from '../ui/classes.js'

export const NONE = <span className="text-muted">–</span>

export const TIER_NAMES: Readonly<Record<Tier, string>> = { LIGHT: 'Light', MEDIUM: 'Medium', HIGH: 'High' }

export const STATE_NAMES: Readonly<Record<Availability, string>> = {
  INSTANT: 'Instant',
  DEPLOYING: 'Deploying',
  COLD: 'Cold',
  PRICING_PENDING: 'Price pending',
}

export const State = ({ model: { availability, estimatedDeploySeconds } }: { readonly model: ModelsRowFragment }) => (
  <span className="inline-flex items-center gap-2">
    <AvailabilityDot availability={availability} />
    <span aria-hidden="true">
      {STATE_NAMES[availability]}
      {availability === 'DEPLOYING' && estimatedDeploySeconds !== null && `, ${duration(estimatedDeploySeconds * 1000)}`}
    </span>
  </span>
)

interface CapabilitiesProps {
  readonly model: ModelsRowFragment
  /** On several lines where one is too short for them. */
  readonly isWrapped?: boolean
}

export function Capabilities({ model, isWrapped = false }: CapabilitiesProps) {
  const names = [
    model.supportsFunctionCalling === true && 'tools',
    model.supportsJsonMode === true && 'JSON',
    model.inputModalities?.includes('IMAGE') === true && 'images',
    model.openWeight && 'open',
  ].filter((name) => name !== false)
  if (names.length === 0) return NONE
  return (
    <span className={classes('inline-flex gap-1 whitespace-nowrap', isWrapped && 'flex-wrap')}>
      {names.map((name) => (
        <span
          key={name}
          title={name === 'open' ? 'Its weights are published' : undefined}
          className="rounded-sm border border-line px-1.5 text-2xs leading-4.5 text-muted"
        >
          {name}
        </span>
      ))}
    </span>
  )
}

/** What was measured on real traffic; the server says 0 where there was none. */
export const latency = (ms: number | undefined) => (ms === undefined || ms === 0 ? NONE : duration(ms))
export const speed = (tokens: number | undefined) => (tokens === undefined || tokens === 0 ? NONE : perSecond(tokens))
export const dollars = (amount: string | null | undefined) => (amount == null ? NONE : <Money amount={amount} />)
