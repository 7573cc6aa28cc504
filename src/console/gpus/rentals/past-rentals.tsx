/** The rentals that have ended: read page by page as the table is scrolled, with those on top that end now. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useClient, type Client } from 'urql'
import { GpusPastDocument } from '../../../generated/console-gpus.js'
import { Money } from '../../format/money.js'
import { count } from '../../format/numbers.js'
import { Moment } from '../../format/time.js'
import { thrownFault, type Fault } from '../../graph/faults.js'
import { DataTable, type Column } from '../../ui/data-table.js'
import { Framed, Section } from '../../ui/layout/section.js'
import { gpus, longDuration, nameOf, REASONS, runningMs, type Rental } from './rental-words.js'

/** Of one answer. */
const PAGE_ROWS = 50

interface Past {
  readonly rows: readonly Rental[]
  readonly total: number
  readonly cursor: string | null
  readonly hasMore: boolean
  readonly isRead: boolean
  readonly fault: Fault | null
}

const NOTHING: Past = { rows: [], total: 0, cursor: null, hasMore: true, isRead: false, fault: null }

async function readPage(client: Client, after: string | null) {
  const variables = { first: PAGE_ROWS, after }
  const { data, error } = await client.query(GpusPastDocument, variables, { requestPolicy: 'network-only' })
  if (error) throw error
  const { nodes = [], totalCount: total = 0, pageInfo } = data?.rentals ?? {}
  return { rows: nodes, total, cursor: pageInfo?.endCursor ?? null, hasMore: pageInfo?.hasNextPage ?? false }
}

export type PastRentalsState = ReturnType<typeof usePastRentals>

export function usePastRentals(justEnded: readonly Rental[]) {
  const client = useClient()
  const [past, setPast] = useState(NOTHING)
  const isReading = useRef(false)
  const read = useCallback(
    (after: string | null) => {
      if (isReading.current) return
      isReading.current = true
      readPage(client, after)
        .then(
          (page) => setPast(({ rows }) => ({ ...page, rows: [...rows, ...page.rows], isRead: true, fault: null })),
          (error: unknown) => setPast((before) => ({ ...before, isRead: true, fault: thrownFault(error) })),
        )
        .finally(() => (isReading.current = false))
    },
    [client],
  )
  useEffect(() => read(null), [read])
  const rows = useMemo(() => {
    const known = new Set(past.rows.map(({ id }) => id))
    return [...justEnded.filter(({ id }) => !known.has(id)), ...past.rows]
  }, [justEnded, past.rows])
  return {
    ...past,
    rows,
    total: past.total + rows.length - past.rows.length,
    readMore() {
      if (past.isRead && past.hasMore) read(past.cursor)
    },
  }
}

const COLUMNS: readonly Column<Rental>[] = [
  {
    id: 'name',
    header: 'Rental',
    cell: (rental) => (
      <span className="block max-w-56 truncate font-medium" title={nameOf(rental)}>
        {nameOf(rental)}
      </span>
    ),
  },
  { id: 'gpu', header: 'GPU', cell: gpus },
  { id: 'cost', header: 'Cost', cell: ({ cost }) => <Money amount={cost} digits={4} />, isNumeric: true },
  {
    id: 'ran',
    header: 'Ran',
    cell: (rental) => {
      const ms = runningMs(rental, Date.parse(rental.createdAt))
      return ms === null ? 'never' : longDuration(ms)
    },
    isNumeric: true,
  },
  {
    id: 'ended',
    header: 'Ended',
    cell: ({ terminatedAt }) => (terminatedAt === null ? '–' : <Moment at={terminatedAt} shape="minute" />),
  },
  { id: 'why', header: 'Because', cell: ({ terminationReason: why }) => (why === null ? '–' : REASONS[why]) },
  { id: 'price', header: '$ / hour', cell: ({ pricePerHour }) => <Money amount={pricePerHour} />, isNumeric: true },
  { id: 'region', header: 'Region', cell: ({ region }) => region },
  { id: 'provider', header: 'Provider', cell: ({ providerId }) => <span className="font-mono text-xs">{providerId}</span> },
]

const keyOf = ({ id }: Rental): string => id

interface PastRentalsProps {
  readonly past: PastRentalsState
  readonly onOpen: (id: string) => void
}

export const PastRentals = ({ past: { rows, total, fault, readMore }, onOpen }: PastRentalsProps) => (
  <Section title="Past" aside={<span className="text-xs text-muted">{count(total)} in all</span>}>
    <Framed>
      <DataTable
        label="Past rentals"
        columns={COLUMNS}
        rows={rows}
        keyOf={keyOf}
        onOpen={({ id }) => onOpen(id)}
        onEnd={readMore}
      />
    </Framed>
    {fault && <p className="text-xs text-bad">{fault.message} Scroll to try again.</p>}
  </Section>
)
