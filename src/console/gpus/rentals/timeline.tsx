/** What has become of a rental, step by step with its time, and what is still to come. */
import { useSubscription } from 'urql'
import { GpusHistoryDocument, type GpusHistorySubscription } from '../../../generated/console-gpus.js'
import { duration } from '../../format/numbers.js'
import { Moment } from '../../format/time.js'
import { classes } from '../../ui/classes.js'
import { isLive, PHASES, REASONS, type Rental } from './rental-words.js'
import { withEvent, type Step, type StepName } from './steps.js'

const NAMES: Readonly<Record<StepName, string>> = { ...PHASES, ENDED: 'Ended' }

/** As a rental that nothing goes wrong with passes through them. */
const WAY: readonly StepName[] = ['REQUESTED', 'CREATING', 'BOOTING', 'LOADING', 'RUNNING']

export function Timeline({ rental }: { readonly rental: Rental }) {
  // From its beginning: what happened before somebody looked is told again.
  const [{ data }] = useSubscription<GpusHistorySubscription, readonly Step[]>(
    { query: GpusHistoryDocument, variables: { id: rental.id, after: 0 } },
    (before = [], { rentalStatus }) => withEvent(before, rentalStatus),
  )
  const steps = data ?? []
  const last = steps.at(-1)
  const toCome = isLive(rental) ? WAY.slice(WAY.indexOf(last?.name ?? 'REQUESTED') + 1) : []
  return (
    <section aria-label="Timeline" className="min-h-48">
      <h3 className="mb-3 text-sm font-semibold">What happened</h3>
      <ol aria-label="What happened" className="grid text-sm">
        {steps.map((step, at) => (
          <li key={step.sequence ?? step.name} className="relative flex gap-3 pb-3 last:pb-0">
            <Dot isNow={isLive(rental) && at === steps.length - 1} isLast={at === steps.length - 1 && toCome.length === 0} />
            <span className="min-w-0 flex-1">
              {NAMES[step.name]}
              {step.name === 'ENDED' && step.reason !== null && <span className="text-muted">: {REASONS[step.reason]}</span>}
              {step.at !== null && (
                <span className="block text-xs text-muted">
                  <Moment at={step.at} shape="short" />
                  {after(steps[at - 1], step)}
                </span>
              )}
            </span>
          </li>
        ))}
        {toCome.map((name, at) => (
          <li key={name} className="relative flex gap-3 pb-3 text-muted last:pb-0">
            <Dot isToCome isLast={at === toCome.length - 1} />
            {NAMES[name]}
          </li>
        ))}
      </ol>
    </section>
  )
}

function after(before: Step | undefined, { at }: Step): string | null {
  if (!before?.at || at === null) return null
  return `, ${duration(Math.max(0, Date.parse(at) - Date.parse(before.at)))} later`
}

interface DotProps {
  readonly isNow?: boolean
  readonly isToCome?: boolean
  readonly isLast: boolean
}

const Dot = ({ isNow = false, isToCome = false, isLast }: DotProps) => (
  <span className="relative w-2 shrink-0" aria-hidden="true">
    {!isLast && <span className="absolute -bottom-4.5 left-0.75 top-2.5 w-px bg-line" />}
    <span
      className={classes(
        'absolute top-1.5 size-2 rounded-full',
        isToCome ? 'border border-edge bg-raised' : isNow ? 'bg-accent ring-4 ring-accent-soft' : 'bg-edge',
      )}
    />
  </span>
)
