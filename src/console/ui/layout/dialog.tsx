/** A dialog with a title: in the middle of a wide screen, at the bottom of a narrow one. */
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { IconButton } from '../forms/button.js'
import { classes } from '../classes.js'

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** The title is read to those who do not see, and not shown. */
  readonly isBare?: boolean
  readonly isWide?: boolean
  readonly initialFocus?: RefObject<HTMLElement | null>
}

export const Dialog = ({ title, isOpen, onClose, children, isBare = false, isWide = false, initialFocus }: DialogProps) => (
  <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
    <Base.Portal>
      <Base.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
      <Base.Popup
        {...(initialFocus && { initialFocus })}
        className={classes(
          'fixed inset-x-0 bottom-0 z-50 flex max-h-[85dvh] flex-col rounded-t-lg border border-line bg-raised shadow-high outline-none [--table-edge:--spacing(4)] [--table-head:var(--color-raised)]',
          'transition-[opacity,translate] duration-150 data-ending-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0',
          'md:inset-x-auto md:bottom-auto md:left-1/2 md:top-[12dvh] md:max-h-[76dvh] md:w-[calc(100vw-2rem)] md:-translate-x-1/2 md:rounded-lg',
          isWide ? 'md:max-w-3xl' : 'md:max-w-lg',
        )}
      >
        {isBare ? (
          <Base.Title className="sr-only">{title}</Base.Title>
        ) : (
          <div className="flex items-center justify-between border-b border-line py-2 pl-4 pr-2">
            <Base.Title className="font-semibold">{title}</Base.Title>
            <Base.Close
              render={
                <IconButton label="Close">
                  <X className="size-4" />
                </IconButton>
              }
            />
          </div>
        )}
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
)
