/** Our counts against those of the library that the tables come from, which keeps them in another way. */
import * as fc from 'fast-check'
import { encode as encodeCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as encodeO200k } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { loadTokenizer } from '../../subgraphs/inference/tokens/token-count.js'

const BYTE_ORDER_MARK = '\ufeff'
const AS_TEXT = { disallowedSpecial: new Set<string>() }
const LIBRARY = {
  cl100k_base: (text: string) => encodeCl100k(text, AS_TEXT).length,
  o200k_base: (text: string) => encodeO200k(text, AS_TEXT).length,
}

/** Words, numbers, code, scripts without spaces, emoji that are joined, white space, halves of surrogate pairs. */
const fragment = fc.oneof(
  fc.constantFrom(
    ' the',
    ' internationalization',
    'ANTIDISESTABLISHMENTARIANISM',
    "they'RE",
    "'s",
    '12345678',
    '   ',
    '\n\n',
    '\r\n',
    '\t',
    ' \n',

    '{"a":[1,2]}',
    '=> {',
    '/**',
    '//',
    '日本語のテキスト',
    '한국어',
    'ไทย',
    'العربية',
    '👩‍👩‍👧‍👦',
    '🏳️‍🌈',
    'é',
    'ǅ',
    '\u3000',
    '<|endoftext|>',
    '\ud83d',
    '\udc00',
    '\0',
    '\u0085',
    '\u2028',
    'aaaaaaaaaaaaaaaa',
    '----------------',
    'ÿÿ',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('a', 'b', 'B', ' ', '\n', '1', '.', 'ß'), maxLength: 40 }),
)
/** The library does not find tokens that begin with the mark of the byte order. */
const text = fc.array(fragment, { maxLength: 30 }).map((parts) => parts.join('').replaceAll(BYTE_ORDER_MARK, ''))

describe.each(['cl100k_base', 'o200k_base'] as const)('%s', (family) => {
  it('counts what the library counts', async () => {
    const count = await loadTokenizer(family)
    fc.assert(
      fc.property(text, (each) => {
        expect(count(each)).toBe(LIBRARY[family](each))
      }),
      { numRuns: 300 },
    )
  })

  it('counts a word without an end exactly, and in a time that does not grow with its square', async () => {
    const count = await loadTokenizer(family)
    const letters = (length: number) =>
      Array.from({ length }, (_, index) => String.fromCodePoint(97 + ((index * index * 7 + index) % 26))).join('')
    const word = letters(3_000)
    expect(count(word)).toBe(LIBRARY[family](word))
    // With the square of its length this would take minutes.
    expect(count(letters(1_000_000))).toBeGreaterThan(100_000)
  })

  it('counts nothing in an empty text, and one token in the mark of the byte order', async () => {
    const count = await loadTokenizer(family)
    expect(count('')).toBe(0)
    expect(count(BYTE_ORDER_MARK)).toBe(1)
  })
})
