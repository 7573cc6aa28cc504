/** A dialog that does something: its fields, what went wrong, and the button that does it. */
import type { ReactNode } from 'react'
import type { Fault } from '../../graph/faults.js'
import { Button } from '../forms/button.js'
import { Dialog } from './dialog.js'
import { FaultNotice } from '../notices/fault-notice.js'

interface FormDialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** What the button says. */
  readonly action: string
  readonly isDangerous?: boolean
  readonly isBusy: boolean
  /** Whether what is filled in can be sent. */
  readonly isReady?: boolean
  readonly fault: Fault | null
  readonly onSubmit: () => void
  /** What has to be in sight whichever field is, such as a price. */
  readonly summary?: ReactNode
  readonly children: ReactNode
}

export const FormDialog = (props: FormDialogProps) => {
  const {
    title,
    isOpen,
    onClose,
    action,
    isDangerous = false,
    isBusy,
    isReady = true,
    fault,
    onSubmit,
    summary,
    children,
  } = props
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <form
        noValidate
        className="flex min-h-0 flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !isBusy) onSubmit()
        }}
      >
        <div className="grid gap-4 overflow-y-auto p-4 text-sm">
          {children}
          {fault && <FaultNotice fault={fault} />}
        </div>
        {summary}
        <div className="flex shrink-0 justify-end gap-2 border-t border-line px-4 py-3">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant={isDangerous ? 'danger' : 'primary'} disabled={!isReady || isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
