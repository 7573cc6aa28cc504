/** What we print as SARIF is SARIF: every log fits the published JSON schema of version 2.1.0. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fileBody, type FileFields } from '../../src/edge/scan/scan-body.js'
import { sarifLog } from '../../src/edge/scan/scan-sarif.js'
import { createScanner } from '../../subgraphs/compliance/engine/index.js'
import { loadRules } from '../../subgraphs/compliance/engine/rulebook/load.js'
import { dangerous, flowing, harmless } from '../mcp/samples.js'

const require = createRequire(import.meta.url)
const file = require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')
// Written for draft 4 of JSON Schema, but for these two keywords nothing in it is other than today's.
const { $schema: _draft, id: _id, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false })
ajv.addFormat('uri', (text) => URL.canParse(text))
ajv.addFormat('uri-reference', /^[\w.!~*'():/?#[\]@$&+,;=%-]*$/)
ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)))
const validate = ajv.compile(schema)

function expectValid(files: readonly FileFields[]): void {
  // As a reader gets it.
  validate(JSON.parse(JSON.stringify(sarifLog(files.map(fileBody), '1.2.3'))))
  expect(validate.errors).toBeNull()
}

const scanner = createScanner({ analyzers: 1 })
afterAll(() => scanner.close())

/** Findings, a way of data, a suppression that is right and one that is wrong, a file that was cut short, and one that failed. */
let files: FileFields[]
beforeAll(async () => {
  const accepted = dangerous.replace(
    '    os',
    '    # compliance-ignore-next-line py-command-injection -- a tool for operators\n    os',
  )
  const fixed = loadRules().flatMap(({ rule }) =>
    rule.fix !== undefined && rule.languages[0] === 'python' ? rule.examples.bad : [],
  )
  const codes = [
    dangerous,
    flowing,
    harmless,
    accepted,
    `${dangerous}# compliance-ignore no-such-rule\n`,
    ...fixed.map((bad) => (typeof bad === 'string' ? bad : bad.code)),
  ]
  const results = await scanner.scan(codes.map((code, at) => ({ code, language: 'python' as const, filename: `src/${at} ä.py` })))
  const [first] = results
  files = [
    ...results,
    { ...first!, filename: 'cut.py', isTruncated: true, warnings: ['The analysis stopped early.'] },
    { ...first!, filename: 'failed.py', violations: [], error: 'The analysis of this file failed.' },
  ]
})

it('a log of all that a scan may say is valid, and says it', () => {
  expectValid(files)
  const { runs } = sarifLog(files.map(fileBody), '1.2.3') as {
    runs: [
      {
        results: { codeFlows?: object[]; properties: { fix?: string } }[]
        invocations: [{ toolExecutionNotifications: object[] }]
      },
    ]
  }
  const [{ results, invocations }] = runs
  expect(results.some(({ codeFlows }) => codeFlows !== undefined)).toBe(true)
  expect(results.some(({ properties }) => properties.fix !== undefined)).toBe(true)
  expect(invocations[0].toolExecutionNotifications).toMatchObject([
    { level: 'warning', message: { text: expect.stringContaining('no-such-rule') as string } },
    { level: 'warning', message: { text: 'The analysis stopped early.' } },
    { level: 'error', message: { text: 'The analysis of this file failed.' } },
  ])
})

it('a log without a file or a finding is valid', () => {
  expectValid([])
  expectValid(files.filter(({ violations }) => violations.length === 0))
})

it('a log is valid whatever a file is called and whatever its code says', () => {
  const text = fc.string({ unit: 'binary', minLength: 1 })
  fc.assert(
    fc.property(text, text, (filename, words) => {
      const [first] = files
      const violations = first!.violations.map((violation) => ({ ...violation, codeSnippet: words, message: words }))
      expectValid([{ ...first!, filename, violations, error: words, warnings: [words] }])
    }),
  )
})

it('the schema is held against the log: a result without a message and an unknown level are found', () => {
  const log = JSON.parse(JSON.stringify(sarifLog(files.map(fileBody), '1.2.3'))) as {
    runs: { results: { message?: object; level: string }[] }[]
  }
  delete log.runs[0]!.results[0]!.message
  log.runs[0]!.results[1]!.level = 'critical'
  expect(validate(log)).toBe(false)
  expect(validate.errors?.map(({ instancePath }) => instancePath)).toEqual(['/runs/0/results/0', '/runs/0/results/1/level'])
})
