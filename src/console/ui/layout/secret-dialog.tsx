/** The one look at a new secret. */
import type { ReactNode } from 'react'
import { CodeBlock } from '../code-block.js'
import { Button } from '../forms/button.js'
import { Dialog } from './dialog.js'

interface SecretDialogProps {
  readonly title: string
  /** What is copied, such as "the key". */
  readonly what: string
  /** Null while none is shown. */
  readonly secret: string | null
  readonly onClose: () => void
  /** What is done with it. */
  readonly children: ReactNode
}

export const SecretDialog = ({ title, what, secret, onClose, children }: SecretDialogProps) => (
  <Dialog title={title} isOpen={secret !== null} onClose={onClose}>
    <div className="grid gap-4 p-4 text-sm">
      <p>Copy it now: it is shown this once.</p>
      {secret !== null && <CodeBlock code={secret} what={what} />}
      <p className="text-muted">{children}</p>
      <Button variant="primary" className="justify-self-end" onClick={onClose}>
        I have it
      </Button>
    </div>
  </Dialog>
)
