/** Takes a model into the comparison, or out of it. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ModelsRowFragment } from '../../generated/console-models.js'
import { MOST_COMPARED, readModelsSearch } from './models-search.js'

export function CompareBox({ model: { id, displayName } }: { readonly model: ModelsRowFragment }) {
  const { compare = [] } = useSearch({ from: '/models' })
  const navigate = useNavigate({ from: '/models' })
  const isIn = compare.includes(id)
  const toggle = () => {
    const next = isIn ? compare.filter((one) => one !== id) : [...compare, id]
    void navigate({ search: (before) => readModelsSearch({ ...before, compare: next }), replace: true })
  }
  return (
    <input
      type="checkbox"
      className="block size-4 accent-accent"
      aria-label={`Compare ${displayName}`}
      checked={isIn}
      disabled={!isIn && compare.length >= MOST_COMPARED}
      onChange={toggle}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
    />
  )
}
