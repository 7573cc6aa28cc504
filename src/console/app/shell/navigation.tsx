/** Where one can go: what the key may see, at the side of a wide screen and at the bottom of a narrow one. */
import { Link, useRouterState } from '@tanstack/react-router'
import {
  BookOpen,
  Boxes,
  ChartColumn,
  ChartNoAxesCombined,
  Ellipsis,
  KeyRound,
  MessageSquareText,
  ScanSearch,
  Server,
  ShieldCheck,
  SquareTerminal,
  Webhook,
  type LucideIcon,
} from 'lucide-react'
import { useState } from 'react'
import { PAGES, type PagePath } from '../../pages.js'
import { classes } from '../../ui/classes.js'
import { Dialog } from '../../ui/layout/dialog.js'
import { Mark } from '../../ui/mark.js'
import { AccountCard } from '../session/account-card.js'
import { maySee, useViewer } from '../session/viewer.js'

export const ICONS: Readonly<Record<PagePath, LucideIcon>> = {
  '/play': MessageSquareText,
  '/models': Boxes,
  '/prices': ChartNoAxesCombined,
  '/usage': ChartColumn,
  '/keys': KeyRound,
  '/webhooks': Webhook,
  '/admin': ShieldCheck,
  '/gpus': Server,
  '/scan': ScanSearch,
}

/** Pages of their own, which the server has beside the console: GraphiQL, and the documentation. */
export const ELSEWHERE = [
  { path: '/graphql', title: 'Explorer', icon: SquareTerminal },
  { path: '/docs', title: 'Documentation', icon: BookOpen },
] as const

export function useVisiblePages() {
  const { key } = useViewer()
  return PAGES.filter(({ scope }) => maySee(key.scopes, scope))
}

/** The page that the address is of, or below. */
export function useCurrentPage() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  return PAGES.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
}

const ENTRY = 'flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm transition-colors hover:bg-hover hover:text-ink'

function Entries() {
  const current = useCurrentPage()
  return (
    <ul className="grid gap-0.5">
      {useVisiblePages().map(({ path, title }) => {
        const Icon = ICONS[path]
        const isCurrent = current?.path === path
        return (
          <li key={path}>
            <Link
              to={path}
              aria-current={isCurrent ? 'page' : undefined}
              className={classes(ENTRY, isCurrent ? 'bg-hover font-medium text-ink' : 'text-muted')}
            >
              <Icon className="size-4" aria-hidden="true" />
              {title}
            </Link>
          </li>
        )
      })}
      {ELSEWHERE.map(({ path, title, icon: Icon }) => (
        <li key={path}>
          <a href={path} className={classes(ENTRY, 'text-muted')}>
            <Icon className="size-4" aria-hidden="true" />
            {title}
          </a>
        </li>
      ))}
    </ul>
  )
}

export const Sidebar = () => (
  <aside aria-label="Navigation and account" className="hidden w-54 shrink-0 flex-col border-r border-line bg-sunken md:flex">
    <div className="flex h-13 items-center gap-2.5 px-4">
      <Mark className="size-6" />
      <span className="font-semibold tracking-tight">Sluice</span>
    </div>
    <nav aria-label="Pages" className="min-h-0 flex-1 overflow-y-auto px-2 py-1">
      <Entries />
    </nav>
    <AccountCard />
  </aside>
)

/** As many as thumbs reach; the rest is behind "More". */
const AT_THE_BOTTOM = 4

const BOTTOM = 'flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-2xs'

export function BottomBar() {
  const [isOpen, setOpen] = useState(false)
  const current = useCurrentPage()
  const pages = useVisiblePages().slice(0, AT_THE_BOTTOM)
  return (
    <nav aria-label="Pages" className="flex shrink-0 border-t border-line bg-sunken pb-[env(safe-area-inset-bottom)] md:hidden">
      {pages.map(({ path, title }) => {
        const Icon = ICONS[path]
        const isCurrent = current?.path === path
        return (
          <Link
            key={path}
            to={path}
            aria-current={isCurrent ? 'page' : undefined}
            className={classes(BOTTOM, isCurrent ? 'font-medium text-accent' : 'text-muted')}
          >
            <Icon className="size-5" aria-hidden="true" />
            {title}
          </Link>
        )
      })}
      <button type="button" className={classes(BOTTOM, 'text-muted')} onClick={() => setOpen(true)}>
        <Ellipsis className="size-5" aria-hidden="true" />
        More
      </button>
      <Dialog title="Sluice" isOpen={isOpen} onClose={() => setOpen(false)}>
        <div className="overflow-y-auto p-2" onClick={() => setOpen(false)}>
          <Entries />
        </div>
        <AccountCard />
      </Dialog>
    </nav>
  )
}
