/** `?`: what the keyboard does. */
import { Dialog } from '../../ui/layout/dialog.js'
import { Keys } from '../../ui/keys.js'
import { useVisiblePages } from './navigation.js'

interface HelpProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

const GENERAL = [
  { keys: 'Ctrl+K', what: 'Commands' },
  { keys: '/', what: 'Search on this page' },
  { keys: '?', what: 'This list' },
  { keys: 'Enter', what: 'Send the message' },
  { keys: 'Shift+Enter', what: 'A new line in it' },
  { keys: 'Esc', what: 'Stop the answer, close a dialog' },
]

export function Help({ isOpen, onClose }: HelpProps) {
  const pages = useVisiblePages().map(({ title, key }) => ({ keys: `g ${key}`, what: title }))
  return (
    <Dialog title="Keyboard" isOpen={isOpen} onClose={onClose}>
      <dl className="grid overflow-y-auto p-4 text-sm">
        {[...GENERAL, ...pages].map(({ keys, what }) => (
          <div key={keys} className="flex items-center justify-between border-b border-line py-2 last:border-0">
            <dt>{what}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
