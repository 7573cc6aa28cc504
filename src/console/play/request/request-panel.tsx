/** How the next request is asked: as fields, and as code. */
import { Tabs } from '@base-ui/react/tabs'
import { lazy, Suspense } from 'react'
import type { ChatCompletionInput } from '../../../generated/console.js'
import { Skeleton } from '../../ui/notices/skeleton.js'
import { TabHeads } from '../../ui/layout/tabs.js'
import { SettingsPanel } from './settings-panel.js'
import type { Settings } from './settings.js'

/** Needed when somebody looks at the code. */
const CodePanel = lazy(() => import('./code-panel.js').then((module) => ({ default: module.CodePanel })))

interface RequestPanelProps {
  readonly settings: Settings
  readonly onSettings: (settings: Settings) => void
  readonly input: ChatCompletionInput
}

const TABS = [
  ['request', 'Request'],
  ['code', 'Code'],
] as const

export const RequestPanel = ({ settings, onSettings, input }: RequestPanelProps) => (
  <Tabs.Root defaultValue="request">
    <TabHeads look="line" label="The request" tabs={TABS} />
    <Tabs.Panel value="request">
      <SettingsPanel settings={settings} onChange={onSettings} />
    </Tabs.Panel>
    <Tabs.Panel value="code">
      <Suspense fallback={<Skeleton className="m-4 h-64" />}>
        <CodePanel input={input} />
      </Suspense>
    </Tabs.Panel>
  </Tabs.Root>
)
