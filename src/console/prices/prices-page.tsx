/** What our models cost beside what others charge, for the mix of tokens that is asked about; live. */
import { Tabs } from '@base-ui/react/tabs'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChartNoAxesCombined } from 'lucide-react'
import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { useQuery, useSubscription } from 'urql'
import { maySee, useViewer } from '../app/session/viewer.js'
import { PricesChangedDocument, PricesPendingDocument, PricesTableDocument } from '../../generated/console-prices.js'
import { Day } from '../format/time.js'
import { faultOf } from '../graph/faults.js'
import { EmptyState } from '../ui/notices/empty-state.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { PageHeader } from '../ui/layout/page-header.js'
import { Section } from '../ui/layout/section.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { TabHeads } from '../ui/layout/tabs.js'
import { ComparisonTable } from './comparison-table.js'
import { DotPlot } from './dot-plot.js'
import { comparedModels } from './mix.js'
import { PendingPrices } from './pending-prices.js'
import { PriceFeeds } from './price-feeds.js'
import { DEFAULT_MIX, MOST_MIX, readPricesSearch, type PricesSearch } from './prices-search.js'
import { TierCards } from './tier-cards.js'

export function PricesPage() {
  const { key } = useViewer()
  const isAdmin = maySee(key.scopes, 'ADMIN')
  return isAdmin ? (
    <AdminPages />
  ) : (
    <>
      <PageHeader title="Prices" />
      <Scroller>
        <Compare />
      </Scroller>
    </>
  )
}

const Scroller = ({ children }: { readonly children: ReactNode }) => (
  <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={0} role="region" aria-label="Prices">
    <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-7 p-4 md:p-5">{children}</div>
  </div>
)

function useChange() {
  const navigate = useNavigate({ from: '/prices' })
  return (changed: PricesSearch) =>
    void navigate({ search: (before) => readPricesSearch({ ...before, ...changed }), replace: true })
}

function AdminPages() {
  const { view = 'compare' } = useSearch({ from: '/prices' })
  const change = useChange()
  const [{ data, error }, read] = useQuery({ query: PricesPendingDocument })
  const onChanged = useCallback(() => read({ requestPolicy: 'network-only' }), [read])
  const pending = data?.pendingPrices
  const tabs = [
    ['compare', 'Compare'],
    ['pending', pending && pending.length > 0 ? `Pending ${pending.length}` : 'Pending'],
    ['feeds', 'Feeds'],
  ] as const
  return (
    <Tabs.Root value={view} onValueChange={(value) => change({ view: value })} className="contents">
      <PageHeader title="Prices">
        <TabHeads look="pills" label="Part of the page" tabs={tabs} />
      </PageHeader>
      <Scroller>
        {error && view !== 'compare' && <FaultNotice fault={faultOf(error)} />}
        <Tabs.Panel value="compare" className="grid gap-7">
          <Compare />
        </Tabs.Panel>
        <Tabs.Panel value="pending" className="grid gap-3">
          {pending ? <PendingPrices pending={pending} onChanged={onChanged} /> : !error && <Skeleton className="h-64" />}
        </Tabs.Panel>
        <Tabs.Panel value="feeds">
          {data?.priceFeeds ? <PriceFeeds feeds={data.priceFeeds} /> : !error && <Skeleton className="h-64" />}
        </Tabs.Panel>
      </Scroller>
    </Tabs.Root>
  )
}

function Compare() {
  const { mix = DEFAULT_MIX, model } = useSearch({ from: '/prices' })
  const change = useChange()
  const [{ data, error }, read] = useQuery({ query: PricesTableDocument })
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  useSubscription({ query: PricesChangedDocument }, (_, next) => {
    setChanged((before) => new Set(before).add(next.priceChanged.canonicalModelId))
    read({ requestPolicy: 'network-only' })
    return next
  })
  const list = data?.benchmarks
  const models = useMemo(() => comparedModels(list?.benchmarks ?? [], mix), [list, mix])
  const chosen = models.find(({ id }) => id === model) ?? models[0]
  if (error && !list) return <FaultNotice fault={faultOf(error)} />
  if (!list || !data.priceTiers) return <Skeleton className="h-[36rem]" />
  if (!chosen)
    return (
      <EmptyState icon={ChartNoAxesCombined} title="No model has a price yet">
        Prices come from sluice.config.yaml, from price lists, or from an administrator.
      </EmptyState>
    )
  return (
    <>
      <MixSlider mix={mix} onChange={(value) => change({ mix: value })} />
      <Section title="Cheapest of each tier">
        <TierCards tiers={data.priceTiers} inputs={mix} />
      </Section>
      <Section
        title="By model"
        aside={
          <span className="text-xs text-muted">
            US dollars a million tokens · newest price of <Day at={list.updatedAt} />
          </span>
        }
      >
        <DotPlot models={models} chosen={chosen.id} changed={changed} onChoose={(id) => change({ model: id })} />
      </Section>
      <ComparisonTable model={chosen} />
    </>
  )
}

interface MixSliderProps {
  readonly mix: number
  readonly onChange: (mix: number) => void
}

const MixSlider = ({ mix, onChange }: MixSliderProps) => (
  <label className="grid grid-cols-[auto_1fr] items-center gap-x-4 text-sm md:grid-cols-[auto_20rem_auto] md:justify-start">
    <span className="font-medium">Tokens, input to output</span>
    <input
      type="range"
      min={1}
      max={MOST_MIX}
      step={1}
      value={mix}
      aria-valuetext={`${mix} to 1`}
      className="h-8 min-w-0 accent-accent max-md:order-last max-md:col-span-2"
      onChange={(event) => onChange(event.target.valueAsNumber)}
    />
    <output className="w-12 tabular-nums">{mix} : 1</output>
  </label>
)
