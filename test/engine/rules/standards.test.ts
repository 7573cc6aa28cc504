/** The mapping to standards: what the publishers list, which edition, which clauses, and what is only evidence. */
import { describe, expect, it } from 'vitest'
import { createScanner } from '../../../subgraphs/compliance/engine/index.js'
import {
  clausesOf,
  currentStandards,
  loadStandards,
  selectStandards,
  type Standard,
} from '../../../subgraphs/compliance/engine/report/standards.js'
import { loadRules } from '../../../subgraphs/compliance/engine/rulebook/load.js'
import { cweTop25, owaspTop10 } from './published-standards.js'

const standards = loadStandards()
const rules = loadRules().map(({ rule }) => rule)
const named = (name: string): Standard => selectStandards([name], standards)[0]!
const clauseIds = (name: string, rule: { cwe: number[]; category: string }): string[] =>
  clausesOf(rule, [named(name)]).map(({ clause }) => clause)

describe('the lists of the publishers', () => {
  it('OWASP Top 10: each of the ten has the CWEs that OWASP gives it, and no other', () => {
    const { edition, clauses } = named('OWASP Top 10')
    const ten = clauses.filter(({ id }) => id.startsWith('A'))
    expect(edition).toBe(owaspTop10.edition)
    expect(Object.fromEntries(ten.map(({ id, cwe }) => [id, cwe]))).toEqual(owaspTop10.clauses)
    expect(ten.map(({ cwe }) => cwe.length)).toEqual(owaspTop10.counts)
  })

  it('OWASP Top 10: what stands beside the ten says so and claims no CWE', () => {
    const beside = named('OWASP Top 10').clauses.filter(({ id }) => !id.startsWith('A'))
    for (const { title, cwe } of beside) expect([title, cwe]).toEqual([expect.stringContaining('outside of the ten'), []])
  })

  it('CWE Top 25: the 25 in the order of their ranks, each holding itself', () => {
    const { edition, clauses } = named('CWE Top 25')
    expect([edition, clauses.map(({ id }) => id)]).toEqual([cweTop25.edition, cweTop25.ranks.map((cwe) => `CWE-${cwe}`)])
    for (const { id, cwe } of clauses) expect(cwe).toContain(Number(id.slice(4)))
  })

  it('a rule whose CWE is listed gets the clauses of the list and none of its category', () => {
    expect(clauseIds('OWASP Top 10', { cwe: [942], category: 'cors' })).toEqual(['A02:2025'])
    expect(clauseIds('OWASP Top 10', { cwe: [295], category: 'tls' })).toEqual(['A07:2025'])
    expect(clauseIds('OWASP Top 10', { cwe: [347], category: 'authentication' })).toEqual(['A04:2025'])
    expect(clauseIds('OWASP Top 10', { cwe: [943], category: 'injection' })).toEqual(['A05:2025'])
    expect(clauseIds('CWE Top 25', { cwe: [347], category: 'authentication' })).toEqual([])
  })
})

describe('editions', () => {
  it('every standard names its edition and a dated source', () => {
    for (const { edition, source } of standards) {
      expect(edition).not.toBe('')
      expect(source.date).toMatch(/^\d{4}(?:-\d\d){0,2}$/)
      expect(source.url).toMatch(/^https:/)
    }
  })

  it('the ones in force are checked when none is named', () => {
    expect(currentStandards(standards).map(({ name, edition }) => `${name} | ${edition}`)).toEqual([
      'OWASP Top 10 | 2025',
      'CWE Top 25 | 2025',
      'PCI DSS 4.0.1 | 4.0.1',
      'HIPAA | 2013',
      'GDPR | 2016',
      'SOC 2 | 2022',
      'ISO 27001 | 2022',
      'NIST 800-53 | Revision 5, release 5.2.0',
      'Secure Coding | 2.1',
      'ASVS 5.0.0 | 5.0.0',
    ])
  })

  it.each([
    ['owasp top 10', 'OWASP Top 10'],
    ['OWASP Top 10 2025', 'OWASP Top 10'],
    ['OWASP Top 10:2025', 'OWASP Top 10'],
    ['owasp top 10 2021', 'OWASP Top 10:2021'],
    ['cwe top 25 2025', 'CWE Top 25'],
    ['CWE Top 25:2024', 'CWE Top 25:2024'],
    ['PCI DSS 4.0', 'PCI DSS 4.0.1'],
    ['pci dss', 'PCI DSS 4.0.1'],
    ['ISO 27001:2022', 'ISO 27001'],
    ['hipaa', 'HIPAA'],
    ['asvs', 'ASVS 5.0.0'],
    ['secure coding', 'Secure Coding'],
  ])('%s is %s', (name, expected) => {
    expect(named(name).name).toBe(expected)
  })

  it('no name belongs to two', () => {
    const normal = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
    const names = standards.flatMap(({ name, edition, aliases }) => [
      ...new Set([name, `${name} ${edition}`, ...aliases].map(normal)),
    ])
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('an older one has its own clauses, in scans and among the rules', async () => {
    const scanner = createScanner({ analyzers: 1 })
    try {
      const code = 'def f(request):\n    return requests.get(request.GET["u"])\n'
      const clauses = async (name: string) =>
        (await scanner.scan([{ code, language: 'python' }], { standards: [name] }))[0]?.violations.map(
          (one) => one.standards[0]?.clause,
        )
      expect(await clauses('OWASP Top 10 2021')).toEqual(['A10:2021'])
      expect(await clauses('owasp top 10')).toEqual(['A01:2025'])
      const of2021 = scanner.rules('OWASP Top 10:2021').flatMap((rule) => rule.standards.map(({ clause }) => clause))
      expect(of2021.every((clause) => clause.endsWith(':2021'))).toBe(true)
    } finally {
      await scanner.close()
    }
  })
})

describe('clauses', () => {
  it('every category of a rule is in some standard, and every rule has a clause in PCI DSS and ISO 27001', () => {
    const known = new Set(standards.flatMap(({ clauses }) => clauses.flatMap(({ categories }) => categories)))
    expect(rules.filter(({ category }) => !known.has(category)).map(({ id }) => id)).toEqual([])
    for (const name of ['PCI DSS', 'HIPAA', 'GDPR', 'SOC 2', 'ISO 27001', 'NIST 800-53', 'Secure Coding', 'ASVS']) {
      const without = rules.filter((rule) => clausesOf(rule, [named(name)]).length === 0).map(({ id }) => id)
      expect([name, without]).toEqual([name, []])
    }
  })

  it.each([
    ['PCI DSS', { cwe: [327], category: 'crypto' }, ['6.2.4']],
    ['PCI DSS', { cwe: [916], category: 'crypto' }, ['6.2.4', '8.3.2']],
    ['PCI DSS', { cwe: [798], category: 'secrets' }, ['6.2.4', '8.6.2']],
    ['PCI DSS', { cwe: [613], category: 'session' }, ['6.2.4', '8.2.8']],
    ['PCI DSS', { cwe: [1004], category: 'cookies' }, ['6.2.4']],
    ['PCI DSS', { cwe: [778], category: 'logging' }, ['6.2.4', '10.2.1']],
    ['HIPAA', { cwe: [613], category: 'session' }, ['164.312(a)(2)(iii)', '164.312(d)']],
    ['GDPR', { cwe: [400], category: 'resource' }, ['Art. 32(1)(b)']],
    ['SOC 2', { cwe: [416], category: 'memory' }, ['CC8.1']],
    ['ISO 27001', { cwe: [321], category: 'secrets' }, ['A.8.28', 'A.8.24', 'A.5.17']],
    ['NIST 800-53', { cwe: [321], category: 'crypto' }, ['SC-12', 'SC-13']],
    ['Secure Coding', { cwe: [22], category: 'path' }, ['files']],
  ])('%s of %j: %j', (name, rule, expected) => {
    expect(clauseIds(name, rule)).toEqual(expected)
  })

  it('what code can only give evidence for says so', () => {
    const evidence = currentStandards(standards).flatMap(({ name, clauses }) =>
      clauses.filter((clause) => clause.evidence).map(({ id }) => `${name} ${id}`),
    )
    expect(evidence).toEqual(
      expect.arrayContaining(['PCI DSS 4.0.1 8.2.8', 'HIPAA 164.502(b)', 'SOC 2 CC7.2', 'ISO 27001 A.8.9', 'NIST 800-53 SI-16']),
    )
    expect(evidence.filter((one) => /^(?:OWASP|CWE|Secure)/.test(one))).toEqual([])
  })
})
