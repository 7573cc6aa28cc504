/** How the parts of the system are: providers, ways to GPUs, the scanner, the ledger. Asked again every quarter of a minute. */
import { RefreshCw } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useQuery } from 'urql'
import {
  AdminDriversDocument,
  AdminHealthDocument,
  AdminLedgerDocument,
  type AdminDriversQuery,
  type AdminHealthQuery,
} from '../../generated/console-admin.js'
import { count, duration } from '../format/numbers.js'
import { Moment } from '../format/time.js'
import { faultOf } from '../graph/faults.js'
import { useWatched } from '../graph/use-watched.js'
import { Badge, type Tone } from '../ui/badge.js'
import { Button } from '../ui/forms/button.js'
import { DataTable, type Column } from '../ui/data-table.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { Framed, Section } from '../ui/layout/section.js'
import { Skeleton } from '../ui/notices/skeleton.js'

type Provider = NonNullable<AdminHealthQuery['providers']>[number]
type Driver = NonNullable<AdminDriversQuery['gpuDrivers']>[number]

const HEALTH_TONES: Readonly<Record<Provider['health'], Tone>> = { HEALTHY: 'good', DEGRADED: 'warn', DOWN: 'bad' }
const DRIVER_TONES: Readonly<Record<Driver['health'], Tone>> = {
  ANSWERING: 'good',
  LIMITING: 'warn',
  REFUSING: 'bad',
  SILENT: 'bad',
}

const PROVIDERS: readonly Column<Provider>[] = [
  { id: 'name', header: 'Provider', cell: ({ name, id }) => <span className="font-medium">{name ?? id}</span> },
  { id: 'id', header: 'Id', cell: ({ id }) => <span className="font-mono text-xs">{id}</span> },
  { id: 'health', header: 'Health', cell: ({ health }) => <Badge tone={HEALTH_TONES[health]}>{health.toLowerCase()}</Badge> },
  {
    id: 'circuit',
    header: 'Circuit',
    cell: ({ openCircuits }) => <Circuits open={openCircuits ?? []} />,
  },
  {
    id: 'error',
    header: 'Keeps it from answering',
    cell: ({ lastError }) =>
      lastError === null ? (
        <span className="text-muted">nothing</span>
      ) : (
        <span className="block max-w-lg truncate" title={lastError.message}>
          {lastError.status} {lastError.message} (<Moment at={lastError.at} shape="relative" />)
        </span>
      ),
  },
]

/** Of which deployments it is open, and how soon the first of them is tried again. */
function Circuits({ open }: { readonly open: NonNullable<Provider['openCircuits']> }) {
  const [first] = open.toSorted((a, b) => Date.parse(a.openUntil) - Date.parse(b.openUntil))
  if (!first) return 'closed'
  return (
    <span className="text-bad" title={open.map(({ deploymentId }) => deploymentId).join('\n')}>
      open for {open.length === 1 ? first.deploymentId : `${open.length} deployments`}, tried again{' '}
      <Moment at={first.openUntil} shape="relative" />
    </span>
  )
}

const DRIVERS: readonly Column<Driver>[] = [
  { id: 'id', header: 'Driver', cell: ({ id }) => <span className="font-medium">{id}</span> },
  { id: 'health', header: 'Health', cell: ({ health }) => <Badge tone={DRIVER_TONES[health]}>{health.toLowerCase()}</Badge> },
  { id: 'offers', header: 'Offers', cell: ({ offerCount }) => count(offerCount), isNumeric: true },
  {
    id: 'circuit',
    header: 'Circuit',
    cell: ({ circuitOpenUntil }) =>
      circuitOpenUntil === null ? (
        'closed'
      ) : (
        <span className="text-bad">
          open, tried again <Moment at={circuitOpenUntil} shape="relative" />
        </span>
      ),
  },
  {
    id: 'orphans',
    header: 'Orphans',
    cell: ({ orphans }) =>
      orphans === null ? (
        <span className="text-muted">not told</span>
      ) : orphans.length === 0 ? (
        'none'
      ) : (
        <span className="block max-w-md truncate text-warn" title={orphans.map(({ instanceId }) => instanceId).join('\n')}>
          {orphans.map(({ label, instanceId }) => label || instanceId).join(', ')}
        </span>
      ),
  },
]

export function Health() {
  const health = useWatched(AdminHealthDocument, {})
  const drivers = useWatched(AdminDriversDocument, {})
  const scanner = health.data?.scannerHealth
  return (
    <div className="grid content-start gap-6 overflow-y-auto p-4 md:px-5" tabIndex={0} role="region" aria-label="Health">
      <Section title="Providers">
        {health.fault && <FaultNotice fault={health.fault} />}
        <Rows
          rows={health.data?.providers}
          isFailed={health.fault !== null}
          nothing="No provider is configured: add a key, or start with the sandbox."
        >
          {(rows) => <DataTable label="Providers" columns={PROVIDERS} rows={rows} keyOf={({ id }) => id} />}
        </Rows>
      </Section>
      <Section title="Ways to GPUs">
        {drivers.fault && <FaultNotice fault={drivers.fault} />}
        <Rows rows={drivers.data?.gpuDrivers} isFailed={drivers.fault !== null} nothing="No way to GPUs is configured.">
          {(rows) => <DataTable label="Ways to GPUs" columns={DRIVERS} rows={rows} keyOf={({ id }) => id} />}
        </Rows>
      </Section>
      <Section title="Scanner">
        {scanner ? (
          <p className="flex flex-wrap items-center gap-2 text-sm">
            <Badge tone={HEALTH_TONES[scanner.status]}>{scanner.status.toLowerCase()}</Badge>
            Version {scanner.version}, a probe took {duration(scanner.latencyMs)}.
          </p>
        ) : (
          !health.fault && <Skeleton className="h-5 w-64" />
        )}
      </Section>
      <LedgerCheck />
    </div>
  )
}

interface RowsProps<Row> {
  readonly rows: readonly Row[] | null | undefined
  readonly isFailed: boolean
  readonly nothing: string
  readonly children: (rows: readonly Row[]) => ReactNode
}

function Rows<Row>({ rows, isFailed, nothing, children }: RowsProps<Row>) {
  if (!rows) return isFailed ? null : <Skeleton className="h-24 w-full" />
  if (rows.length === 0) return <p className="text-sm text-muted">{nothing}</p>
  return <Framed>{children(rows)}</Framed>
}

/** It reads the whole ledger, so it is asked for. */
function LedgerCheck() {
  const [isWanted, setWanted] = useState(false)
  const [{ data, error, fetching }, ask] = useQuery({ query: AdminLedgerDocument, pause: !isWanted })
  const check = data?.ledgerCheck
  return (
    <Section
      title="Ledger"
      aside={
        <Button
          disabled={fetching}
          onClick={() => {
            setWanted(true)
            if (isWanted) ask({ requestPolicy: 'network-only' })
          }}
        >
          <RefreshCw className="size-4" aria-hidden="true" />
          {fetching ? 'Checking…' : 'Check the ledger'}
        </Button>
      }
    >
      {error && <FaultNotice fault={faultOf(error)} />}
      <div role="status" className="text-sm">
        {check ? (
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={check.isBalanced ? 'good' : 'bad'}>{check.isBalanced ? 'balanced' : 'not balanced'}</Badge>
            {count(check.entries)} entries of {count(check.accounts)} accounts, {count(check.openHolds)} open holds,{' '}
            {count(check.unsettled)} charges to be written; checked <Moment at={check.checkedAt} shape="relative" />.
          </p>
        ) : (
          <p className="text-muted">The check reads all of it, which takes seconds when it is large.</p>
        )}
      </div>
      {check && check.violations.length > 0 && (
        <ul className="grid gap-2 text-sm">
          {check.violations.map(({ promise, subject, detail }) => (
            <li key={`${promise} ${subject} ${detail}`} className="wrap-anywhere rounded-md bg-bad-soft px-3 py-2 text-bad">
              {promise}: {detail} <span className="font-mono text-xs">({subject})</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
