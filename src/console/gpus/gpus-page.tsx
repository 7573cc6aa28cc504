/** GPUs: what can be rented now, what is rented, and the machines that serve models for everyone. */
import { Tabs } from '@base-ui/react/tabs'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import { Button } from '../ui/forms/button.js'
import { PageHeader } from '../ui/layout/page-header.js'
import { TabHeads } from '../ui/layout/tabs.js'
import { USUAL_VIEW, VIEWS, type View } from './gpus-search.js'
import { ModelSessions } from './model-sessions.js'
import type { OfferRow } from './offers/offers.js'
import { OffersView } from './offers/offers-view.js'
import { RentalDialog } from './rentals/rental-dialog.js'
import { RentalsView } from './rentals/rentals-view.js'
import { useRentals } from './rentals/use-rentals.js'

/** Needed when somebody rents. */
const RentDialog = lazy(() => import('./renting/rent-dialog.js').then((module) => ({ default: module.RentDialog })))

const PANEL = 'flex min-h-0 flex-1 flex-col'

/** What the dialog begins with: an offer, or nothing. */
type Renting = { readonly offer: OfferRow | null }

export function GpusPage() {
  const { view = USUAL_VIEW, rental } = useSearch({ from: '/gpus' })
  const navigate = useNavigate({ from: '/gpus' })
  const rentals = useRentals()
  const [renting, setRenting] = useState<Renting | null>(null)
  const onRent = useCallback((offer: OfferRow) => setRenting({ offer }), [])
  const show = (value: unknown) => void navigate({ search: isView(value) && value !== USUAL_VIEW ? { view: value } : {} })
  const open = (id: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, rental: id }), replace: id === undefined })
  const live = rentals.live?.length ?? 0
  const tabs = Object.entries(VIEWS).map(
    ([value, name]) => [value, value === 'rentals' && live > 0 ? `${name} ${live}` : name] as const,
  )
  return (
    <Tabs.Root value={view} onValueChange={show} className="contents">
      <PageHeader title="GPUs">
        <TabHeads look="pills" label="Part of the page" tabs={tabs} />
        <Button variant="primary" onClick={() => setRenting({ offer: null })}>
          <Plus className="size-4" aria-hidden="true" />
          <span className="max-md:sr-only">Rent a GPU</span>
        </Button>
      </PageHeader>
      <Tabs.Panel value="offers" className={PANEL}>
        <OffersView onRent={onRent} />
      </Tabs.Panel>
      <Tabs.Panel value="rentals" className={PANEL}>
        <RentalsView rentals={rentals} onOpen={open} onRent={() => setRenting({ offer: null })} />
      </Tabs.Panel>
      <Tabs.Panel value="models" className={PANEL}>
        <ModelSessions />
      </Tabs.Panel>
      <RentalDialog id={rental} onClose={() => open(undefined)} />
      {renting && (
        <Suspense>
          <RentDialog
            offer={renting.offer}
            onClose={() => setRenting(null)}
            onRented={({ id }) => {
              setRenting(null)
              rentals.readAgain()
              void navigate({ search: { view: 'rentals', rental: id } })
            }}
          />
        </Suspense>
      )}
    </Tabs.Root>
  )
}

const isView = (value: unknown): value is View => typeof value === 'string' && Object.hasOwn(VIEWS, value)
