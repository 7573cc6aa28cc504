/** Ctrl-K: everything that can be gone to or done from anywhere, found by typing. */
import { useNavigate } from '@tanstack/react-router'
import { LogOut, Monitor, Moon, Sun, type LucideIcon } from 'lucide-react'
import { useRef } from 'react'
import { Dialog } from '../../ui/layout/dialog.js'
import { Keys } from '../../ui/keys.js'
import { SearchList } from '../../ui/forms/search-list.js'
import { ELSEWHERE, ICONS, useVisiblePages } from './navigation.js'
import { setTheme } from '../theme.js'
import { useViewer } from '../session/viewer.js'

interface Command {
  readonly group: string
  readonly title: string
  readonly icon: LucideIcon
  readonly keys?: string
  readonly run: () => void
}

interface PaletteProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function Palette({ isOpen, onClose }: PaletteProps) {
  const commands = useCommands()
  const input = useRef<HTMLInputElement>(null)
  return (
    <Dialog title="Commands" isOpen={isOpen} onClose={onClose} isBare initialFocus={input}>
      <SearchList
        label="Commands"
        placeholder="Go to a page, or do something…"
        items={commands}
        keyOf={({ title }) => title}
        textOf={({ title, group }) => `${group} ${title}`}
        groupOf={({ group }) => group}
        inputRef={input}
        onChoose={(command) => {
          onClose()
          command.run()
        }}
        render={({ title, icon: Icon, keys }) => (
          <div className="flex items-center gap-2.5">
            <Icon className="size-4 text-muted" aria-hidden="true" />
            <span className="mr-auto">{title}</span>
            {keys !== undefined && <Keys keys={keys} />}
          </div>
        )}
      />
    </Dialog>
  )
}

function useCommands(): Command[] {
  const navigate = useNavigate()
  const { signOut } = useViewer()
  const pages = useVisiblePages().map(({ path, title, key }) => ({
    group: 'Go to',
    title,
    icon: ICONS[path],
    keys: `g ${key}`,
    run: () => void navigate({ to: path }),
  }))
  return [
    ...pages,
    ...ELSEWHERE.map(({ path, title, icon }) => ({ group: 'Go to', title, icon, run: () => location.assign(path) })),
    { group: 'Colours', title: 'As the system', icon: Monitor, run: () => setTheme('system') },
    { group: 'Colours', title: 'Light', icon: Sun, run: () => setTheme('light') },
    { group: 'Colours', title: 'Dark', icon: Moon, run: () => setTheme('dark') },
    { group: 'Session', title: 'Sign out', icon: LogOut, run: signOut },
  ]
}
