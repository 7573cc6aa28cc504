/** The output formats of `sluice scan`. Each is a pure function of the results. */
import { createHash } from 'node:crypto'
import { styleText } from 'node:util'
import type { BatchScanBody, FileBody, SeverityWord, ViolationBody } from '../../edge/scan/scan-output.js'
import { sarifLog } from '../../edge/scan/scan-sarif.js'
import type { ScanFormat } from './scan-format.js'

export interface FormatOptions {
  /** Of this program, for SARIF. */
  readonly version: string
  /** For `text` only. */
  readonly hasColors: boolean
}

/** The whole report, without a line end behind it. */
export function formatScan(format: ScanFormat, body: BatchScanBody, { version, hasColors }: FormatOptions): string {
  if (format === 'json') return JSON.stringify(body, null, 2)
  if (format === 'sarif') return JSON.stringify(sarifLog(body.results, version), null, 2)
  if (format === 'junit') return junit(body)
  if (format === 'gitlab') return JSON.stringify(body.results.flatMap(codeQuality), null, 2)
  return text(body, hasColors)
}

const COLORS = { critical: ['bold', 'red'], high: ['red'], medium: ['yellow'], low: ['dim'] } as const

function text({ results, overall_summary: summary }: BatchScanBody, hasColors: boolean): string {
  const painted = (severity: SeverityWord) => (hasColors ? styleText([...COLORS[severity]], severity) : severity)
  const groups = results.flatMap(({ filename, violations, error, warnings }) => {
    const lines = [
      ...violations.flatMap((violation) => [
        `  ${filename}:${violation.line}:${violation.column}: ${painted(violation.severity)}: ${violation.rule}`,
        ...(violation.code_snippet === undefined ? [] : [`    | ${violation.code_snippet}`]),
        ...flowLines(violation),
        `    ${violation.message}`,
        `    Fix: ${violation.suggestion}`,
        `    Breaks: ${violation.standards.join(', ')}`,
      ]),
      ...(error === undefined ? [] : [`  ${filename}: ${error}`]),
      ...(warnings ?? []).map((warning) => `  ${filename}: ${warning}`),
    ]
    return lines.length === 0 ? [] : [[hasColors ? styleText('bold', filename) : filename, ...lines, '']]
  })
  const { total_violations: total, critical, high, medium, low } = summary
  const files = `${results.length} ${results.length === 1 ? 'file' : 'files'}`
  const counts = `${critical} critical, ${high} high, ${medium} medium, ${low} low`
  return [...groups.flat(), `${files}, ${total} ${total === 1 ? 'violation' : 'violations'}: ${counts}.`].join('\n')
}

/** The steps of the data; a way that begins and ends on the line that is shown already says nothing more. */
function flowLines({ flow = [], line }: ViolationBody): string[] {
  if (flow.every((step) => step.line === line)) return []
  return flow.map((step) => `      ${step.line}:${step.column}: ${step.message}`)
}

function junit({ results, overall_summary: { total_violations: total } }: BatchScanBody): string {
  const suites = results.map((file) => ({ cases: cases(file), file }))
  const tests = suites.reduce((sum, suite) => sum + suite.cases.length, 0)
  const head = `<testsuites name="sluice scan" tests="${tests}" failures="${total}">`
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites.map(testSuite), '</testsuites>'].join('\n')
}

/** A violation is a test that failed, a file without one a test that passed, and an analysis that stopped early one that was skipped. */
function cases({ filename, violations, error, warnings = [], is_truncated: isTruncated }: FileBody): string[] {
  const analysis = (outcome: string) => `    <testcase classname="${xml(filename)}" name="analysis">${outcome}</testcase>`
  if (error !== undefined) return [analysis(`<error message="${xml(error)}"/>`)]
  const found = violations.map((violation) => failure(filename, violation))
  if (isTruncated) return [...found, analysis(`<skipped message="${xml(warnings.join(' '))}"/>`)]
  return found.length > 0 ? found : [`    <testcase classname="${xml(filename)}" name="no violations"/>`]
}

function testSuite({ file, cases }: { readonly file: FileBody; readonly cases: readonly string[] }): string {
  const { filename, violations, error, warnings = [], is_truncated: isTruncated } = file
  const failed = error === undefined ? violations.length : 0
  const skipped = isTruncated ? ' skipped="1"' : ''
  const counts = `tests="${cases.length}" failures="${failed}" errors="${error === undefined ? 0 : 1}"${skipped}`
  const said = warnings.length === 0 ? [] : [`    <system-err>${xml(warnings.join('\n'))}</system-err>`]
  return [`  <testsuite name="${xml(filename)}" ${counts}>`, ...cases, ...said, '  </testsuite>'].join('\n')
}

function failure(filename: string, violation: ViolationBody): string {
  const { line, column, rule, rule_id: id, severity, message, suggestion } = violation
  const body = [`${filename}:${line}:${column}`, message, suggestion, ...flowLines(violation)].join('\n')
  return [
    `    <testcase classname="${xml(filename)}" name="${xml(`${id} at line ${line}, column ${column}`)}">`,
    `      <failure type="${severity}" message="${xml(rule)}">${xml(body)}</failure>`,
    '    </testcase>',
  ].join('\n')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
}

/** XML 1.0 has no way to write most control characters, so they are replaced. */
const xml = (value: string): string =>
  value
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replaceAll(/[&<>"'\n]/g, (character) => ENTITIES[character] ?? character)

const QUALITY_SEVERITY: Readonly<Record<SeverityWord, string>> = {
  critical: 'blocker',
  high: 'critical',
  medium: 'major',
  low: 'minor',
}

/** One sentence, as GitLab shows no more than the description. */
const wayOfData = (violation: ViolationBody): string[] => {
  const steps = flowLines(violation).map((step) => step.trim())
  return steps.length === 0 ? [] : [`The way of the data: ${steps.join('; ')}.`]
}

/** GitLab's code quality report, which has no other place for what a reader must know of a file than one more issue. */
const codeQuality = ({ filename, violations, error, warnings = [] }: FileBody): object[] => [
  ...violations.map((violation) => ({
    description: [`${violation.rule}. ${violation.message} ${violation.suggestion}`, ...wayOfData(violation)].join(' '),
    check_name: violation.rule_id,
    fingerprint: uniqueInProject(filename, violation.fingerprint),
    severity: QUALITY_SEVERITY[violation.severity],
    location: { path: filename, lines: { begin: violation.line, end: violation.end_line } },
  })),
  ...[...(error === undefined ? [] : [error]), ...warnings].map((description) => ({
    description,
    check_name: 'scan',
    fingerprint: uniqueInProject(filename, description),
    severity: 'info',
    location: { path: filename, lines: { begin: 1 } },
  })),
]

/** Fingerprints of ours are unique in a file. */
const uniqueInProject = (filename: string, fingerprint: string): string =>
  createHash('sha256').update(`${filename}\0${fingerprint}`).digest('hex').slice(0, 40)
