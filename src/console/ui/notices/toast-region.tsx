/** Shows short news, which go by themselves. */
import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { IconButton } from '../forms/button.js'

const manager = Toast.createToastManager()

export const addToast = (title: string): void => void manager.add({ title })

export const ToastRegion = () => (
  <Toast.Provider toastManager={manager} timeout={4_000}>
    <Toast.Portal>
      <Toast.Viewport className="fixed inset-x-4 bottom-18 z-60 mx-auto flex max-w-sm flex-col gap-2 md:inset-x-auto md:bottom-4 md:right-4 md:w-80">
        <ToastList />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((one) => (
    <Toast.Root
      key={one.id}
      toast={one}
      className="flex items-center justify-between rounded-md border border-line bg-raised py-1.5 pl-3.5 pr-1.5 text-sm shadow-high transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Toast.Title />
      <Toast.Close
        render={
          <IconButton label="Close the message">
            <X className="size-4" />
          </IconButton>
        }
      />
    </Toast.Root>
  ))
}
