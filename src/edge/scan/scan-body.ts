/**
 * The scanner's results with the field names of its contract: the one mapping that /api, the MCP tools and the command line
 * share. What the contract does not name is added behind what it does.
 */
import type {
  BatchScanBody,
  FileBody,
  FlowStepBody,
  HealthBody,
  RulesBody,
  ScanCodeBody,
  SeverityWord,
  SummaryBody,
  ViolationBody,
} from './scan-output.js'

/** A step of the way of data as the graph and the engine name its fields. */
interface FlowStepFields {
  readonly kind: string
  readonly message: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** A violation as the graph and the engine name its fields; severities may be in capitals. */
interface ViolationFields {
  readonly severity: string
  readonly confidence: string
  readonly standard: string
  readonly standards: readonly { readonly standard: string; readonly clause: string; readonly evidence: boolean }[]
  readonly ruleId: string
  readonly rule: string
  readonly cwe: readonly number[]
  readonly message: string
  readonly suggestion: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  readonly codeSnippet: string | null
  readonly fingerprint: string
  readonly fix: string | null
  readonly flow: readonly FlowStepFields[]
}

export interface SummaryFields {
  readonly totalViolations: number
  readonly critical: number
  readonly high: number
  readonly medium: number
  readonly low: number
}

export interface FileFields {
  readonly filename: string
  readonly violations: readonly ViolationFields[]
  readonly summary: SummaryFields
  readonly error: string | null
  readonly warnings: readonly string[]
  readonly isTruncated: boolean
}

const severityWord = (name: string): SeverityWord => name.toLowerCase() as SeverityWord
const cweName = (number: number): string => `CWE-${number}`

const flowStepBody = ({ kind, message, line, column, endLine, endColumn }: FlowStepFields): FlowStepBody => ({
  kind: kind.toLowerCase() as FlowStepBody['kind'],
  message,
  line,
  column,
  end_line: endLine,
  end_column: endColumn,
})

export const violationBody = (violation: ViolationFields): ViolationBody => ({
  severity: severityWord(violation.severity),
  standard: violation.standard,
  rule: violation.rule,
  message: violation.message,
  line: violation.line,
  column: violation.column,
  suggestion: violation.suggestion,
  ...(violation.codeSnippet !== null && { code_snippet: violation.codeSnippet }),
  rule_id: violation.ruleId,
  standards: violation.standards.map(({ standard, clause, evidence }) => `${standard} ${clause}${evidence ? ' (evidence)' : ''}`),
  cwe: violation.cwe.map(cweName),
  confidence: violation.confidence.toLowerCase() as ViolationBody['confidence'],
  end_line: violation.endLine,
  end_column: violation.endColumn,
  fingerprint: violation.fingerprint,
  ...(violation.fix !== null && { fix: violation.fix }),
  ...(violation.flow.length > 0 && { flow: violation.flow.map(flowStepBody) }),
})

const summaryBody = ({ totalViolations, critical, high, medium, low }: SummaryFields): SummaryBody => ({
  total_violations: totalViolations,
  critical,
  high,
  medium,
  low,
})

const findings = (file: FileFields): Omit<FileBody, 'filename'> => ({
  violations: file.violations.map(violationBody),
  summary: summaryBody(file.summary),
  ...(file.error !== null && { error: file.error }),
  ...(file.warnings.length > 0 && { warnings: [...file.warnings] }),
  ...(file.isTruncated && { is_truncated: true as const }),
})

export const fileBody = (file: FileFields): FileBody => ({ filename: file.filename, ...findings(file) })

export const scanCodeBody = (file: FileFields): ScanCodeBody => ({
  status: file.error === null ? 'completed' : 'error',
  ...findings(file),
})

/** A batch in which not one file could be analyzed has failed; an empty one has not. */
export const batchScanBody = (files: readonly FileFields[], overall: SummaryFields): BatchScanBody => ({
  status: files.length > 0 && files.every(({ error }) => error !== null) ? 'error' : 'completed',
  results: files.map(fileBody),
  overall_summary: summaryBody(overall),
})

interface RuleFields {
  readonly id: string
  readonly standard: string
  readonly category: string
  readonly severity: string
  readonly description: string
  readonly title: string
  readonly cwe: readonly number[]
  readonly languages: readonly string[]
  readonly suggestion: string
}

export const rulesBody = (rules: readonly RuleFields[]): RulesBody => ({
  rules: rules.map((rule) => ({
    id: rule.id,
    standard: rule.standard,
    category: rule.category,
    severity: severityWord(rule.severity),
    description: rule.description,
    title: rule.title,
    cwe: rule.cwe.map(cweName),
    languages: rule.languages.map((name) => name.toLowerCase()),
    suggestion: rule.suggestion,
  })),
  total_rules: rules.length,
})

interface HealthFields {
  readonly status: string
  readonly serverUrl: string
  readonly latencyMs: number
  readonly version: string
}

export const healthBody = ({ status, serverUrl, latencyMs, version }: HealthFields): HealthBody => ({
  status: status.toLowerCase() as HealthBody['status'],
  server_url: serverUrl,
  latency_ms: latencyMs,
  version,
})
