/** What a file hardly ever asks about, whatever it uses: a decision of its author, and not as many oversights. */
import type { FactKind } from '../../rulebook/fact-kinds.js'
import type { Fact, Run } from '../run.js'

const isMemory = (object: string): boolean => object.startsWith('heap ')

/** The answer of `dynamic_cast<X *>(p)` and its like. */
const isCast = ({ text }: Run, object: string): boolean => {
  const start = Number(/\d+/.exec(object)?.[0])
  return /^\w*_cast\s*</.test(text.slice(start, start + 40))
}

/**
 * Who asks often for memory and hardly ever looks whether there was some has decided to end when there is none; who follows most casts
 * says that they are known.
 */
export function uncheckedAnswers(run: Run): Fact[] {
  const habits: [FactKind, (object: string) => boolean][] = [
    ['unchecked-memory', isMemory],
    ['unchecked-cast', (object) => isCast(run, object)],
  ]
  const isHabit = habits.map(([, isOne]) => {
    const trusted = [...run.unchecked.keys()].filter((key) => isOne(madeBy(key)))
    return trusted.length > Math.max(2, [...run.comparedAnswers].filter(isOne).length)
  })
  return [...run.unchecked].map(([key, fact]) => {
    const kind = habits.find(([, isOne], at) => isHabit[at] && isOne(madeBy(key)))?.[0]
    return kind === undefined ? fact : { ...fact, kind }
  })
}

/** Of `<start of the function> <object>`. */
const madeBy = (key: string): string => key.slice(key.indexOf(' ') + 1)
