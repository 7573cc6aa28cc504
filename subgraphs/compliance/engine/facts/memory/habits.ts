/** What is less than an oversight: memory that is never missing in practice, and what a file hardly ever asks about. */
import type { FactKind } from '../../rulebook/fact-kinds.js'
import type { FunctionIr, OwnCall } from '../program.js'
import { type Fact, type Run, modelOf } from '../run.js'

/** What `new` has made is missing on purpose: `kind == 1 ? new Line : nullptr`. */
const memory = /^heap /

/** The answer of `dynamic_cast<X *>(p)` and its like. */
const isCast = ({ text }: Run, object: string): boolean => {
  const start = Number(/\d+/.exec(object)?.[0])
  return /^\w*_cast\s*</.test(text.slice(start, start + 40))
}

/** `dynamic_cast<Type *>(this)`, or a cast to what another function of the file makes for its caller to hand back. */
function isKnownCast({ text }: Run, object: string): boolean {
  const start = Number(/\d+/.exec(object)?.[0])
  const [, type, of] = /^\w*_cast\s*<\s*(?:const\s+)?(\w+)\s*\*\s*>\s*\(\s*(\w+)\s*\)/.exec(text.slice(start, start + 160)) ?? []
  return of === 'this' || (type !== undefined && new RegExp(`\\breturn\\s+new\\s+${type}\\b`).test(text))
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
    if (!isMemory(object)) return isOneCast(object) && (castsAreKnown || isKnownCast(run, object)) ? 'unchecked-cast' : null
    const amount = run.amounts.get(object)
    return isException || amount === 'data' || (amount === 'open' && isAlone) ? null : 'unchecked-memory'
  }
  return [...run.unchecked].map(([key, fact]) => ({ ...fact, kind: kindOf(madeBy(key)) ?? fact.kind }))
}

/** Of `<start of the function> <object>`. */
const madeBy = (key: string): string => key.slice(key.indexOf(' ') + 1)

/** So many searches for the same thing are no oversight any more. */
const leastSearches = 5

/**
 * `p = strchr(reply + 1, '\r')` again and again in a file that hardly ever asks whether it is there: the form of the texts has it always.
 * Not in a file that receives the texts itself.
 */
export function withSearchesLow(run: Run, facts: readonly Fact[]): Fact[] {
  const { functions } = run.program
  const searches = functions.flatMap((fn) => fn.calls.filter((one) => wantedBy(run, one) !== null))
  const open = facts.filter(({ kind }) => kind === 'unchecked-null')
  if (open.length < leastSearches || functions.some((fn) => isReceiving(run, fn))) return [...facts]
  const followed = new Map<OwnCall, Fact[]>()
  for (const fact of open) {
    const made = searchBefore(searches, fact)
    if (made !== null) followed.set(made, [...(followed.get(made) ?? []), fact])
  }
  const habits = new Set<Fact>()
  for (const wanted of new Set([...followed.keys()].map((one) => wantedBy(run, one)))) {
    const isOne = (one: OwnCall): boolean => wantedBy(run, one) === wanted
    const trusted = [...followed].filter(([one]) => isOne(one))
    if (trusted.length < leastSearches || 2 * trusted.length <= searches.filter(isOne).length) continue
    for (const fact of trusted.flatMap(([, those]) => those)) habits.add(fact)
  }
  return facts.map((fact) => (habits.has(fact) ? { ...fact, kind: 'unchecked-search' } : fact))
}

/** What a search looks for, where that is written there. */
function wantedBy(run: Run, { name, args }: OwnCall): string | null {
  const at = modelOf(run, name)?.finds
  const wanted = at === undefined ? undefined : args[at]
  return wanted?.op === 'number' || wanted?.op === 'text' ? `${name} ${run.text.slice(wanted.start, wanted.end)}` : null
}

/** Of its function, and nearest before it. */
const searchBefore = (searches: readonly OwnCall[], { start, inside }: Fact): OwnCall | null =>
  searches.filter((one) => one.start >= inside && one.start <= start).toSorted((a, b) => b.start - a.start)[0] ?? null

const isReceiving = (run: Run, { calls }: FunctionIr): boolean =>
  calls.some(({ name }) => (modelOf(run, name)?.fills?.length ?? 0) > 0)
