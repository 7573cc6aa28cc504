/** Light, dark, or as the system has it. */
import { useSyncExternalStore } from 'react'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const STORED = 'sluice.theme'
const listeners = new Set<() => void>()

const current = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(STORED)) ?? 'system'

function show(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme)
  show(theme)
  for (const listener of listeners) listener()
}

export const showStoredTheme = (): void => show(current())

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, current)
