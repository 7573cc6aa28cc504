/** The version and every setting in force; secrets are hidden by the server. */
import { Settings2 } from 'lucide-react'
import { useQuery } from 'urql'
import { AdminSettingsDocument, type AdminSettingsQuery } from '../../generated/console-admin.js'
import { faultOf } from '../graph/faults.js'
import { Badge } from '../ui/badge.js'
import { DataTable, type Column } from '../ui/data-table.js'
import { EmptyState } from '../ui/notices/empty-state.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { FilterBar, FilterText } from '../ui/forms/filter-bar.js'
import { Framed } from '../ui/layout/section.js'
import { Skeleton } from '../ui/notices/skeleton.js'

type Setting = NonNullable<AdminSettingsQuery['installation']>['settings'][number]

const COLUMNS: readonly Column<Setting>[] = [
  { id: 'name', header: 'Setting', cell: ({ name }) => <span className="font-mono text-xs">{name}</span> },
  { id: 'value', header: 'Value', cell: (setting) => <Value of={setting} /> },
  {
    id: 'from',
    header: 'From',
    cell: ({ isDefault }) => (isDefault ? <span className="text-muted">default</span> : <Badge tone="warn">changed</Badge>),
  },
]

function Value({ of: { value, isHidden } }: { readonly of: Setting }) {
  if (isHidden) return <span className="text-muted">hidden</span>
  if (value === null || value === undefined) return <span className="text-muted">not set</span>
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return (
    <span className="block max-w-md truncate font-mono text-xs" title={text}>
      {text}
    </span>
  )
}

export function Settings({ find, setFind }: { readonly find: string; readonly setFind: (find: string) => void }) {
  const [{ data, error }] = useQuery({ query: AdminSettingsDocument, requestPolicy: 'cache-and-network' })
  const installation = data?.installation
  const rows = installation?.settings.filter(({ name }) => name.includes(find.toLowerCase()))
  return (
    <>
      <FilterBar>
        <FilterText label="Filter settings" value={find} onChange={setFind} />
        {installation && (
          <span className="min-w-0 truncate text-xs text-muted">
            Sluice {installation.version},{' '}
            {installation.configFile === null ? (
              'without a configuration file'
            ) : (
              <span title={installation.configFile}>from {installation.configFile}</span>
            )}
          </span>
        )}
      </FilterBar>
      <div className="flex min-h-0 flex-1 flex-col px-4 pb-4 md:px-5">
        {error && !installation && <FaultNotice fault={faultOf(error)} />}
        {!installation && !error && <Skeleton className="h-60 w-full" />}
        {rows && rows.length === 0 && <EmptyState icon={Settings2} title={`No setting fits “${find}”`} />}
        {rows && rows.length > 0 && (
          <Framed isFitted>
            <DataTable label="Settings" columns={COLUMNS} rows={rows} keyOf={({ name }) => name} />
          </Framed>
        )}
      </div>
    </>
  )
}
