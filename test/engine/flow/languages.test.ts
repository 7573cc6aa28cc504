/**
 * The same flows in every language: direct, through a variable, text building, a function of the file, branches, loops, a
 * collection, a lambda, and the safe counterparts. A line that must be reported ends in `BAD`.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { languages, type Language } from '../../../subgraphs/compliance/engine/languages.js'
import { reachedLines } from './kit.js'

/** One text a language; a new language without one fails here. */
const samples = languages.map((language): [Language, string] => [
  language,
  readFileSync(new URL(`./languages/${language}.txt`, import.meta.url), 'utf8'),
])

describe('dataflow in every language', () => {
  it.each(samples)('%s: reports exactly the marked lines', async (language, code) => {
    const expected = code.split('\n').flatMap((line, at) => (/\bBAD\b/.test(line) ? [at + 1] : []))
    const actual = [...new Set(await reachedLines(language, code))]
    expect({
      missing: expected.filter((line) => !actual.includes(line)),
      extra: actual.filter((line) => !expected.includes(line)),
    }).toEqual({ missing: [], extra: [] })
  })

  it.each(['\r', '\r\n', 'mixed'])('finds the same lines under line ends %j', async (end) => {
    for (const [language, code] of samples) {
      const ends = ['\n', '\r', '\r\n']
      let at = 0
      const other = code.replaceAll('\n', () => (end === 'mixed' ? ends[at++ % 3]! : end))
      expect([language, await reachedLines(language, other)]).toEqual([language, await reachedLines(language, code)])
    }
  })
})
