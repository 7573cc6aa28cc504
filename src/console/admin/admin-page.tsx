/** What administrators look after: accounts, the parts of the system, and its settings. */
import { Tabs } from '@base-ui/react/tabs'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { PageHeader } from '../ui/layout/page-header.js'
import { TabHeads } from '../ui/layout/tabs.js'
import { Accounts } from './accounts.js'
import { isTab, TABS, USUAL_TAB, type Tab } from './admin-search.js'
import { Health } from './health.js'
import { Settings } from './settings.js'

const TAB_HEADS = Object.entries(TABS)

const PANEL = 'flex min-h-0 flex-1 flex-col'

export function AdminPage() {
  const { tab = USUAL_TAB, find = '' } = useSearch({ from: '/admin' })
  const navigate = useNavigate({ from: '/admin' })
  const open = (value: unknown) =>
    void navigate({ search: isTab(value) && value !== USUAL_TAB ? { tab: value } : {}, replace: true })
  const setFind = (text: string) => void navigate({ search: (before) => ({ ...before, find: text || undefined }), replace: true })
  return (
    <>
      <PageHeader title="Admin" />
      <Tabs.Root value={tab satisfies Tab} onValueChange={open} className={PANEL}>
        <TabHeads look="line" label="Parts of the administration" tabs={TAB_HEADS} className="md:px-5" />
        <Tabs.Panel value="accounts" className={PANEL}>
          <Accounts find={find} setFind={setFind} />
        </Tabs.Panel>
        <Tabs.Panel value="health" className={PANEL}>
          <Health />
        </Tabs.Panel>
        <Tabs.Panel value="settings" className={PANEL}>
          <Settings find={find} setFind={setFind} />
        </Tabs.Panel>
      </Tabs.Root>
    </>
  )
}
