/** Says that the server is not reached, for as long as it is not. */
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { connection } from '../../graph/connection.js'
import { toast } from '../../ui/notices/toasts.js'

export function ConnectionNotice() {
  const isLost = useSyncExternalStore(connection.subscribe, connection.isLost)
  const wasLost = useRef(false)
  useEffect(() => {
    if (wasLost.current && !isLost) toast('Connected again')
    wasLost.current = isLost
  }, [isLost])
  if (!isLost) return null
  return (
    <div role="status" className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-1.5 text-sm text-warn">
      <span className="size-1.5 animate-pulse rounded-full bg-current" />
      The connection to the server is lost. Trying again…
    </div>
  )
}
