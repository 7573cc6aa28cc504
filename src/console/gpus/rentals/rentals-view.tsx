/** What is rented now, as cards that tick, and what was. */
import { Server } from 'lucide-react'
import { Money } from '../../format/money.js'
import { Moment } from '../../format/time.js'
import { Button } from '../../ui/forms/button.js'
import { EmptyState } from '../../ui/notices/empty-state.js'
import { FaultNotice } from '../../ui/notices/fault-notice.js'
import { Section } from '../../ui/layout/section.js'
import { Skeleton } from '../../ui/notices/skeleton.js'
import { useNow } from '../../ui/use-now.js'
import { PastRentals, usePastRentals } from './past-rentals.js'
import { gpus, longDuration, nameOf, PHASES, runningMs, type Rental } from './rental-words.js'
import { StateBadge } from './state-badge.js'
import { RunningCost } from './running-cost.js'
import type { Rentals } from './use-rentals.js'

interface RentalsViewProps {
  readonly rentals: Rentals
  readonly onOpen: (id: string) => void
  readonly onRent: () => void
}

export function RentalsView({ rentals: { live, justEnded, fault }, onOpen, onRent }: RentalsViewProps) {
  const past = usePastRentals(justEnded)
  const anyFault = fault ?? (past.rows.length === 0 ? past.fault : null)
  const isRead = live !== null && past.isRead
  return (
    <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={0} role="region" aria-label="Rentals">
      <div className="mx-auto grid h-full max-w-6xl content-start gap-7 p-4 md:p-5">
        {anyFault && <FaultNotice fault={anyFault} />}
        {!isRead && !anyFault && <Skeleton className="h-64" />}
        {isRead && live.length + past.rows.length === 0 && !anyFault && (
          <EmptyState icon={Server} title="You rent no GPU">
            <p className="mb-3">It serves a model, runs an image, or lets you in over SSH, and is billed by the second.</p>
            <Button variant="primary" onClick={onRent}>
              Rent a GPU
            </Button>
          </EmptyState>
        )}
        {isRead && live.length > 0 && (
          <Section title="Now">
            <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
              {live.map((rental) => (
                <li key={rental.id}>
                  <RentalCard rental={rental} onOpen={() => onOpen(rental.id)} />
                </li>
              ))}
            </ul>
          </Section>
        )}
        {isRead && past.rows.length > 0 && <PastRentals past={past} onOpen={onOpen} />}
      </div>
    </div>
  )
}

const RentalCard = ({ rental, onOpen }: { readonly rental: Rental; readonly onOpen: () => void }) => (
  <button
    type="button"
    onClick={onOpen}
    className="grid w-full gap-3 rounded-lg border border-line bg-surface p-4 text-left shadow-low transition-colors hover:border-edge"
  >
    <span className="flex min-w-0 items-center justify-between gap-3">
      <span className="truncate font-medium">{nameOf(rental)}</span>
      <StateBadge status={rental.status} />
    </span>
    <span className="text-sm text-muted">
      {gpus(rental)} · {rental.vramGb} GB · {rental.region} · <span className="font-mono text-xs">{rental.providerId}</span>
    </span>
    <span className="flex items-end justify-between gap-3">
      <span className="text-lg font-semibold">
        <RunningCost rental={rental} />
      </span>
      <span className="text-right text-xs text-muted">
        <Money amount={rental.pricePerHour} /> an hour
        <span className="block">{rental.status === 'RUNNING' ? <RunningTime rental={rental} /> : PHASES[rental.phase]}</span>
      </span>
    </span>
  </button>
)

function RunningTime({ rental }: { readonly rental: Rental }) {
  const now = useNow(1_000)
  return (
    <span className="tabular-nums">
      for {longDuration(runningMs(rental, now) ?? 0)}, since <Moment at={rental.startedAt ?? rental.createdAt} shape="minute" />
    </span>
  )
}
