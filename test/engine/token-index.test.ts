/** What the index of token rules finds is what every rule, asked for itself, says. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rulesAbout } from '../../subgraphs/compliance/engine/match/token-index.js'
import { matchTokens, tokenLine } from '../../subgraphs/compliance/engine/match/token-pattern.js'
import type { Rulebook } from '../../subgraphs/compliance/engine/rulebook/compile.js'

type TokenRule = Rulebook['plain']['tokens'][number]

const piece = fc.constantFrom('a', 'B', '{a,c}', '...', '*', '<string>', '<name>', '/^a/')
const pattern = fc
  .tuple(fc.constantFrom('', '^'), fc.array(piece, { minLength: 1, maxLength: 4 }), fc.constantFrom('', ' $'))
  .map(([start, pieces, end]) => `${start}${pieces.join(' ')}${end}`)
const rules = fc.array(fc.array(pattern, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 })
const line = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'C', 'ab'), fc.constantFrom('word', 'string', 'quoted')), {
  maxLength: 5,
})

it('finds every rule with a pattern that fits the line, once and in their order', () => {
  fc.assert(
    fc.property(rules, line, (all, words) => {
      const given = all.map((tokens) => ({ matcher: { tokens } })) as unknown as TokenRule[]
      const tokens = words.map(([text, kind], at) => ({ kind, text, start: at * 3, end: at * 3 + text.length }))
      const found = rulesAbout(given, tokenLine(tokens)).map((rule) => given.indexOf(rule))
      const due = all.flatMap((patterns, at) =>
        patterns.some((one) => matchTokens(one, tokenLine(tokens)) !== null) ? [at] : [],
      )
      expect(found).toEqual(expect.arrayContaining(due))
      expect(found).toEqual([...new Set(found)].toSorted((a, b) => a - b))
    }),
    { numRuns: 2_000 },
  )
})
