/**
 * The same idiom in several languages: every file of `samples` holds blocks that begin with `=== language name`.
 * Exactly the lines that end in `BAD` must be reported.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseLanguage } from '../../../subgraphs/compliance/engine/languages.js'
import { reachedLines } from './kit.js'

const folder = new URL('./samples/', import.meta.url)

describe.each(readdirSync(folder))('%s', (file) => {
  const blocks = readFileSync(new URL(file, folder), 'utf8').split(/^=== /m).slice(1)
  const samples = blocks.map((block): [string, string] => {
    const end = block.indexOf('\n')
    return [block.slice(0, end), block.slice(end + 1)]
  })
  it.each(samples)('%s', async (name, code) => {
    const language = parseLanguage(name.split(' ')[0] ?? '')
    const expected = code.split('\n').flatMap((line, at) => (/\bBAD\b/.test(line) ? [at + 1] : []))
    expect([...new Set(await reachedLines(language ?? 'javascript', code))].toSorted((a, b) => a - b)).toEqual(expected)
  })
})
