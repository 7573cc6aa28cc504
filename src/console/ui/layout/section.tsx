/** A part of a page with a heading of its own. */
import type { ReactNode } from 'react'
import { classes } from '../classes.js'

interface SectionProps {
  readonly title: string
  /** What stands at the end of the heading's line. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export const Section = ({ title, aside, children }: SectionProps) => (
  <section className="grid min-w-0 gap-2.5">
    <div className="flex min-h-8 flex-wrap items-center gap-2">
      <h2 className="mr-auto text-base font-semibold">{title}</h2>
      {aside}
    </div>
    {children}
  </section>
)

interface FramedProps {
  /** The page does not scroll as a whole: what is framed scrolls in what the page leaves it. */
  readonly isFitted?: boolean
  readonly children: ReactNode
}

/** Around a table or a chart. */
export const Framed = ({ isFitted = false, children }: FramedProps) => (
  <div
    className={classes(
      'flex min-w-0 flex-col overflow-hidden rounded-md border border-line bg-canvas [--table-edge:--spacing(3)] [&_tr:last-child>td]:border-b-0',
      isFitted ? 'min-h-0' : 'max-h-[60vh]',
    )}
  >
    {children}
  </div>
)
