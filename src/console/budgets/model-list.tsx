/** Which models something is limited to, by id. */
import { useState } from 'react'
import { useQuery } from 'urql'
import { BudgetsModelsDocument } from '../../generated/console-budgets.js'
import { classes } from '../ui/classes.js'
import { CONTROL } from '../ui/forms/field.js'

interface ModelListProps {
  readonly chosen: readonly string[]
  readonly onToggle: (id: string) => void
}

export function ModelList({ chosen, onToggle }: ModelListProps) {
  const [{ data }] = useQuery({ query: BudgetsModelsDocument })
  const [find, setFind] = useState('')
  const models = data?.models?.models ?? []
  const found = models.filter(({ id }) => id.toLowerCase().includes(find.toLowerCase()))
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 text-xs font-medium">
        Models: {chosen.length === 0 ? 'every one' : `only ${chosen.length} of ${models.length}`}
      </legend>
      <input
        type="search"
        aria-label="Find a model"
        placeholder="Find a model"
        value={find}
        onChange={(event) => setFind(event.target.value)}
        className={classes(CONTROL, 'h-8')}
      />
      <div className="h-32 overflow-y-auto rounded-md border border-line p-1.5" tabIndex={0} role="group" aria-label="Models">
        {found.map(({ id }) => (
          <label key={id} className="flex min-w-0 items-center gap-2 rounded-sm px-1.5 py-1 hover:bg-hover">
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-accent"
              checked={chosen.includes(id)}
              onChange={() => onToggle(id)}
            />
            <span className="truncate">{id}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
