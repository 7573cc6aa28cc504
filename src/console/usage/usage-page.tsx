/** Usage: what is left, what was spent on what, and every request with its reasons. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CircleSlash, Download } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useClient } from 'urql'
import { OwnBudgets } from '../budgets/own-budgets.js'
import { count } from '../format/numbers.js'
import { thrownFault } from '../graph/faults.js'
import { Button } from '../ui/forms/button.js'
import { download } from '../ui/download.js'
import { PageHeader } from '../ui/layout/page-header.js'
import { toast } from '../ui/notices/toasts.js'
import { csvOf, readAll } from './csv.js'
import { MoneyCards } from './spending/money-cards.js'
import { fits, useLiveRecords, useOpenings, type Asked } from './records.js'
import { RefusedDialog } from './refused-dialog.js'
import { RequestDialog } from './request-dialog.js'
import { RequestsTable } from './requests-table.js'
import { spanOf, type Span } from './spending/span.js'
import { SpendingPanel } from './spending/spending-panel.js'
import { useChoices } from './usage-choices.js'
import { UsageFilterBar } from './usage-filter-bar.js'
import { filtersOf, NO_FILTERS, type SetSearch, type UsageFilters, type UsageSearch } from './usage-search.js'

export function UsagePage() {
  const search = useSearch({ from: '/usage' })
  const setSearch = useSetSearch()
  const { span, filters, asked } = useAsked(search)
  const live = useLiveRecords()
  const openings = useOpenings()
  const choices = useChoices(span)
  const fitting = useMemo(
    () => (span.to === null && (asked.sort ?? 'NEWEST') === 'NEWEST' ? live.filter((row) => fits(row, filters)) : []),
    [live, filters, span.to, asked.sort],
  )
  const clear = () => setSearch(NO_FILTERS)
  return (
    <>
      <PageHeader title="Usage">
        <Button onClick={() => setSearch({ refused: true })}>
          <CircleSlash className="size-4" aria-hidden="true" />
          Refused
        </Button>
        <CsvButton asked={asked} />
      </PageHeader>
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4 md:px-5">
        <MoneyCards news={live.length} />
        <OwnBudgets news={live.length} />
        <SpendingPanel
          span={span}
          filters={filters}
          search={search}
          setSearch={setSearch}
          nameOfKey={choices.nameOfKey}
          news={live.length + openings}
        />
        <UsageFilterBar search={search} setSearch={setSearch} choices={choices} />
        <div className="flex min-h-[32rem] flex-1 flex-col md:min-h-80">
          <RequestsTable
            key={JSON.stringify(asked)}
            asked={asked}
            live={fitting}
            nameOfKey={choices.nameOfKey}
            onOpen={({ id }) => setSearch({ request: id })}
            isFiltered={Object.keys(filters).length > 0}
            onClear={clear}
          />
        </div>
      </div>
      <RefusedDialog
        isOpen={search.refused === true}
        nameOfKey={choices.nameOfKey}
        onClose={() => setSearch({ refused: undefined })}
      />
      <RequestDialog id={search.request} nameOfKey={choices.nameOfKey} onClose={() => setSearch({ request: undefined })} />
    </>
  )
}

function useSetSearch(): SetSearch {
  const navigate = useNavigate({ from: '/usage' })
  return useCallback(
    (change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: !('request' in change) }),
    [navigate],
  )
}

/** What the address asks for, kept as long as it asks for the same. */
function useAsked(search: UsageSearch): { readonly span: Span; readonly filters: UsageFilters; readonly asked: Asked } {
  const [openedAt] = useState(() => Date.now())
  const { range, from, to, sort, model, key, provider, outcome, api, minCost } = search
  return useMemo(() => {
    const filters = filtersOf({ model, key, provider, outcome, api, minCost })
    const span = spanOf({ range, from, to }, openedAt)
    return { span, filters, asked: { ...filters, from: span.from, to: span.to, ...(sort && { sort }) } }
  }, [range, from, to, sort, model, key, provider, outcome, api, minCost, openedAt])
}

function CsvButton({ asked }: { readonly asked: Asked }) {
  const client = useClient()
  const [rows, setRows] = useState<number | null>(null)
  const save = async () => {
    setRows(0)
    try {
      const all = await readAll(client, asked, setRows)
      download(`sluice-usage-${new Date().toISOString().slice(0, 10)}.csv`, 'text/csv', csvOf(all))
      toast(`CSV with ${count(all.length)} ${all.length === 1 ? 'request' : 'requests'} saved.`)
    } catch (error) {
      toast(`No CSV: ${thrownFault(error).message}`)
    }
    setRows(null)
  }
  return (
    <Button disabled={rows !== null} onClick={() => void save()}>
      <Download className="size-4" aria-hidden="true" />
      {rows === null ? 'CSV' : `${count(rows)} rows…`}
    </Button>
  )
}
