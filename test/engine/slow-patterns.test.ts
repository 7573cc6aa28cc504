/** Which regular expressions can take exponential time. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { isSlowPattern, loadSlowPatterns } from '../../subgraphs/compliance/engine/match/slow-patterns.js'

beforeAll(loadSlowPatterns)

describe('slow', () => {
  it.each([
    '^(a+)+$',
    '/^(?:[a-z]+[.-]?)+$/i',
    String.raw`%r{\A(\w+)*\z}`,
    String.raw`([[:alnum:]]+[_-]?)+\z`,
    String.raw`(?i)^(?P<word>\w+\s?)+;`,
    String.raw`^(\p{L}+)+$`,
    String.raw`^(\p{Alpha}+)+$`,
    '(x+x+)+y',
    '(a|aa)+$',
    '(a|ab|b)+$',
    String.raw`^(\w|\d)+$`,
    String.raw`<(.|\s)*>`,
    '~^(?:[^,]+,?)*;~u',
  ])('%s', (pattern) => expect(isSlowPattern(pattern, 'part')).toBe(true))

  it('a group at the end only where the whole text must match', () => {
    expect(isSlowPattern(String.raw`(\w+\s?)*`, 'part')).toBe(false)
    expect(isSlowPattern(String.raw`(\w+\s?)*`, 'whole')).toBe(true)
  })
})

describe('quick', () => {
  it.each([
    String.raw`^(\w+\.)+com$`,
    String.raw`_\d+(\.\d+)*_`,
    '^[a-z]+(?:-[a-z]+)*$',
    '^(?:[A-Z][a-z]+ ?)+$',
    '(?:ab|cd)+$',
    '(?:[a-z]|[0-9])+$',
    '(?>a+)+$',
    String.raw`^(?:\w++\s?)++$`,
    '(a+',
    String.raw`[(\w+)+]$`,
  ])('%s', (pattern) => expect(isSlowPattern(pattern, 'part')).toBe(false))
})

/** Steps of a matcher that goes back, on a text of the word that the last character refuses. */
function steps(words: readonly string[], text: string): number {
  let count = 0
  const go = (at: number): void => {
    count += 1
    if (count < 20_000) for (const word of words) if (text.startsWith(word, at)) go(at + word.length)
  }
  go(0)
  return count
}

it('says of a choice of words what a matcher that goes back does with them', () => {
  const word = fc.stringMatching(/^[ab]{1,3}$/)
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 2, maxLength: 4 }), (words) => {
      if (isSlowPattern(`^(?:${words.join('|')})*!`, 'part')) return
      const most = Math.max(...words.flatMap((one) => words.map((other) => steps(words, (one + other).repeat(40)))))
      expect(most).toBeLessThan(2_000)
    }),
    { numRuns: 300 },
  )
})
