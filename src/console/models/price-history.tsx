/** What a model has cost: the steps, and every change in words. It grows as prices come into force. */
import { useMemo, useState } from 'react'
import { useQuery, useSubscription } from 'urql'
import {
  ModelsHistoryDocument,
  ModelsPriceChangedDocument,
  type ModelsPriceChangeFragment,
} from '../../generated/console-models.js'
import { Moment } from '../format/time.js'
import { faultOf } from '../graph/faults.js'
import { Button } from '../ui/forms/button.js'
import { DataTable, type Column } from '../ui/data-table.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { Framed, Section } from '../ui/layout/section.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { dollars } from './model-words.js'
import { priceLines, type Side } from './price-lines.js'
import { MOST_LINES, StepChart } from './step-chart.js'

const ORIGINS: Readonly<Record<ModelsPriceChangeFragment['origin'], string>> = {
  ADMINISTRATOR: 'set by an administrator',
  CONFIG: 'from the configuration',
  FEED: 'from a price list',
}

const CHANGES: readonly Column<ModelsPriceChangeFragment>[] = [
  { id: 'at', header: 'In force since', cell: ({ validFrom }) => <Moment at={validFrom} shape="minute" /> },
  {
    id: 'deployment',
    header: 'Deployment',
    cell: ({ deploymentId }) => <span className="font-mono text-xs">{deploymentId}</span>,
  },
  { id: 'input', header: 'Input / 1M', cell: ({ inputPerMillion }) => dollars(inputPerMillion), isNumeric: true },
  { id: 'output', header: 'Output / 1M', cell: ({ outputPerMillion }) => dollars(outputPerMillion), isNumeric: true },
  { id: 'origin', header: 'Origin', cell: ({ origin, isPending }) => (isPending ? 'proposed' : ORIGINS[origin]) },
]

export function PriceHistory({ id }: { readonly id: string }) {
  const [side, setSide] = useState<Side>('outputPerMillion')
  const [{ data, error }, read] = useQuery({ query: ModelsHistoryDocument, variables: { id } })
  const changes = data?.priceHistory?.nodes
  const [until, setUntil] = useState(() => Date.now())
  useSubscription({ query: ModelsPriceChangedDocument, variables: { id } }, (_, next) => {
    // The stored prices come first; only what is new makes the history longer.
    if (changes?.some((one) => one.id === next.priceChanged.id) === false) {
      setUntil(Date.now())
      read({ requestPolicy: 'network-only' })
    }
    return next
  })
  const lines = useMemo(() => priceLines(changes ?? [], side).slice(0, MOST_LINES), [changes, side])
  const toggle = (name: Side, word: string) => (
    <Button
      variant="ghost"
      aria-pressed={side === name}
      className="aria-pressed:bg-hover aria-pressed:text-ink"
      onClick={() => setSide(name)}
    >
      {word}
    </Button>
  )
  return (
    <Section
      title="Price history"
      aside={
        <div className="flex gap-1">
          {toggle('inputPerMillion', 'Input')}
          {toggle('outputPerMillion', 'Output')}
        </div>
      }
    >
      {error && <FaultNotice fault={faultOf(error)} />}
      {!changes && !error && <Skeleton className="h-64" />}
      {changes?.length === 0 && <p className="text-sm text-muted">It has had no price yet.</p>}
      {lines.length > 0 && (
        <Framed>
          <StepChart label="Price per million tokens over time, in US dollars" lines={lines} until={until} />
        </Framed>
      )}
      {changes && changes.length > 0 && (
        <Framed>
          <DataTable label="Price changes" columns={CHANGES} rows={changes} keyOf={(change) => change.id} />
        </Framed>
      )}
    </Section>
  )
}
