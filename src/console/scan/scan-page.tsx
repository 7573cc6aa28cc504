/** The scanner: give it code, see what is wrong where, and what was found before. */
import { Tabs } from '@base-ui/react/tabs'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMutation, useQuery } from 'urql'
import { ScanConfigDocument, ScanStartDocument } from '../../generated/console-scan.js'
import { faultOf } from '../graph/faults.js'
import { Button } from '../ui/forms/button.js'
import { FaultNotice } from '../ui/notices/fault-notice.js'
import { PageHeader } from '../ui/layout/page-header.js'
import { Skeleton } from '../ui/notices/skeleton.js'
import { TabHeads } from '../ui/layout/tabs.js'
import { PastScans } from './past-scans.js'
import { RuleBrowser } from './rule-browser.js'
import { VIEWS } from './scan-search.js'
import { ScanView } from './scan-view.js'
import { SourceInput } from './source-input.js'
import { keepCode, type Sources } from './sources.js'

const TABS = [
  ['scan', 'Scan'],
  ['past', 'Past'],
  ['rules', 'Rules'],
] as const

const PANEL = 'flex min-h-0 flex-1 flex-col'

export function ScanPage() {
  const { view = 'scan', scan } = useSearch({ from: '/scan' })
  const navigate = useNavigate({ from: '/scan' })
  const [{ data, error }] = useQuery({ query: ScanConfigDocument })
  const config = data?.scannerConfig
  const show = (value: unknown) => void navigate({ search: { view: VIEWS.find((one) => one === value) ?? 'scan' } })
  return (
    <Tabs.Root value={view} onValueChange={show} className="contents">
      <PageHeader title="Scan">
        {view === 'scan' && scan !== undefined && (
          <Button onClick={() => void navigate({ search: {} })}>
            <Plus className="size-4" aria-hidden="true" />
            <span className="max-md:sr-only">New scan</span>
          </Button>
        )}
        <TabHeads look="pills" label="Part of the page" tabs={TABS} />
      </PageHeader>
      <Tabs.Panel value="scan" className={PANEL}>
        {error && !config && (
          <div className="p-4">
            <FaultNotice fault={faultOf(error)} />
          </div>
        )}
        {!config && !error && <Skeleton className="m-4 h-96 md:m-5" />}
        {config &&
          (scan === undefined ? <NewScan config={config} /> : <ScanView key={scan} id={scan} version={config.version} />)}
      </Tabs.Panel>
      <Tabs.Panel value="past" className={PANEL}>
        <PastScans />
      </Tabs.Panel>
      <Tabs.Panel value="rules" className={PANEL}>
        <RuleBrowser />
      </Tabs.Panel>
    </Tabs.Root>
  )
}

function NewScan({ config }: Pick<Parameters<typeof SourceInput>[0], 'config'>) {
  const navigate = useNavigate({ from: '/scan' })
  const [{ error, fetching }, start] = useMutation(ScanStartDocument)
  const scan = async (sources: Sources) => {
    const { data } = await start({ input: { files: [...sources.files], background: true } })
    const id = data?.batchScan?.scan.id
    if (id === undefined) return
    keepCode(id, sources)
    void navigate({ search: { scan: id } })
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={0} role="region" aria-label="New scan">
      <div className="mx-auto grid max-w-3xl gap-4 p-4 md:p-5">
        {error && <FaultNotice fault={faultOf(error)} />}
        <SourceInput config={config} isBusy={fetching} onScan={(sources) => void scan(sources)} />
      </div>
    </div>
  )
}
