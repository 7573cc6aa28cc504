/** Whose console this is, what is left to spend, live, and the way out. */
import { LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useSubscription } from 'urql'
import { ConsoleBalanceChangedDocument } from '../../../generated/console.js'
import { Money } from '../../format/money.js'
import { IconButton } from '../../ui/forms/button.js'
import { setTheme, THEMES, useTheme } from '../theme.js'
import { useViewer } from './viewer.js'

const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon } as const
const THEME_NAMES = { system: 'as the system', light: 'light', dark: 'dark' } as const

export function AccountCard() {
  const { account, key, signOut } = useViewer()
  return (
    <div className="border-t border-line p-3">
      <div className="flex items-baseline justify-between gap-2 text-xs">
        <span className="truncate font-medium" title={account.name}>
          {account.name}
        </span>
        <Money amount={account.available} digits={2} isBalance label="Available" />
      </div>
      <div className="mt-1 flex items-center justify-between">
        <span className="truncate text-2xs text-muted" title={`Signed in with the key “${key.name}” (${key.prefix})`}>
          {key.name}
        </span>
        <span className="-mr-1.5 flex">
          <ThemeButton />
          <IconButton label="Sign out" onClick={signOut}>
            <LogOut className="size-4" />
          </IconButton>
        </span>
      </div>
    </div>
  )
}

function ThemeButton() {
  const theme = useTheme()
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
  const Icon = THEME_ICONS[theme]
  return (
    <IconButton label={`Colours: ${THEME_NAMES[theme]}. Change to ${THEME_NAMES[next]}`} onClick={() => setTheme(next)}>
      <Icon className="size-4" />
    </IconButton>
  )
}

/** Keeps what the cache knows of the balance true, and is how the console notices that the server has gone. */
export function BalanceWatch() {
  useSubscription({ query: ConsoleBalanceChangedDocument })
  return null
}
