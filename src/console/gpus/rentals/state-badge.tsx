/** How it stands with a rental, or with the session of a model, in a word. */
import { Badge, type Tone } from '../../ui/badge.js'
import type { Rental } from './rental-words.js'

const STATES: Readonly<Record<Rental['status'], readonly [word: string, tone: Tone]>> = {
  PROVISIONING: ['starting', 'warn'],
  RUNNING: ['running', 'good'],
  TERMINATED: ['ended', 'neutral'],
}

export function StateBadge({ status }: Pick<Rental, 'status'>) {
  const [word, tone] = STATES[status]
  return <Badge tone={tone}>{word}</Badge>
}
