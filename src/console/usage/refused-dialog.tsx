/** Requests of the last days that were refused before a provider was asked, with why. */
import { useMemo } from 'react'
import { useQuery } from 'urql'
import { UsageRefusedDocument, type UsageRefusedQuery } from '../../generated/console-usage.js'
import { Moment } from '../format/time.js'
import { faultOf } from '../graph/faults.js'
import { DataTable, type Column } from '../ui/data-table.js'
import { Dialog } from '../ui/layout/dialog.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { APIS } from './usage-search.js'

type Refused = NonNullable<UsageRefusedQuery['viewer']>['refusedRequests']['nodes'][number]

interface RefusedDialogProps {
  readonly isOpen: boolean
  readonly nameOfKey: (id: string) => string
  readonly onClose: () => void
}

export const RefusedDialog = ({ isOpen, nameOfKey, onClose }: RefusedDialogProps) => (
  <Dialog title="Refused requests" isOpen={isOpen} onClose={onClose} isWide>
    {isOpen && <List nameOfKey={nameOfKey} />}
  </Dialog>
)

function List({ nameOfKey }: { readonly nameOfKey: (id: string) => string }) {
  const [{ data, error }] = useQuery({ query: UsageRefusedDocument, requestPolicy: 'network-only' })
  const columns = useMemo(() => columnsWith(nameOfKey), [nameOfKey])
  const rows = data?.viewer?.refusedRequests.nodes
  return (
    <div className="flex min-h-40 flex-col">
      {error && (
        <div className="p-4">
          <FaultNotice fault={faultOf(error)} />
        </div>
      )}
      {!rows && !error && <Skeleton className="m-4 h-24" />}
      {rows?.length === 0 && (
        <p className="p-4 text-sm text-muted">None in the last days: every request that was sent came to a provider.</p>
      )}
      {rows && rows.length > 0 && (
        <>
          <DataTable label="Refused requests" columns={columns} rows={rows} keyOf={keyOf} />
          <p className="border-t border-line px-4 py-2 text-xs text-muted">
            The last {rows.length}; of one minute the first sixty are kept, for some days.
          </p>
        </>
      )}
    </div>
  )
}

const keyOf = ({ id }: Refused): string => id

const columnsWith = (nameOfKey: (id: string) => string): readonly Column<Refused>[] => [
  { id: 'time', header: 'Time', cell: ({ createdAt }) => <Moment at={createdAt} shape="short" /> },
  { id: 'code', header: 'Code', cell: ({ code }) => <span className="font-mono text-xs">{code}</span> },
  {
    id: 'model',
    header: 'Model',
    cell: ({ model }) => (
      <span className="block max-w-40 truncate" title={model ?? undefined}>
        {model ?? '–'}
      </span>
    ),
  },
  {
    id: 'why',
    header: 'Why',
    cell: ({ message }) => (
      <span className="block max-w-72 truncate" title={message}>
        {message}
      </span>
    ),
  },
  { id: 'api', header: 'API', cell: ({ api }) => APIS[api] },
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
