/** Raw findings -> violations: rule text, standards, fingerprints, summaries. */
import { createHash } from 'node:crypto'
import type { RawFinding, RawStep } from '../analyzer/scan-file.js'
import type { Confidence, Rule, Severity } from '../rulebook/schema.js'
import { type Clause, clausesOf, type Standard } from './standards.js'

export interface Violation {
  readonly ruleId: string
  /** `js-sql-injection: SQL built from untrusted data (CWE-89)`. */
  readonly rule: string
  readonly severity: Severity
  readonly confidence: Confidence
  /** The first requested standard that the rule maps to. */
  readonly standard: string
  readonly standards: readonly Clause[]
  readonly cwe: readonly number[]
  readonly category: string
  readonly message: string
  readonly suggestion: string
  /** 1-based; columns count UTF-16 code units. */
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  readonly codeSnippet: string
  /** Stable under moves of the code: rule, normalised line, enclosing function, occurrence. */
  readonly fingerprint: string
  readonly fix: string | null
  /** The way of the data from its source to the sink; empty when dataflow has no part in it. */
  readonly flow: readonly RawStep[]
}

export interface ViolationSummary {
  readonly totalViolations: number
  readonly critical: number
  readonly high: number
  readonly medium: number
  readonly low: number
}

export function summarize(violations: readonly Pick<Violation, 'severity'>[]): ViolationSummary {
  const count = (severity: Severity): number => violations.filter((violation) => violation.severity === severity).length
  return {
    totalViolations: violations.length,
    critical: count('critical'),
    high: count('high'),
    medium: count('medium'),
    low: count('low'),
  }
}

/** Sums of summaries. */
export function addSummaries(summaries: readonly ViolationSummary[]): ViolationSummary {
  const sum = (key: keyof ViolationSummary): number => summaries.reduce((total, summary) => total + summary[key], 0)
  return {
    totalViolations: sum('totalViolations'),
    critical: sum('critical'),
    high: sum('high'),
    medium: sum('medium'),
    low: sum('low'),
  }
}

const ruleTitle = (rule: Rule): string => `${rule.id}: ${rule.title} (CWE-${rule.cwe[0]})`

/** Violations in source order. Findings of rules outside of the requested standards are left out. */
export function buildViolations(
  findings: readonly RawFinding[],
  rules: ReadonlyMap<string, Rule>,
  standards: readonly Standard[],
): Violation[] {
  const occurrences = new Map<string, number>()
  return findings.flatMap((finding): Violation[] => {
    const rule = rules.get(finding.ruleId)
    if (rule === undefined) return []
    const clauses = clausesOf(rule, standards)
    const standard = clauses[0]?.standard
    if (standard === undefined) return []
    const context = `${rule.id}\0${finding.snippet.replaceAll(/\s+/g, ' ')}\0${finding.functionName}`
    const occurrence = occurrences.get(context) ?? 0
    occurrences.set(context, occurrence + 1)
    const from =
      finding.source !== null && finding.source.line !== finding.line ? ` The data comes from line ${finding.source.line}.` : ''
    return [
      {
        ruleId: rule.id,
        rule: ruleTitle(rule),
        severity: finding.severity,
        confidence: finding.confidence,
        standard,
        standards: clauses,
        cwe: rule.cwe,
        category: rule.category,
        message: `${rule.message.trim()}${from}`,
        suggestion: rule.suggestion.trim(),
        line: finding.line,
        column: finding.column,
        endLine: finding.endLine,
        endColumn: finding.endColumn,
        codeSnippet: finding.snippet,
        fingerprint: createHash('sha256').update(`${context}\0${occurrence}`).digest('hex').slice(0, 20),
        fix: rule.fix ?? null,
        flow: finding.flow,
      },
    ]
  })
}
