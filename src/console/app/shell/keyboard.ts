/** Keys that mean the same on every page. What is typed into a field is text and no command. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useVisiblePages } from './navigation.js'

interface Openers {
  readonly openPalette: () => void
  readonly openHelp: () => void
}

/** Within so long after a `g` the key of a page opens it. */
const SEQUENCE_MS = 1_200

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** The field of a page that `/` goes to carries this attribute. */
const SEARCH_FIELD = '[data-search-field]'

export function useKeyboard({ openPalette, openHelp }: Openers): void {
  const navigate = useNavigate()
  const pages = useVisiblePages()
  const onPage = useEffectEvent((key: string): boolean => {
    const page = pages.find((one) => one.key === key)
    if (page) void navigate({ to: page.path })
    return page !== undefined
  })
  const open = useEffectEvent((what: 'palette' | 'help') => (what === 'palette' ? openPalette() : openHelp()))
  useEffect(() => {
    let sequenceUntil = 0
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        return open('palette')
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const isSecond = performance.now() < sequenceUntil
      sequenceUntil = 0
      if (isSecond && onPage(event.key)) return event.preventDefault()
      if (event.key === 'g') sequenceUntil = performance.now() + SEQUENCE_MS
      else if (event.key === '?') open('help')
      else if (event.key === '/') {
        event.preventDefault()
        const field = document.querySelector<HTMLElement>(SEARCH_FIELD)
        if (field) field.focus()
        else open('palette')
      }
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}
