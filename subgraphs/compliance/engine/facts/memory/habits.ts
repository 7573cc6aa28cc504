/** What is less than an oversight: memory that is never missing in practice, and what a file hardly ever asks about. */
import type { FactKind } from '../../rulebook/fact-kinds.js'
import type { Fact, Run } from '../run.js'

/** What `new` has made is missing on purpose: `kind == 1 ? new Line : nullptr`. */
const memory = /^heap /

/** The answer of `dynamic_cast<X *>(p)` and its like. */
const isCast = ({ text }: Run, object: string): boolean => {
  const start = Number(/\d+/.exec(object)?.[0])
  return /^\w*_cast\s*</.test(text.slice(start, start + 40))
}

/** Fewer places than these, among at least twice as many where the file looks, are exceptions. */
const mostExceptions = 2

/**
 * Memory that nobody looked for is told low, but where the file looks everywhere else, or where a number that others choose says how much
 * there must be (docs/decisions/0061). Who follows most casts says that they are known: that is low as well.
 */
export function uncheckedAnswers(run: Run): Fact[] {
  const countOf = (answers: Iterable<string>, isOne: (object: string) => boolean): number => [...answers].filter(isOne).length
  const trusted = [...run.unchecked.keys()].map((key) => madeBy(key))
  const isMemory = (object: string): boolean => memory.test(object)
  const isOneCast = (object: string): boolean => isCast(run, object)
  const [memories, looked] = [countOf(trusted, isMemory), countOf(run.comparedAnswers, isMemory)]
  const isException = memories <= mostExceptions && 2 * memories <= looked
  const isAlone = memories === 1 && looked === 0
  const castsAreKnown = countOf(trusted, isOneCast) > Math.max(2, countOf(run.comparedAnswers, isOneCast))
  const kindOf = (object: string): FactKind | null => {
    if (!isMemory(object)) return castsAreKnown && isOneCast(object) ? 'unchecked-cast' : null
    const amount = run.amounts.get(object)
    return isException || amount === 'data' || (amount === 'open' && isAlone) ? null : 'unchecked-memory'
  }
  return [...run.unchecked].map(([key, fact]) => ({ ...fact, kind: kindOf(madeBy(key)) ?? fact.kind }))
}

/** Of `<start of the function> <object>`. */
const madeBy = (key: string): string => key.slice(key.indexOf(' ') + 1)
