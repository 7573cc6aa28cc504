/** What happens to findings: standards, fingerprints, comments, project configuration. */
import { afterAll, describe, expect, it } from 'vitest'
import { createScanner, type Language, parseConfig } from '../../subgraphs/compliance/engine/index.js'
import { ManualClock } from '../kit/manual-clock.js'

const clock = new ManualClock()
const scanner = createScanner({ analyzers: 1, clock })
afterAll(() => scanner.close())

const code = `const { exec } = require('child_process')
function run(req, res) {
  exec('ls ' + req.query.dir)
}
`
const scan = async (text: string, options = {}) => {
  const [result] = await scanner.scan([{ code: text, language: 'javascript' }], options)
  if (result === undefined) throw new Error('no result')
  return result
}

describe('a violation', () => {
  it('carries the contract fields and what is known beyond them', async () => {
    const { violations, filename } = await scan(code)
    expect(filename).toBe('main.js')
    expect(violations).toHaveLength(1)
    expect(violations[0]).toMatchObject({
      ruleId: 'js-command-injection',
      rule: expect.stringMatching(/^js-command-injection: .* \(CWE-78/),
      severity: 'critical',
      standard: 'OWASP Top 10',
      cwe: expect.arrayContaining([78]),
      line: 3,
      column: 3,
      endLine: 3,
      codeSnippet: "exec('ls ' + req.query.dir)",
    })
  })

  it('names the first requested standard that its rule maps to', async () => {
    const { violations } = await scan(code, { standards: ['GDPR', 'cwe top 25'] })
    expect(violations[0]?.standard).toBe('GDPR')
    expect([...new Set(violations[0]?.standards.map((clause) => clause.standard))]).toEqual(['GDPR', 'CWE Top 25'])
  })

  it('keeps its fingerprint when lines move and blanks change', async () => {
    const moved = `\n\n${code.replace("exec('ls ' +", "exec('ls '   +")}`
    const [before, after] = [await scan(code), await scan(moved)]
    expect(after.violations[0]?.line).toBe(5)
    expect(after.violations[0]?.fingerprint).toBe(before.violations[0]?.fingerprint)
  })

  it('has a fingerprint of its own for every occurrence', async () => {
    const twice = code.replace("  exec('ls ' + req.query.dir)", "  exec('ls ' + req.query.dir)\n  exec('ls ' + req.query.dir)")
    const { violations } = await scan(twice)
    expect(new Set(violations.map((violation) => violation.fingerprint)).size).toBe(2)
  })
})

describe('suppression comments', () => {
  it('accept a finding on their line by rule or by CWE', async () => {
    for (const id of ['js-command-injection', 'CWE-78', 'other-rule, cwe-78']) {
      const { violations, suppressed } = await scan(
        code.replace('req.query.dir)', `req.query.dir) // compliance-ignore ${id} -- reviewed`),
      )
      expect([violations.length, suppressed]).toEqual([0, 1])
    }
  })

  it('accept a finding on the next line', async () => {
    const { violations } = await scan(code.replace('  exec(', '  // compliance-ignore-next-line CWE-78\n  exec('))
    expect(violations).toEqual([])
  })

  it.each(['\r', '\r\n'])('count lines under the line end %j', async (end) => {
    const { violations } = await scan(
      code.replace('  exec(', '  // compliance-ignore-next-line CWE-78\n  exec(').replaceAll('\n', end),
    )
    expect(violations).toEqual([])
    const [open] = (await scan(code.replaceAll('\n', end))).violations
    expect(open).toMatchObject({ line: 3, column: 3, codeSnippet: "exec('ls ' + req.query.dir)" })
  })

  it('warn about an unknown rule and ignore nothing', async () => {
    const { violations, warnings } = await scan(
      code.replace('req.query.dir)', 'req.query.dir) // compliance-ignore js-comand-injection'),
    )
    expect(violations).toHaveLength(1)
    expect(warnings).toEqual(['Line 3: compliance-ignore names the unknown rule "js-comand-injection".'])
  })

  it('have no effect without a name', async () => {
    const { violations, warnings } = await scan(code.replace('req.query.dir)', 'req.query.dir) // compliance-ignore'))
    expect([violations.length, warnings.length]).toEqual([1, 1])
  })
})

describe('project configuration', () => {
  it('switches rules off, changes severities and applies the threshold', async () => {
    expect((await scan(code, { config: parseConfig('rules: { js-command-injection: off }') })).violations).toEqual([])
    expect((await scan(code, { config: parseConfig('rules: { CWE-78: low }') })).violations[0]?.severity).toBe('low')
    expect((await scan(code, { config: parseConfig('rules: { injection: low }\nthreshold: medium') })).violations).toEqual([])
  })

  it('accepts fingerprints until they expire', async () => {
    const fingerprint = (await scan(code)).violations[0]?.fingerprint
    const config = parseConfig(`ignore: [{ fingerprint: '${fingerprint}', reason: reviewed, expires: '2999-01-01' }]`)
    const expired = parseConfig(`ignore: [{ fingerprint: '${fingerprint}', reason: reviewed, expires: '1969-01-01' }]`)
    expect((await scan(code, { config })).violations).toEqual([])
    expect((await scan(code, { config: expired })).violations).toHaveLength(1)
  })

  it('adds sources, sinks and sanitizers of the project', async () => {
    const own = `function f() { runQuery('SELECT ' + readInput()) }`
    const config = parseConfig('sources: [{ call: readInput }]\nsinks: [{ kind: sql, call: runQuery }]')
    const safe = parseConfig(
      'sources: [{ call: readInput }]\nsinks: [{ kind: sql, call: runQuery }]\nsanitizers: [{ call: readInput, kinds: all }]',
    )
    expect((await scan(own)).violations).toEqual([])
    expect((await scan(own, { config })).violations.map((violation) => violation.ruleId)).toEqual(['js-sql-injection'])
    expect((await scan(own, { config: safe })).violations).toEqual([])
  })

  it('is refused with the field at fault', () => {
    expect(() => parseConfig('rules: { a: loud }')).toThrow(/rules\.a/)
    expect(() => parseConfig('unknown: 1')).toThrow(/not valid/)
    expect(() => parseConfig('standards: [nope]')).toThrow(
      /not valid at "standards\.0": Unknown standard "nope"\. Known standards: /,
    )
  })
})

describe('one weakness', () => {
  const idsOf = async (language: Language, text: string, config = parseConfig('')) => {
    const [result] = await scanner.scan([{ code: text, language }], { config })
    return (result?.violations ?? []).map((violation) => `${violation.line} ${violation.ruleId}`)
  }
  const twice = 'from flask import request\nimport yaml\n\ndef f():\n    return yaml.load(request.data)\n'

  it('is said once of a line by the same rule, and again of the next one', async () => {
    const call = "exec('ls ' + req.query.a)"
    const { violations } = await scan(code.replace("exec('ls ' + req.query.dir)", `${call}; ${call}\n  ${call}`))
    expect(violations.map(({ line, column }) => [line, column])).toEqual([
      [3, 3],
      [4, 3],
    ])
  })

  it('is said once of a file that a script writes again and again', async () => {
    const text = 'echo a > /tmp/report.txt\necho b >> /tmp/report.txt\necho c >> "/tmp/other.txt"\n'
    const [result] = await scanner.scan([{ code: text, language: 'bash' }])
    const lines = result?.violations.filter(({ ruleId }) => ruleId === 'sh-temp-file').map(({ line }) => line)
    expect(lines).toEqual([1, 3])
  })

  it('is reported once when several rules see it in the same call, by the most severe', async () => {
    expect(await idsOf('python', twice)).toEqual(['5 py-unsafe-deserialization'])
  })

  it('is reported by the other rule when the first is switched off', async () => {
    const config = parseConfig('rules: { py-unsafe-deserialization: off }')
    expect(await idsOf('python', twice, config)).toEqual(['5 py-yaml-load'])
  })

  it.each<[string, Language, string, number[]]>([
    [
      'a Go variable',
      'go',
      'package main\nimport "github.com/golang-jwt/jwt/v5"\nvar jwtKey = []byte("my_secret_key_2021x")\nfunc Sign(t *jwt.Token) (string, error) { return t.SignedString(jwtKey) }\n',
      [3],
    ],
    [
      'a JavaScript constant',
      'javascript',
      "const jwt = require('jsonwebtoken')\nconst JWT_SECRET = 'fj39dk20sl45mz'\nfunction f(t) { return jwt.verify(t, JWT_SECRET) }\n",
      [2],
    ],
    [
      'two secrets',
      'javascript',
      "const jwt = require('jsonwebtoken')\nconst JWT_SECRET = 'fj39dk20sl45mz'\nfunction f(t) { return jwt.verify(t, 'ak39sm20dlw1x') }\n",
      [2, 3],
    ],
  ])('is reported at the constant, not at its uses: %s', async (_, language, text, lines) => {
    expect((await idsOf(language, text)).map((one) => Number(one.split(' ')[0]))).toEqual(lines)
  })
})

describe('the scanner', () => {
  it('is healthy when an analyzer answers', async () => {
    const health = await scanner.health()
    expect(health.status).not.toBe('down')
    expect(health.latencyMs).toBeGreaterThan(0)
  })

  it('lists rules with their standards, filtered by one', () => {
    const all = scanner.rules()
    const owasp = scanner.rules('owasp')
    expect(owasp.length).toBeGreaterThan(0)
    expect(owasp.length).toBeLessThanOrEqual(all.length)
    expect(owasp.every((rule) => rule.standards.every((clause) => clause.standard === 'OWASP Top 10'))).toBe(true)
  })
})
