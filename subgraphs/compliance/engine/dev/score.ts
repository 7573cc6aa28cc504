/**
 * Scores the rules on the development set: `node dist/subgraphs/compliance/engine/dev/score.js [folder] [--language x] [--verbose]`.
 *
 * File level: per file and CWE, was it expected and was it found. Line level: the same per line, with two lines of tolerance. A
 * finding of medium or higher that nothing expects is a false positive. Printed per language and per category.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseLanguage } from '../languages.js'
import type { FileResult } from '../report/file-result.js'
import { createScanner } from '../scanner.js'
import { type Case, isSameWeakness, loadCases } from './cases.js'

interface Count {
  found: number
  missed: number
  extra: number
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { language: { type: 'string' }, verbose: { type: 'boolean', default: false } },
})
const folder = resolve(positionals[0] ?? 'test/engine/cases')
const only = values.language === undefined ? undefined : parseLanguage(values.language)
const cases = loadCases(folder).filter((one) => only === undefined || one.language === only)
const scanner = createScanner({ limits: { maxFiles: 1_000_000, maxBatchBytes: 1e10, scanTimeoutMs: 3_600_000 } })
const categories = new Map(scanner.rules().flatMap((rule) => rule.cwe.map((cwe) => [cwe, rule.category] as const)))
const started = performance.now()
const results = await scanner.scan(
  cases.map(({ code, language, path }) => ({ code, language, filename: path.replace(/\.txt$/, '') })),
)
const seconds = (performance.now() - started) / 1000
await scanner.close()

const tables = { file: new Map<string, Count>(), line: new Map<string, Count>() }

function add(level: 'file' | 'line', keys: readonly string[], kind: keyof Count): void {
  for (const key of keys) {
    const count = tables[level].get(key) ?? { found: 0, missed: 0, extra: 0 }
    count[kind]++
    tables[level].set(key, count)
  }
}

const keysFor = (one: Case, cwe: number): string[] => [one.language, `  ${categories.get(cwe) ?? `CWE-${cwe}`}`, 'all']
const serious = (result: FileResult): FileResult['violations'] =>
  result.violations.filter((violation) => violation.severity !== 'low')

function scoreFile(one: Case, result: FileResult): void {
  const violations = serious(result)
  const expected = [...new Set(one.expected.map(({ cwe }) => cwe))]
  for (const cwe of expected) {
    const isFound = violations.some((violation) => violation.cwe.some((other) => isSameWeakness(cwe, other)))
    add('file', keysFor(one, cwe), isFound ? 'found' : 'missed')
    if (!isFound && values.verbose) print(`missed ${one.path} CWE-${cwe}`)
  }
  const extras = new Set(
    violations
      .filter((violation) => !expected.some((cwe) => violation.cwe.some((other) => isSameWeakness(cwe, other))))
      .map((violation) => violation.cwe[0] ?? 0),
  )
  for (const cwe of extras) {
    add('file', keysFor(one, cwe), 'extra')
    if (values.verbose)
      print(
        `extra  ${one.path} CWE-${cwe}: ${violations
          .filter((violation) => violation.cwe[0] === cwe)
          .map((violation) => `${violation.ruleId}:${violation.line}`)
          .join(' ')}`,
      )
  }
}

function scoreLines(one: Case, result: FileResult): void {
  const expected = one.expected.flatMap(({ cwe, line }) => (line === null ? [] : [{ cwe, line }]))
  if (expected.length === 0 && one.expected.length > 0) return
  const violations = serious(result)
  const isMatch = (want: { cwe: number; line: number }, violation: (typeof violations)[number]): boolean =>
    Math.abs(want.line - violation.line) <= 2 && violation.cwe.some((other) => isSameWeakness(want.cwe, other))
  for (const want of expected) {
    const isFound = violations.some((violation) => isMatch(want, violation))
    add('line', keysFor(one, want.cwe), isFound ? 'found' : 'missed')
    if (!isFound && values.verbose) print(`missed ${one.path}:${want.line} CWE-${want.cwe}`)
  }
  for (const violation of violations) {
    if (!expected.some((want) => isMatch(want, violation))) add('line', keysFor(one, violation.cwe[0] ?? 0), 'extra')
  }
}

for (const [at, one] of cases.entries()) {
  const result = results[at]
  if (result === undefined) continue
  if (result.error !== null) print(`error  ${one.path}: ${result.error}`)
  scoreFile(one, result)
  scoreLines(one, result)
}

for (const level of ['file', 'line'] as const) {
  print(`\n${level} level`.padEnd(30) + 'precision  recall     F1   cases')
  const rows = [...tables[level]].toSorted(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b))
  for (const [key, count] of rows) print(row(key, count))
}
const bytes = cases.reduce((sum, one) => sum + Buffer.byteLength(one.code), 0)
print(`\n${cases.length} files, ${(bytes / 1e6).toFixed(2)} MB in ${seconds.toFixed(1)} s`)

function rank(key: string): number {
  if (key === 'all') return 2
  return key.startsWith(' ') ? 1 : 0
}

function row(key: string, { found, missed, extra }: Count): string {
  const precision = found + extra === 0 ? 1 : found / (found + extra)
  const recall = found + missed === 0 ? 1 : found / (found + missed)
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  const cells = [precision, recall, f1].map((value) => value.toFixed(3).padStart(8)).join('')
  return `${key.padEnd(30)}${cells}${String(found + missed + extra).padStart(8)}`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
