/** The scans of before, and how many findings they had. */
import { useNavigate } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { useQuery } from 'urql'
import { ScanPastDocument, type ScanRowFragment, type Severity } from '../../generated/console-scan.js'
import { count, duration } from '../format/numbers.js'
import { Moment } from '../format/time.js'
import { faultOf } from '../graph/faults.js'
import { DataTable, type Column } from '../ui/data-table.js'
import { EmptyState } from '../ui/notices/empty-state.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { SEVERITIES } from './scan-search.js'
import { countOf, SeverityCounts, severityName } from './findings/severity.js'

const COLUMNS: readonly Column<ScanRowFragment>[] = [
  { id: 'at', header: 'Scanned', cell: ({ createdAt }) => <Moment at={createdAt} shape="minute" /> },
  {
    id: 'findings',
    header: 'Findings',
    cell: (scan) => (scan.status === 'COMPLETED' ? <SeverityCounts summary={scan.summary} /> : scan.status.toLowerCase()),
  },
  { id: 'files', header: 'Files', cell: ({ fileCount }) => count(fileCount), isNumeric: true },
  { id: 'time', header: 'Took', cell: ({ durationMs }) => (durationMs === null ? '–' : duration(durationMs)), isNumeric: true },
  {
    id: 'standards',
    header: 'Standards',
    cell: ({ standards }) => <span className="block max-w-96 truncate text-muted">{standards.join(', ')}</span>,
  },
]

export function PastScans() {
  const navigate = useNavigate({ from: '/scan' })
  const [{ data, error }] = useQuery({ query: ScanPastDocument, requestPolicy: 'cache-and-network' })
  const scans = data?.scans?.nodes
  if (error && !scans)
    return (
      <div className="p-4">
        <FaultNotice fault={faultOf(error)} />
      </div>
    )
  if (!scans) return <Skeleton className="m-4 h-64 md:m-5" />
  if (scans.length === 0)
    return (
      <EmptyState icon={History} title="Nothing was scanned yet">
        What you scan here, over the API or with “sluice scan --server” is listed.
      </EmptyState>
    )
  return (
    <>
      <Trend scans={scans.filter(({ status }) => status === 'COMPLETED').toReversed()} />
      <DataTable
        label="Past scans"
        columns={COLUMNS}
        rows={scans}
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ search: { scan: id } })}
      />
    </>
  )
}

const HEIGHT = 96
const FILLS: Readonly<Record<Severity, string>> = {
  CRITICAL: 'fill-bad',
  HIGH: 'fill-bad/60',
  MEDIUM: 'fill-warn/70',
  LOW: 'fill-edge',
}

/** Findings of each scan, from the oldest to the newest. */
function Trend({ scans }: { readonly scans: readonly ScanRowFragment[] }) {
  const most = Math.max(1, ...scans.map(({ summary }) => summary.totalViolations))
  const last = scans.at(-1)
  if (!last || scans.length < 2) return null
  return (
    <figure className="grid gap-2 border-b border-line px-4 py-3 md:px-5">
      <figcaption className="flex flex-wrap gap-x-4 text-xs text-muted">
        Findings of the last {scans.length} scans, {most} at most
        {SEVERITIES.map((severity) => (
          <span key={severity} className="inline-flex items-center gap-1.5">
            <svg width={8} height={8} aria-hidden="true">
              <rect width={8} height={8} rx={2} className={FILLS[severity]} />
            </svg>
            {severityName(severity)}
          </span>
        ))}
      </figcaption>
      <svg
        viewBox={`0 0 ${Math.max(scans.length, 20)} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-24 w-full"
        role="img"
        aria-label={`Findings of the last ${scans.length} scans; ${last.summary.totalViolations} in the newest`}
      >
        {scans.map(({ id, summary }, at) => {
          let top = HEIGHT
          return (
            <g key={id}>
              {SEVERITIES.map((severity) => {
                const height = (countOf(summary, severity) / most) * HEIGHT
                top -= height
                return <rect key={severity} x={at + 0.12} y={top} width={0.76} height={height} className={FILLS[severity]} />
              })}
            </g>
          )
        })}
      </svg>
    </figure>
  )
}
