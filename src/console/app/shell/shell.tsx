/** What is around every page. */
import { Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { Toasts } from '../../ui/notices/toasts.js'
import { BalanceWatch } from '../session/account-card.js'
import { ConnectionNotice } from './connection-notice.js'
import { Help } from './help.js'
import { useKeyboard } from './keyboard.js'
import { BottomBar, Sidebar, useCurrentPage } from './navigation.js'
import { PageDenied } from './page-missing.js'
import { Palette } from './palette.js'
import { maySee, useViewer } from '../session/viewer.js'

export function Shell() {
  const [shown, show] = useState<'palette' | 'help' | null>(null)
  useKeyboard({ openPalette: () => show('palette'), openHelp: () => show('help') })
  return (
    <div className="flex h-full flex-col">
      <a
        href="#page"
        className="sr-only focus:not-sr-only focus:absolute focus:left-2 focus:top-2 focus:z-50 focus:rounded-md focus:bg-raised focus:px-3 focus:py-1.5"
      >
        Skip to the page
      </a>
      <ConnectionNotice />
      <div className="flex min-h-0 flex-1">
        <Sidebar />
        <main id="page" className="flex min-w-0 flex-1 flex-col">
          <AllowedPage />
        </main>
      </div>
      <BottomBar />
      <BalanceWatch />
      <Palette isOpen={shown === 'palette'} onClose={() => show(null)} />
      <Help isOpen={shown === 'help'} onClose={() => show(null)} />
      <Toasts />
    </div>
  )
}

function AllowedPage() {
  const { key } = useViewer()
  const scope = useCurrentPage()?.scope
  return scope === undefined || maySee(key.scopes, scope) ? <Outlet /> : <PageDenied scope={scope} />
}
