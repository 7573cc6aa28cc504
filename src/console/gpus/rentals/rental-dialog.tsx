/** One rental: what has become of it so far, what it costs, how it is used, and its end. */
import { useState, type ReactNode } from 'react'
import { useQuery } from 'urql'
import { GpusRentalDetailDocument } from '../../../generated/console-gpus.js'
import { Money } from '../../format/money.js'
import { faultOf } from '../../graph/faults.js'
import { Button } from '../../ui/forms/button.js'
import { CopyButton } from '../../ui/forms/copy-button.js'
import { Dialog } from '../../ui/layout/dialog.js'
import { FaultNotice } from '../../ui/notices/fault-notice.js'
import { Skeleton } from '../../ui/notices/skeleton.js'
import { useNow } from '../../ui/use-now.js'
import { Access } from './access.js'
import { EndRental } from './end-rental.js'
import { gpus, isLive, kindOf, longDuration, nameOf, runningMs, type Rental } from './rental-words.js'
import { StateBadge } from './state-badge.js'
import { RunningCost } from './running-cost.js'
import { Timeline } from './timeline.js'

interface RentalDialogProps {
  /** Undefined while none is open. */
  readonly id: string | undefined
  readonly onClose: () => void
}

export const RentalDialog = ({ id, onClose }: RentalDialogProps) => (
  <Dialog title="Rental" isOpen={id !== undefined} onClose={onClose} isWide>
    {id !== undefined && <Details key={id} id={id} />}
  </Dialog>
)

function Details({ id }: { readonly id: string }) {
  const [{ data, error }] = useQuery({ query: GpusRentalDetailDocument, variables: { id }, requestPolicy: 'cache-and-network' })
  const rental = data?.rental
  if (error && !rental) {
    return (
      <div className="p-4">
        <FaultNotice fault={faultOf(error)} />
      </div>
    )
  }
  if (!data) return <Skeleton className="m-4 h-80" />
  if (!rental) return <p className="p-4 text-sm text-muted">You have no such rental.</p>
  return (
    <>
      <div className="min-h-0 overflow-y-auto" tabIndex={0} role="region" aria-label="Details of the rental">
        <div className="flex min-w-0 items-center gap-2 px-4 pt-3">
          <span className="min-w-0 truncate font-semibold">{nameOf(rental)}</span>
          <StateBadge status={rental.status} />
          <span className="ml-auto flex min-w-0 items-center">
            <span className="truncate font-mono text-2xs text-muted max-md:sr-only">{rental.id}</span>
            <CopyButton text={rental.id} label="Copy the id of the rental" />
          </span>
        </div>
        <Facts rental={rental} />
        <div className="grid gap-x-6 border-t border-line md:grid-cols-2 [&>*]:p-4">
          <Timeline rental={rental} />
          <Access rental={rental} />
        </div>
      </div>
      {isLive(rental) && <Foot rental={rental} />}
    </>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-muted">{name}</dt>
    <dd className="truncate tabular-nums">{children}</dd>
  </div>
)

const Facts = ({ rental }: { readonly rental: Rental }) => (
  <dl className="grid grid-cols-2 gap-x-4 gap-y-3 p-4 pt-2 text-sm md:grid-cols-4">
    <Fact name={isLive(rental) ? 'Cost so far' : 'Cost'}>
      <span className="text-lg font-semibold">
        <RunningCost rental={rental} />
      </span>
    </Fact>
    <Fact name="Set aside">
      <Money amount={rental.hold} digits={4} />
    </Fact>
    <Fact name="Price">
      <Money amount={rental.pricePerHour} /> an hour
    </Fact>
    <Fact name="Ran">
      <Ran rental={rental} />
    </Fact>
    <Fact name="GPU">
      {gpus(rental)}, {rental.vramGb} GB
    </Fact>
    <Fact name="Where">
      {rental.region} · <span className="font-mono text-xs">{rental.providerId}</span>
    </Fact>
    <Fact name="Kind">{kindOf(rental)}</Fact>
    <Fact name={rental.modelId === null ? 'Image' : 'Model'}>
      <span title={rental.modelId ?? rental.dockerImage ?? ''}>
        {rental.modelId ?? rental.dockerImage ?? "the provider's own"}
        {rental.fineTuned && ', fine-tuned'}
      </span>
    </Fact>
  </dl>
)

function Ran({ rental }: { readonly rental: Rental }) {
  const now = useNow(1_000)
  const ms = runningMs(rental, now)
  return ms === null ? (isLive(rental) ? 'not yet' : 'never') : longDuration(ms)
}

function Foot({ rental }: { readonly rental: Rental }) {
  const [isEnding, setEnding] = useState(false)
  return (
    <div className="flex shrink-0 justify-end border-t border-line px-4 py-3">
      <Button variant="danger" onClick={() => setEnding(true)}>
        End the rental…
      </Button>
      {isEnding && <EndRental rental={rental} onClose={() => setEnding(false)} />}
    </div>
  )
}
