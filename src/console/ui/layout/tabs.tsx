/** The heads of tabs: as pills in the header of a page, or on a line above what they show. They stand in a `Tabs.Root`. */
import { Tabs } from '@base-ui/react/tabs'
import { classes } from '../classes.js'

interface TabHeadsProps {
  /** What the tabs are parts of. */
  readonly label: string
  readonly tabs: readonly (readonly [value: string, name: string])[]
  readonly look: 'pills' | 'line'
  readonly className?: string
}

const LISTS = { pills: 'flex gap-1', line: 'flex shrink-0 gap-4 border-b border-line px-4' } as const
const HEADS = {
  pills: 'h-8 rounded-md px-2.5 text-sm font-medium text-muted hover:bg-hover data-active:bg-hover data-active:text-ink',
  line: 'h-10 border-b-2 border-transparent px-1 text-sm font-medium text-muted hover:text-ink data-active:border-accent data-active:text-ink',
} as const

export const TabHeads = ({ label, tabs, look, className }: TabHeadsProps) => (
  <Tabs.List aria-label={label} className={classes(LISTS[look], className)}>
    {tabs.map(([value, name]) => (
      <Tabs.Tab key={value} value={value} className={HEADS[look]}>
        {name}
      </Tabs.Tab>
    ))}
  </Tabs.List>
)
