/** Parameters whose names say that they are no text which a sink has to fear, where nobody in the file fills them. */
import { wordsOf } from '../rulebook/data-names.js'
import type { Words } from '../rulebook/words.js'
import { numericKinds } from './values/numeric-kinds.js'
import type { Origin } from './values/value.js'

/** `timeout=120`: a text would make no sense there. */
function isNumberByDefault({ of, index, part }: NonNullable<Origin['parameter']>): boolean {
  const fallback = of.parameters[index]?.fallback
  return part === undefined && fallback?.op === 'literal' && typeof fallback.value === 'number'
}

export function isSpokenFor(words: Words, { label, parameter }: Origin, kind: string): boolean {
  if (label !== 'param' || parameter === null) return false
  if (isNumberByDefault(parameter) && !numericKinds.has(kind)) return true
  const part = parameter.part?.split('\0').at(-1)
  const name = (part ?? parameter.of.parameters[parameter.index]?.name ?? '').replace(/^[$_@]+/, '')
  if (kind === 'sql') return words.statements.has(name) || wordsOf(name).some((word) => words.spans.has(word))
  return kind === 'script' ? words.scripts.has(name) : kind === 'command' && words.process_numbers.has(name)
}
