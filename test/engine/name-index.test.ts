/** What an index of names finds is what every pattern, asked for itself, says. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NameIndex } from '../../subgraphs/compliance/engine/rulebook/name-index.js'
import {
  compileNamePattern,
  matchesName,
  matchesTyped,
  nameOf,
  parseName,
} from '../../subgraphs/compliance/engine/rulebook/qualified-name.js'

const segment = fc.constantFrom('a', 'b', 'C', '{a,b}', '*', '**', 'a*')
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'))
const typed = fc.tuple(fc.constantFrom('T', 'T|u', '*'), path).map(([types, rest]) => `<${types}>.${rest}`)
const entries = fc.array(fc.tuple(fc.array(fc.oneof(path, typed), { minLength: 1, maxLength: 3 }), fc.boolean()), {
  maxLength: 6,
})
const name = fc.array(fc.constantFrom('a', 'b', 'C', 'ab', 'this'), { minLength: 1, maxLength: 4 })

it('finds the entries with a pattern that fits a name or a type', () => {
  fc.assert(
    fc.property(
      entries,
      fc.array(name, { minLength: 1, maxLength: 2 }),
      fc.constantFrom([], ['T'], ['x', 'u']),
      fc.boolean(),
      (all, written, types, ignoreCase) => {
        const index = new NameIndex(ignoreCase)
        for (const [at, [texts, isNew]] of all.entries())
          index.add(texts, { role: 'returns', type: String(at), conditions: {} }, isNew)
        // All of them end in the same segment, as the names of one call do.
        const last = written[0]!.at(-1)!
        const names = written.map((parts) => parseName([...parts.slice(0, -1), last].join('.'))!)
        const fits = (text: string): boolean => {
          const pattern = compileNamePattern(text, ignoreCase)
          if (pattern.types === null) return names.some((one) => matchesName(pattern, one, ignoreCase))
          return types.some((type) => matchesTyped(pattern, type, nameOf(last), ignoreCase))
        }
        for (const isNew of [true, false]) {
          const found = index.candidates(last, isNew).about(names, () => types)
          const told = found.map(({ role }) => role.role === 'returns' && role.type)
          const due = all.flatMap(([texts, onlyNew], at) => ((isNew || !onlyNew) && texts.some(fits) ? [String(at)] : []))
          // An entry whose patterns end both ways, in a name and in a wildcard, is there for each.
          expect(new Set(told)).toEqual(new Set(due))
        }
      },
    ),
    { numRuns: 2_000 },
  )
})
