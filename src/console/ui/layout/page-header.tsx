/** The top of a page: its name, and what can be done on it as a whole. */
import type { ReactNode } from 'react'

interface PageHeaderProps {
  readonly title: string
  readonly children?: ReactNode
}

export const PageHeader = ({ title, children }: PageHeaderProps) => (
  <header className="flex h-13 shrink-0 items-center gap-2 border-b border-line px-4 md:px-5">
    <h1 className="mr-auto text-lg font-semibold tracking-tight">{title}</h1>
    {children}
  </header>
)
