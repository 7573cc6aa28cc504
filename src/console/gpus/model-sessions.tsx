/** The machines that serve models for everyone who asks: they come with the first request and go when nobody asks any more. */
import { useNavigate } from '@tanstack/react-router'
import { Boxes } from 'lucide-react'
import { useMemo } from 'react'
import { useQuery, useSubscription } from 'urql'
import { GpusModelsChangedDocument, GpusModelsDocument, type GpusModelFragment } from '../../generated/console-gpus.js'
import { Money } from '../format/money.js'
import { duration } from '../format/numbers.js'
import { Moment } from '../format/time.js'
import { faultOf } from '../graph/faults.js'
import { DataTable, type Column } from '../ui/data-table.js'
import { EmptyState } from '../ui/notices/empty-state.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { gpus } from './rentals/rental-words.js'
import { StateBadge } from './rentals/state-badge.js'

type Deployed = GpusModelFragment & { readonly session: NonNullable<GpusModelFragment['session']> }

const COLUMNS: readonly Column<Deployed>[] = [
  { id: 'model', header: 'Model', cell: ({ displayName }) => <span className="font-medium">{displayName}</span> },
  {
    id: 'state',
    header: 'State',
    cell: ({ session: { status, estimatedReadySeconds: seconds } }) => (
      <span className="flex items-center gap-2">
        <StateBadge status={status} />
        {seconds !== null && <span className="text-xs text-muted">ready in {duration(seconds * 1000)}</span>}
      </span>
    ),
  },
  { id: 'gpu', header: 'GPU', cell: ({ session }) => gpus(session) },
  { id: 'price', header: '$ / hour', cell: ({ session }) => <Money amount={session.pricePerHour} />, isNumeric: true },
  {
    id: 'since',
    header: 'Since',
    cell: ({ session: { startedAt, createdAt } }) => <Moment at={startedAt ?? createdAt} shape="relative" />,
  },
  { id: 'region', header: 'Region', cell: ({ session: { region } }) => region },
  {
    id: 'provider',
    header: 'Provider',
    cell: ({ session: { providerId } }) => <span className="font-mono text-xs">{providerId}</span>,
  },
]

const keyOf = ({ id }: Deployed): string => id
const isDeployed = (model: GpusModelFragment): model is Deployed => model.session !== null

export function ModelSessions() {
  const navigate = useNavigate()
  const [{ data, error }] = useQuery({ query: GpusModelsDocument, requestPolicy: 'cache-and-network' })
  // What it tells of goes to the cache, and so to the table.
  useSubscription({ query: GpusModelsChangedDocument })
  const models = data?.models?.models
  const rows = useMemo(() => (models ?? []).filter(isDeployed), [models])
  if (error && !models) {
    return (
      <div className="p-4 md:px-5">
        <FaultNotice fault={faultOf(error)} />
      </div>
    )
  }
  if (!models) return <Skeleton className="m-4 h-64 md:mx-5" />
  if (rows.length === 0) {
    return (
      <EmptyState icon={Boxes} title="No model is on a GPU">
        The first request for a cold model puts it on one, and it goes when nobody asks any more.
      </EmptyState>
    )
  }
  return (
    <DataTable
      label="Models on GPUs"
      columns={COLUMNS}
      rows={rows}
      keyOf={keyOf}
      onOpen={({ id }) => void navigate({ to: '/models/$id', params: { id } })}
    />
  )
}
