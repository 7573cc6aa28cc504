/** A name and what there is to say, in a list of such. */
import type { ReactNode } from 'react'

export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-muted">{name}</dt>
    <dd className="truncate tabular-nums">{children}</dd>
  </div>
)
