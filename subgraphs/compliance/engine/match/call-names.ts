/** The names of the calls of a function by their last part, so that a pattern is held against few of them. */
import { compileNamePattern, matchesName, type NamePattern, type QualifiedName } from '../rulebook/qualified-name.js'
import type { Ir } from '../syntax/ir.js'
import { writtenName } from './subject.js'

export interface NamesOfCalls {
  readonly byLast: ReadonlyMap<string, readonly QualifiedName[]>
  /** With those of callees that are no names. */
  readonly all: readonly (QualifiedName | null)[]
}

export function namesOfCalls(calls: readonly Ir[], ignoreCase: boolean): NamesOfCalls {
  const all = calls.map(writtenName)
  const byLast = new Map<string, QualifiedName[]>()
  for (const name of all) {
    if (name === null) continue
    const last = ignoreCase ? name.segment.toLowerCase() : name.segment
    const known = byLast.get(last)
    if (known === undefined) byLast.set(last, [name])
    else known.push(name)
  }
  return { byLast, all }
}

interface Compiled {
  readonly named: readonly { readonly pattern: NamePattern; readonly lastNames: readonly string[] }[]
  readonly wild: readonly NamePattern[]
}

/** By the list of a rule, which stays one object; the letter case counts in some languages. */
const compiled = { exact: new WeakMap<readonly string[], Compiled>(), ignoringCase: new WeakMap<readonly string[], Compiled>() }

function compile(texts: readonly string[], ignoreCase: boolean): Compiled {
  const known = ignoreCase ? compiled.ignoringCase : compiled.exact
  let found = known.get(texts)
  if (found === undefined) {
    const patterns = texts.map((text) => compileNamePattern(text, ignoreCase))
    const named = patterns.flatMap((pattern) => (pattern.lastNames === null ? [] : [{ pattern, lastNames: pattern.lastNames }]))
    known.set(texts, (found = { named, wild: patterns.filter(({ lastNames }) => lastNames === null) }))
  }
  return found
}

/** Whether one of the names is written like one of the patterns. */
export function hasNameLike(texts: readonly string[], { byLast, all }: NamesOfCalls, ignoreCase: boolean): boolean {
  if (all.length === 0) return false
  const { named, wild } = compile(texts, ignoreCase)
  for (const { pattern, lastNames } of named)
    for (const last of lastNames)
      if (byLast.get(last)?.some((name) => matchesName(pattern, name, ignoreCase)) === true) return true
  return wild.some((pattern) => all.some((name) => matchesName(pattern, name, ignoreCase)))
}
