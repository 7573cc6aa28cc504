/** Where there is nothing yet: says so, and what to do next. */
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly children?: ReactNode
}

export const EmptyState = ({ icon: Icon, title, children }: EmptyStateProps) => (
  <div className="grid h-full place-content-center justify-items-center gap-2 p-8 text-center">
    <Icon className="size-7 text-edge" strokeWidth={1.5} aria-hidden="true" />
    <h2 className="text-base font-medium">{title}</h2>
    {children !== undefined && <div className="max-w-sm text-sm text-muted">{children}</div>}
  </div>
)
