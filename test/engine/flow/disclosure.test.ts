/** Secrets and personal data on their way to logs, by the shipped rules. A line that must be reported ends in `BAD`. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { languages } from '../../../subgraphs/compliance/engine/languages.js'
import { createScanner } from '../../../subgraphs/compliance/engine/scanner.js'

const folder = new URL('./disclosure/', import.meta.url)
const texts = languages.flatMap((language) =>
  readdirSync(folder).includes(`${language}.txt`)
    ? [{ language, code: readFileSync(new URL(`${language}.txt`, folder), 'utf8'), filename: 'main' }]
    : [],
)

describe('what leaves the program in clear', () => {
  it('reports exactly the marked lines', async () => {
    const scanner = createScanner({ limits: { scanTimeoutMs: 60_000 } })
    const results = await scanner.scan(texts)
    await scanner.close()
    const lines = results.map(({ violations }, at) => {
      const found = violations.filter(({ cwe, severity }) => severity !== 'low' && cwe.includes(532))
      return [texts[at]!.language, [...new Set(found.map(({ line }) => line))].sort((a, b) => a - b)]
    })
    const marked = texts.map(({ language, code }) => [
      language,
      code.split('\n').flatMap((line, at) => (/\bBAD\b/.test(line) ? [at + 1] : [])),
    ])
    expect(Object.fromEntries(lines)).toEqual(Object.fromEntries(marked))
  })
})
