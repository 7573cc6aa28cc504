/**
 * What the scanner answers, for /api and the MCP tools alike: the contract's fields, and behind them what the contract does not
 * name.
 */
import { z } from 'zod'
import { Confidence, FlowStepKind, ScannerHealthStatus, Severity } from '../../generated/operations.js'
import { wordsOf } from '../names.js'
import { count, positive, someText, text } from '../openapi/shapes.js'

const severity = z.enum(wordsOf(Severity)).meta({ id: 'Severity' })
const scanStatus = z.enum(['completed', 'error'])
const cwe = z.array(z.string().regex(/^CWE-\d+$/)).min(1)

const flowStep = z
  .object({
    kind: z.enum(wordsOf(FlowStepKind)),
    message: someText.meta({ description: 'Such as passes into "query".' }),
    line: positive,
    column: positive.meta({ description: 'In UTF-16 units.' }),
    end_line: positive,
    end_column: positive.meta({ description: 'The column behind the end.' }),
  })
  .meta({ id: 'FlowStep' })

export const violation = z
  .object({
    severity,
    standard: someText.meta({ description: 'The first requested standard that it breaks.' }),
    rule: z
      .string()
      .regex(/^[\w-]+: .+ \(CWE-\d+\)$/)
      .meta({ description: 'The identifier and the title of the rule.' }),
    message: someText.meta({ description: 'What is wrong.' }),
    line: positive.meta({ description: '1-based.' }),
    column: positive.meta({ description: 'In UTF-16 units.' }),
    suggestion: someText.meta({ description: 'How to fix it.' }),
    code_snippet: text('The code at that line.').optional(),
    rule_id: someText.meta({ description: 'What a suppression comment names.' }),
    standards: z.array(z.string()).min(1).meta({
      description:
        'Every clause that it breaks, such as "OWASP Top 10 A05:2025"; "(evidence)" follows a clause that is not about code.',
    }),
    cwe,
    confidence: z.enum(wordsOf(Confidence)),
    end_line: positive,
    end_column: positive.meta({ description: 'The column behind the end.' }),
    fingerprint: someText.meta({ description: 'Stays the same when the code moves.' }),
    fix: text('Code that would be right.').optional(),
    flow: z
      .array(flowStep)
      .min(2)
      .max(12)
      .meta({ description: 'The way of the data from its source to this place; only where the violation is about data.' })
      .optional(),
  })
  .meta({ id: 'Violation' })

const scanSummary = z
  .object({ total_violations: count, critical: count, high: count, medium: count, low: count })
  .meta({ id: 'ScanSummary' })

/** What both scan bodies say about one file. `error`, `warnings` and `is_truncated` only where there is something to say. */
const findings = {
  violations: z.array(violation),
  summary: scanSummary,
  error: someText.meta({ description: 'Why the file could not be analyzed.' }).optional(),
  warnings: z.array(z.string()).min(1).meta({ description: 'What is wrong with suppression comments.' }).optional(),
  is_truncated: z.literal(true).meta({ description: 'The analysis stopped early, so violations may be missing.' }).optional(),
}

export const scanResult = z.object({ status: scanStatus, ...findings }).meta({ id: 'ScanResult' })

const fileScanResult = z.object({ filename: someText, ...findings }).meta({ id: 'FileScanResult' })

export const batchScanResult = z
  .object({
    status: scanStatus.meta({ description: '`error` when not one file could be analyzed.' }),
    results: z.array(fileScanResult),
    overall_summary: scanSummary,
  })
  .meta({ id: 'BatchScanResult' })

export const scannerConfig = z
  .object({
    standards: z.array(z.string()).min(1).meta({ description: 'The enabled standards.' }),
    server_url: someText,
    version: someText,
  })
  .meta({ id: 'ScannerConfig' })

const rule = z
  .object({
    id: someText,
    standard: someText,
    category: someText,
    severity,
    description: someText,
    title: someText,
    cwe,
    languages: z.array(z.string()).min(1),
    suggestion: someText,
  })
  .meta({ id: 'Rule' })

export const ruleList = z.object({ rules: z.array(rule), total_rules: count }).meta({ id: 'RuleList' })

export const scannerHealth = z
  .object({
    status: z.enum(wordsOf(ScannerHealthStatus)),
    server_url: someText,
    latency_ms: z.number().min(0),
    version: someText,
  })
  .meta({ id: 'ScannerHealth' })

export type FlowStepBody = z.output<typeof flowStep>
export type ViolationBody = z.output<typeof violation>
export type SeverityWord = z.output<typeof severity>
export type SummaryBody = z.output<typeof scanSummary>
export type ScanCodeBody = z.output<typeof scanResult>
export type FileBody = z.output<typeof fileScanResult>
export type BatchScanBody = z.output<typeof batchScanResult>
export type ConfigBody = z.output<typeof scannerConfig>
export type RuleBody = z.output<typeof rule>
export type RulesBody = z.output<typeof ruleList>
export type HealthBody = z.output<typeof scannerHealth>
