/** A state in a word: its colour says it again. */
import type { ReactNode } from 'react'
import { classes } from './classes.js'

export type Tone = 'good' | 'warn' | 'bad' | 'neutral'

const TONES: Readonly<Record<Tone, string>> = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  neutral: 'bg-hover text-muted',
}

export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className={classes('inline-block whitespace-nowrap rounded-sm px-1.5 text-xs leading-5', TONES[tone])}>{children}</span>
)
