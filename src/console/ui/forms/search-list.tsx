/** A list that is filtered by typing and walked with the arrow keys: the palette's, and that of every picker. */
import { Search } from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { classes } from '../classes.js'

interface SearchListProps<Item> {
  /** What the list is of, such as "Models". */
  readonly label: string
  readonly placeholder: string
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** What typing is compared with. */
  readonly textOf: (item: Item) => string
  readonly groupOf?: (item: Item) => string
  readonly render: (item: Item) => ReactNode
  readonly onChoose: (item: Item) => void
  readonly inputRef?: RefObject<HTMLInputElement | null>
}

const matches = (text: string, typed: string): boolean =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))

/** Which of so many is marked, and the keys that move the mark. */
function useMark(length: number, onChoose: (at: number) => void) {
  const [at, mark] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const marked = Math.min(at, length - 1)
  const move = (to: number) => {
    const next = (to + length) % length
    mark(next)
    list.current?.querySelector(`[data-at="${next}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (length === 0) return
    if (event.key === 'ArrowDown') move(marked + 1)
    else if (event.key === 'ArrowUp') move(marked - 1)
    else if (event.key === 'Enter') onChoose(marked)
    else return
    event.preventDefault()
  }
  return { marked, mark, list, onKeyDown }
}

export function SearchList<Item>(props: SearchListProps<Item>) {
  const { label, placeholder, items, keyOf, textOf, groupOf, render, onChoose, inputRef } = props
  const [typed, setTyped] = useState('')
  const listId = useId()
  const found = items.filter((item) => matches(textOf(item), typed))
  const { marked, mark, list, onKeyDown } = useMark(found.length, (at) => onChoose(found[at]!))
  return (
    <>
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search className="size-4 shrink-0 text-muted" aria-hidden="true" />
        <input
          ref={inputRef}
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={marked < 0 ? undefined : `${listId}-${marked}`}
          aria-label={label}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            mark(0)
          }}
          onKeyDown={onKeyDown}
          className="h-11 w-full bg-transparent outline-none"
        />
      </div>
      <div ref={list} id={listId} role="listbox" aria-label={label} className="min-h-0 overflow-y-auto p-1.5">
        {found.map((item, index) => (
          <div key={keyOf(item)} role="presentation">
            {groupOf && groupOf(item) !== (index > 0 ? groupOf(found[index - 1]!) : null) && (
              <div role="presentation" className="px-2.5 pb-1 pt-2.5 text-2xs font-medium text-muted">
                {groupOf(item)}
              </div>
            )}
            <div
              role="option"
              id={`${listId}-${index}`}
              data-at={index}
              aria-selected={index === marked}
              onMouseMove={() => mark(index)}
              onClick={() => onChoose(item)}
              className={classes('cursor-pointer rounded-md px-2.5 py-2', index === marked && 'bg-hover')}
            >
              {render(item)}
            </div>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p role="status" className="px-4 pb-6 pt-3 text-center text-sm text-muted">
          Nothing fits “{typed}”.
        </p>
      )}
    </>
  )
}
