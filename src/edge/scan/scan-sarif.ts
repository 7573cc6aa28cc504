/** Scan results as SARIF 2.1.0, which code hosts and editors read. */
import type { FileBody, FlowStepBody, SeverityWord, ViolationBody } from './scan-output.js'

const LEVELS: Readonly<Record<SeverityWord, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
}

/** Code hosts sort by this number and name its bands like our severities. */
const SECURITY_SEVERITY: Readonly<Record<SeverityWord, string>> = { critical: '9.5', high: '8.0', medium: '5.5', low: '2.0' }

export const SARIF_TYPE = 'application/sarif+json'

/** One run over all files. A file that could not be analyzed is a notification of a run that did not succeed; a warning is one too. */
export function sarifLog(files: readonly FileBody[], version: string): object {
  const rules = new Map<string, object>()
  const indexes = new Map<string, number>()
  const results = files.flatMap(({ filename, violations }) =>
    violations.map((violation) => {
      const { rule_id: id } = violation
      if (!indexes.has(id)) {
        indexes.set(id, rules.size)
        rules.set(id, reportingDescriptor(violation))
      }
      return result(violation, filename, indexes.get(id) ?? 0)
    }),
  )
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Sluice', version, semanticVersion: version, rules: [...rules.values()] } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: files.every(({ error }) => error === undefined),
            toolExecutionNotifications: files.flatMap(notifications),
          },
        ],
        results,
      },
    ],
  }
}

/** What a reader of the results must know of a file: that it failed, was not analyzed to its end, or has a comment that is wrong. */
function notifications({ filename, error, warnings = [] }: FileBody): object[] {
  const locations = [{ physicalLocation: { artifactLocation: artifact(filename) } }]
  return [
    ...(error === undefined ? [] : [{ level: 'error', message: { text: error }, locations }]),
    ...warnings.map((warning) => ({ level: 'warning', message: { text: warning }, locations })),
  ]
}

function reportingDescriptor(violation: ViolationBody): object {
  return {
    id: violation.rule_id,
    shortDescription: { text: violation.rule },
    ...helpUri(violation.cwe[0]),
    help: { text: violation.suggestion },
    defaultConfiguration: { level: LEVELS[violation.severity] },
    properties: { tags: ['security', ...violation.cwe], 'security-severity': SECURITY_SEVERITY[violation.severity] },
  }
}

/** Where the weakness is explained: "CWE-89" at MITRE. */
const helpUri = (cwe: string | undefined): { helpUri?: string } =>
  cwe === undefined ? {} : { helpUri: `https://cwe.mitre.org/data/definitions/${cwe.slice('CWE-'.length)}.html` }

function result(violation: ViolationBody, filename: string, ruleIndex: number): object {
  return {
    ruleId: violation.rule_id,
    ruleIndex,
    level: LEVELS[violation.severity],
    message: { text: `${violation.message} ${violation.suggestion}` },
    locations: [{ physicalLocation: { artifactLocation: artifact(filename), region: region(violation) } }],
    ...codeFlows(violation.flow, filename),
    partialFingerprints: { 'sluice/v1': violation.fingerprint },
    properties: {
      severity: violation.severity,
      confidence: violation.confidence,
      standard: violation.standard,
      standards: violation.standards,
      ...(violation.fix !== undefined && { fix: violation.fix }),
    },
  }
}

/** The way of the data, one location a step. */
function codeFlows(steps: readonly FlowStepBody[] | undefined, filename: string): object {
  if (steps === undefined || steps.length === 0) return {}
  const locations = steps.map((step) => ({
    location: {
      physicalLocation: { artifactLocation: artifact(filename), region: place(step) },
      message: { text: step.message },
    },
    kinds: ['taint', step.kind],
  }))
  return { codeFlows: [{ threadFlows: [{ locations }] }] }
}

const place = (of: Pick<FlowStepBody, 'line' | 'column' | 'end_line' | 'end_column'>): object => ({
  startLine: of.line,
  startColumn: of.column,
  endLine: of.end_line,
  endColumn: of.end_column,
})

const region = (violation: ViolationBody): object => ({
  ...place(violation),
  ...(violation.code_snippet !== undefined && { snippet: { text: violation.code_snippet } }),
})

/** A file name as a relative URI reference: "a:b.js" must not become the scheme "a". */
function artifact(filename: string): object {
  const parts = filename.toWellFormed().replaceAll('\\', '/').split('/')
  return { uri: parts.map((part) => encodeURIComponent(part)).join('/') }
}
