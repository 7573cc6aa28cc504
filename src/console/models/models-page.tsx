/** Every model that can be served, in one table that is live; up to four are compared above it. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'
import { useMemo } from 'react'
import { useQuery, useSubscription } from 'urql'
import {
  ModelsAvailabilityDocument,
  ModelsCheapestChangedDocument,
  ModelsTableDocument,
  type ModelsRowFragment,
} from '../../generated/console-models.js'
import { count } from '../format/numbers.js'
import { faultOf } from '../graph/faults.js'
import { DataTable, type Sort } from '../ui/data-table.js'
import { EmptyState } from '../ui/notices/empty-state.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { FilterBar, FilterChoice, FilterText } from '../ui/forms/filter-bar.js'
import { PageHeader } from '../ui/layout/page-header.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { Comparison } from './comparison.js'
import { STATE_NAMES, TIER_NAMES } from './model-words.js'
import { namesOf } from './aliases.js'
import { COLUMNS } from './models-columns.js'
import { readModelsSearch, STATES, TIERS, type ModelsSearch } from './models-search.js'

/** @param names other names of the model */
const fits = (model: ModelsRowFragment, names: string, { q = '', tier, state }: ModelsSearch): boolean => {
  const text = `${model.id} ${model.displayName} ${model.ownedBy} ${names}`.toLowerCase()
  return (
    (tier === undefined || model.tier === tier) &&
    (state === undefined || model.availability === state) &&
    q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  )
}

export function ModelsPage() {
  const search = useSearch({ from: '/models' })
  const navigate = useNavigate({ from: '/models' })
  const [{ data, error }] = useQuery({ query: ModelsTableDocument })
  // What they tell of goes to the cache, and so to the table.
  useSubscription({ query: ModelsAvailabilityDocument, variables: {} })
  useSubscription({ query: ModelsCheapestChangedDocument })
  const models = data?.models?.models
  const names = useMemo(() => namesOf(data?.modelAliases ?? []), [data])
  const rows = useMemo(
    () => (models ?? []).filter((model) => fits(model, names.get(model.id) ?? '', search)),
    [models, names, search],
  )
  const compared = useMemo(
    () => (search.compare ?? []).flatMap((id) => models?.find((model) => model.id === id) ?? []),
    [models, search.compare],
  )
  const sort = useMemo<Sort>(() => ({ column: search.sort ?? 'state', isDescending: search.desc === true }), [search])
  const change = (changed: Partial<Record<keyof ModelsSearch, unknown>>) =>
    void navigate({ search: (before) => readModelsSearch({ ...before, ...changed }), replace: true })
  return (
    <>
      <PageHeader title="Models">
        {models && <span className="text-sm text-muted">{count(models.length)} models</span>}
      </PageHeader>
      <FilterBar>
        <FilterText label="Filter models" value={search.q ?? ''} onChange={(q) => change({ q })} />
        <FilterChoice
          label="Tier"
          every="Every tier"
          value={search.tier}
          choices={TIERS.map((tier) => [tier, TIER_NAMES[tier]])}
          onChange={(tier) => change({ tier })}
        />
        <FilterChoice
          label="Availability"
          every="Any availability"
          value={search.state}
          choices={STATES.map((state) => [state, STATE_NAMES[state]])}
          onChange={(state) => change({ state })}
        />
      </FilterBar>
      {compared.length > 0 && (
        <Comparison models={compared} onRemove={(id) => change({ compare: search.compare?.filter((one) => one !== id) })} />
      )}
      {error && (
        <div className="px-4 md:px-5">
          <FaultNotice fault={faultOf(error)} />
        </div>
      )}
      {!models && !error && <Skeleton className="mx-4 h-96 md:mx-5" />}
      {models && rows.length === 0 && <Nothing isFiltered={models.length > 0} />}
      {rows.length > 0 && (
        <DataTable
          label="Models"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ id }) => id}
          sort={sort}
          onSort={({ column, isDescending }) => change({ sort: column, desc: isDescending || undefined })}
          onOpen={({ id }) => void navigate({ to: '/models/$id', params: { id } })}
        />
      )}
    </>
  )
}

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) => (
  <EmptyState icon={Boxes} title={isFiltered ? 'No model fits the filter' : 'No model can be served'}>
    {isFiltered ? 'Take something out of it.' : 'Give the server the key of a provider, or add models to sluice.config.yaml.'}
  </EmptyState>
)
