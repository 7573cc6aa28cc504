/** Every example of every rule: the bad ones are found by exactly that rule, the good ones are not. */
import { afterAll, describe, expect, it } from 'vitest'
import { createScanner } from '../../../subgraphs/compliance/engine/index.js'
import type { Language } from '../../../subgraphs/compliance/engine/languages.js'
import { loadRules } from '../../../subgraphs/compliance/engine/rulebook/load.js'

const scanner = createScanner({
  analyzers: 2,
  keepRepeats: true,
  limits: { maxFiles: 100_000, scanTimeoutMs: 120_000, maxBatchBytes: 1e9 },
})
afterAll(() => scanner.close())

interface Example {
  readonly ruleId: string
  readonly isBad: boolean
  readonly language: Language
  readonly code: string
}

const examples = (only?: string): Example[] =>
  loadRules()
    .filter(({ file }) => only === undefined || file === only)
    .flatMap(({ rule }) => {
      const [first = 'javascript'] = rule.languages
      const read = (isBad: boolean, list: typeof rule.examples.bad): Example[] =>
        list.map((one) =>
          typeof one === 'string' ? { ruleId: rule.id, isBad, language: first, code: one } : { ruleId: rule.id, isBad, ...one },
        )
      return [...read(true, rule.examples.bad), ...read(false, rule.examples.good)]
    })

const files = [...new Set(loadRules().map(({ file }) => file))]

describe('rule examples', () => {
  it.each(files)('%s', async (file) => {
    const list = examples(file)
    const results = await scanner.scan(list.map(({ code, language }) => ({ code, language })))
    const wrong = list.flatMap((example, at) => {
      const found = results[at]?.violations.some((violation) => violation.ruleId === example.ruleId) === true
      if (found === example.isBad && results[at]?.error === null) return []
      const others = results[at]?.violations.map((violation) => violation.ruleId).join(', ')
      return [
        `${example.ruleId} (${example.language}) ${example.isBad ? 'missed' : 'wrongly found'} in:\n${example.code}\nfound: ${others}`,
      ]
    })
    expect(wrong.join('\n\n')).toBe('')
  })

  it('covers every rule with at least one bad and one good example in a language of the rule', () => {
    const languagesOf = new Map(loadRules().map(({ rule }) => [rule.id, rule.languages]))
    const foreign = examples().filter((example) => languagesOf.get(example.ruleId)?.includes(example.language) !== true)
    expect(foreign.map((example) => example.ruleId)).toEqual([])
  })
})
