/**
 * Where in a function a lock is held, as far as its text tells: behind the word that takes it, until the block ends or it is given back, and in
 * the block that is handed to whoever holds it.
 */

export interface LockWords {
  /** Takes a lock that is held until the block ends. */
  readonly takes: string
  readonly gives_back: string
  /** Runs the block behind it under a lock, or in a queue of its own. */
  readonly runs: string
}

interface Step {
  readonly at: number
  readonly kind: 'open' | 'close' | 'take' | 'give' | 'run'
}

const compiled = new Map<string, RegExp>()
function patternOf(text: string): RegExp {
  const known = compiled.get(text) ?? new RegExp(text, 'g')
  compiled.set(text, known)
  return known
}

const found = (pattern: string, text: string, kind: Step['kind']): Step[] =>
  pattern === '' ? [] : Array.from(text.matchAll(patternOf(pattern)), ({ index, 0: word }) => ({ at: index + word.length, kind }))

/** Ranges of the text, by their offsets. */
export function lockedRanges(text: string, { takes, gives_back, runs }: LockWords): { from: number; to: number }[] {
  const taken = [...found(takes, text, 'take'), ...found(runs, text, 'run')]
  if (taken.length === 0) return []
  const braces = Array.from(text.matchAll(/[{}]/g), ({ index, 0: brace }): Step => ({
    at: index,
    kind: brace === '{' ? 'open' : 'close',
  }))
  const steps = [...taken, ...found(gives_back, text, 'give'), ...braces].toSorted((a, b) => a.at - b.at)
  const ranges: { from: number; to: number }[] = []
  const held: { from: number; depth: number }[] = []
  let depth = 0
  let runsNext = false
  for (const { at, kind } of steps) {
    if (kind === 'open') {
      depth++
      if (runsNext) held.push({ from: at, depth })
      runsNext = false
    } else if (kind === 'run') runsNext = true
    else if (kind === 'take') held.push({ from: at, depth })
    else {
      if (kind === 'close') depth--
      // Given back in a deeper block: those who leave there did so.
      const isOver = (one: { depth: number }): boolean => (kind === 'close' ? one.depth > depth : one.depth === depth)
      for (const one of held.filter(isOver)) ranges.push({ from: one.from, to: at })
      held.splice(0, held.length, ...held.filter((one) => !isOver(one)))
    }
  }
  return [...ranges, ...held.map(({ from }) => ({ from, to: text.length }))]
}
