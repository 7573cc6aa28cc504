/** What went wrong, with its code, the id of its request, and what helps. */
import { TriangleAlert } from 'lucide-react'
import { helpFor, type Fault } from '../../graph/faults.js'

export function FaultNotice({ fault }: { readonly fault: Fault }) {
  const help = helpFor(fault)
  return (
    <div role="alert" className="flex gap-2.5 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
      <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <div className="min-w-0 wrap-anywhere">
        <p>{fault.message}</p>
        {help !== null && <p>{help}</p>}
        {fault.code !== null && (
          <p className="mt-0.5 font-mono text-2xs">
            {fault.code}
            {fault.requestId !== null && ` · ${fault.requestId}`}
          </p>
        )}
      </div>
    </div>
  )
}
