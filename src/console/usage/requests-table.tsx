/** The requests, as many as were scrolled to, with those that end now on top. */
import { ReceiptText } from 'lucide-react'
import { useMemo } from 'react'
import { Money } from '../format/money.js'
import { count, duration } from '../format/numbers.js'
import { Moment } from '../format/time.js'
import { Badge, type Tone } from '../ui/badge.js'
import { Button } from '../ui/forms/button.js'
import { DataTable, type Column } from '../ui/data-table.js'
import { EmptyState } from '../ui/notices/empty-state.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { useMerged, usePages, type Asked, type UsageRow } from './records.js'
import { OUTCOMES } from './usage-search.js'

export const toneOf = (outcome: UsageRow['outcome']): Tone =>
  outcome === 'COMPLETED' ? 'good' : outcome === 'FAILED' || outcome === 'SERVER_LOST' ? 'bad' : 'warn'

const columnsWith = (nameOfKey: (id: string) => string): readonly Column<UsageRow>[] => [
  { id: 'time', header: 'Time', cell: ({ createdAt }) => <Moment at={createdAt} shape="short" /> },
  {
    id: 'model',
    header: 'Model',
    cell: ({ modelId }) => (
      <span className="block max-w-56 truncate" title={modelId}>
        {modelId}
      </span>
    ),
  },
  { id: 'cost', header: 'Cost', cell: ({ cost }) => <Money amount={cost} digits={6} />, isNumeric: true },
  { id: 'input', header: 'Tokens in', cell: (row) => count(row.inputTokens + row.cachedInputTokens), isNumeric: true },
  { id: 'output', header: 'Out', cell: ({ outputTokens }) => count(outputTokens), isNumeric: true },
  { id: 'duration', header: 'Duration', cell: ({ durationMs }) => duration(durationMs), isNumeric: true },
  {
    id: 'first',
    header: 'First token',
    cell: ({ firstTokenMs }) => (firstTokenMs === null ? '–' : duration(firstTokenMs)),
    isNumeric: true,
  },
  { id: 'outcome', header: 'Status', cell: ({ outcome }) => <Badge tone={toneOf(outcome)}>{OUTCOMES[outcome]}</Badge> },
  { id: 'provider', header: 'Provider', cell: ({ providerId }) => providerId ?? '–' },
  {
    id: 'key',
    header: 'Key',
    cell: ({ keyId }) => (
      <span className="block max-w-40 truncate" title={keyId}>
        {nameOfKey(keyId)}
      </span>
    ),
  },
]

interface RequestsProps {
  readonly asked: Asked
  /** Of those that have ended since, the ones that fit. */
  readonly live: readonly UsageRow[]
  readonly nameOfKey: (id: string) => string
  readonly onOpen: (row: UsageRow) => void
  readonly isFiltered: boolean
  readonly onClear: () => void
}

const keyOf = ({ id }: UsageRow): string => id

export function RequestsTable({ asked, live, nameOfKey, onOpen, isFiltered, onClear }: RequestsProps) {
  const { rows, isRead, hasMore, fault, readMore } = usePages(asked)
  const merged = useMerged(live, rows)
  const columns = useMemo(() => columnsWith(nameOfKey), [nameOfKey])
  if (!isRead) return <Waiting />
  if (fault && rows.length === 0) {
    return (
      <div className="grid max-w-lg gap-3 py-4">
        <FaultNotice fault={fault} />
        <Button onClick={readMore}>Try again</Button>
      </div>
    )
  }
  if (merged.length === 0) return isFiltered ? <NothingFits onClear={onClear} /> : <NothingYet />
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-hidden rounded-md border border-line [--table-edge:--spacing(3)]">
      <DataTable label="Requests" columns={columns} rows={merged} keyOf={keyOf} onOpen={onOpen} onEnd={readMore} />
      <p role="status" className="mt-auto shrink-0 border-t border-line bg-surface px-3 py-1.5 text-xs text-muted">
        {fault
          ? `${fault.message} Scroll to try again.`
          : `${count(merged.length)} shown${hasMore ? ', scroll for more' : ', that is all'}`}
      </p>
    </div>
  )
}

const Waiting = () => (
  <div
    aria-busy="true"
    className="grid content-start gap-px overflow-hidden rounded-md border border-line [--table-edge:--spacing(3)]"
  >
    {Array.from({ length: 10 }, (_, at) => (
      <div key={at} className="flex h-9 items-center px-3">
        <Skeleton className="h-3 w-full" />
      </div>
    ))}
  </div>
)

const NothingFits = ({ onClear }: { readonly onClear: () => void }) => (
  <EmptyState icon={ReceiptText} title="No request fits">
    <Button onClick={onClear}>Clear the filters</Button>
  </EmptyState>
)

const NothingYet = () => (
  <EmptyState icon={ReceiptText} title="No requests in this time">
    Ask a model in the playground, or with your key at <code className="font-mono text-xs">/v1/chat/completions</code>: each
    request is here as soon as it ends.
  </EmptyState>
)
