/** The GPUs that can be rented now, and what they are narrowed by. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useMemo } from 'react'
import { useSubscription } from 'urql'
import { GpusOffersDocument } from '../../../generated/console-gpus.js'
import { compareDecimals } from '../../format/decimal.js'
import { Money } from '../../format/money.js'
import { count } from '../../format/numbers.js'
import { Moment } from '../../format/time.js'
import { faultOf } from '../../graph/faults.js'
import { Badge } from '../../ui/badge.js'
import { Button } from '../../ui/forms/button.js'
import { DataTable, type Column, type Sort } from '../../ui/data-table.js'
import { EmptyState } from '../../ui/notices/empty-state.js'
import { FaultNotice } from '../../ui/notices/fault-notice.js'
import { Skeleton } from '../../ui/notices/skeleton.js'
import { readGpusSearch, type GpusSearch } from '../gpus-search.js'
import { NoOffers } from './no-offers.js'
import { OfferFilterBar } from './offer-filter-bar.js'
import { choicesOf, fits, offerRows, type OfferRow } from './offers.js'
import { gpus, percent } from '../rentals/rental-words.js'

const ORIGINS: Readonly<Record<OfferRow['interruptionOrigin'], string>> = {
  ON_DEMAND: 'The provider does not take it away',
  OBSERVED: 'From what happened to our own sessions',
  PUBLISHED: 'As the provider publishes it',
  PRIOR: 'Assumed, because nobody publishes it',
}

const byText = (of: (row: OfferRow) => string) => (a: OfferRow, b: OfferRow) => of(a).localeCompare(of(b))

const columnsWith = (onRent: (offer: OfferRow) => void): readonly Column<OfferRow>[] => [
  {
    id: 'gpu',
    header: 'GPU',
    cell: (offer) => <span className="font-medium">{gpus(offer)}</span>,
    compare: byText(({ gpuModel }) => gpuModel),
  },
  {
    id: 'price',
    header: '$ / GPU and hour',
    cell: ({ pricePerGpuHour }) => <Money amount={pricePerGpuHour} digits={4} />,
    compare: (a, b) => compareDecimals(a.pricePerGpuHour, b.pricePerGpuHour),
    isNumeric: true,
  },
  {
    id: 'memory',
    header: 'Memory',
    cell: ({ vramGb }) => `${vramGb} GB`,
    compare: (a, b) => a.vramGb - b.vramGb,
    isNumeric: true,
  },
  {
    id: 'kind',
    header: 'Taken away in 30 days',
    cell: ({ spot, interruptionProbability, interruptionOrigin }) => (
      <span title={ORIGINS[interruptionOrigin]}>
        {spot ? (
          <>
            <Badge tone="warn">spot</Badge> {percent(interruptionProbability)}
          </>
        ) : (
          <span className="text-muted">never, on demand</span>
        )}
      </span>
    ),
    compare: (a, b) => a.interruptionProbability - b.interruptionProbability,
  },
  { id: 'region', header: 'Region', cell: ({ region }) => region, compare: byText(({ region }) => region) },
  {
    id: 'provider',
    header: 'Provider',
    cell: ({ providerId }) => <span className="font-mono text-xs">{providerId}</span>,
    compare: byText(({ providerId }) => providerId),
  },
  { id: 'stated', header: 'Price stated', cell: ({ fetchedAt }) => <Moment at={fetchedAt} shape="relative" /> },
  {
    id: 'rent',
    header: 'Rent',
    isNumeric: true,
    cell: (offer) => (
      <Button
        variant="ghost"
        className="-my-1 -mr-3 h-7 text-accent!"
        aria-label={`Rent ${gpus(offer)} of ${offer.providerId} in ${offer.region}`}
        onClick={(event) => {
          event.stopPropagation()
          onRent(offer)
        }}
      >
        Rent…
      </Button>
    ),
  },
]

const keyOf = ({ key }: OfferRow): string => key

export function OffersView({ onRent }: { readonly onRent: (offer: OfferRow) => void }) {
  const search = useSearch({ from: '/gpus' })
  const navigate = useNavigate({ from: '/gpus' })
  const [{ data, error }] = useSubscription({ query: GpusOffersDocument })
  const offers = data?.gpuOffersChanged
  const rows = useMemo(() => offerRows(offers ?? []), [offers])
  const choices = useMemo(() => choicesOf(rows), [rows])
  const shown = useMemo(() => rows.filter((row) => fits(row, search)), [rows, search])
  const columns = useMemo(() => columnsWith(onRent), [onRent])
  const sort = useMemo<Sort>(() => ({ column: search.sort ?? 'price', isDescending: search.desc === true }), [search])
  const change = (changed: Partial<Record<keyof GpusSearch, unknown>>) =>
    void navigate({ search: (before) => readGpusSearch({ ...before, ...changed }), replace: true })
  if (error && !offers) {
    return (
      <div className="p-4 md:px-5">
        <FaultNotice fault={faultOf(error)} />
      </div>
    )
  }
  if (!offers) return <Skeleton className="m-4 h-96 md:mx-5" />
  if (offers.length === 0) return <NoOffers />
  return (
    <>
      <OfferFilterBar search={search} choices={choices} change={change}>
        <span role="status" className="text-xs text-muted md:ml-auto">
          {count(shown.length)} of {count(rows.length)} offers
        </span>
      </OfferFilterBar>
      {shown.length === 0 ? (
        <EmptyState icon={SearchX} title="No offer fits the filters">
          Take something out of them.
        </EmptyState>
      ) : (
        <DataTable
          label="Offers"
          columns={columns}
          rows={shown}
          keyOf={keyOf}
          sort={sort}
          onSort={({ column, isDescending }) => change({ sort: column, desc: isDescending || undefined })}
          onOpen={onRent}
        />
      )}
    </>
  )
}
