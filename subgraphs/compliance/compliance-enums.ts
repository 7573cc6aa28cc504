/** The enums of compliance as GraphQL sees them. */
import { registerEnumType } from 'type-graphql'
import {
  type Language,
  type ScannerHealth,
  type Severity as SeverityWord,
  type StepKind,
  type Violation,
  languages,
} from './engine/index.js'
import type { ScanStatus as StatusWord } from './scans/scan.js'

export const Severity = { CRITICAL: 'critical', HIGH: 'high', MEDIUM: 'medium', LOW: 'low' } as const satisfies Record<
  string,
  SeverityWord
>
registerEnumType(Severity, {
  name: 'Severity',
  description: 'How much harm a violation can do.',
  valuesConfig: {
    CRITICAL: { description: 'Remotely exploitable, with the flow of the data shown, or a secret that looks live.' },
    HIGH: { description: 'Exploitable without a proven remote source, TLS switched off, or a weak cipher.' },
    MEDIUM: { description: 'Weakens a defence: weak hashes, cookie flags, CORS, personal data in logs.' },
    LOW: { description: 'Hygiene.' },
  },
})

export const Confidence = { HIGH: 'high', MEDIUM: 'medium', LOW: 'low' } as const satisfies Record<
  string,
  Violation['confidence']
>
registerEnumType(Confidence, {
  name: 'Confidence',
  description: 'How sure the scanner is.',
  valuesConfig: {
    HIGH: { description: 'Few findings of this kind are wrong.' },
    MEDIUM: { description: 'Worth a look.' },
    LOW: { description: 'Often depends on what the scanner cannot see.' },
  },
})

export const FlowStepKind = { SOURCE: 'source', ASSIGNMENT: 'assignment', CALL: 'call', SINK: 'sink' } as const satisfies Record<
  string,
  StepKind
>
registerEnumType(FlowStepKind, {
  name: 'FlowStepKind',
  description: 'What happens to data at a step of its way.',
  valuesConfig: {
    SOURCE: { description: 'It enters the program, or this file.' },
    ASSIGNMENT: { description: 'It passes into a variable or a part of one.' },
    CALL: { description: 'It passes into a function of the file.' },
    SINK: { description: 'It does harm. The last step.' },
  },
})

/** GraphQL name to our own: `JAVASCRIPT` to `javascript`. */
export const LanguageEnum = Object.fromEntries(languages.map((name) => [name.toUpperCase(), name])) as Record<string, Language>
registerEnumType(LanguageEnum, {
  name: 'Language',
  description: 'A language that the scanner reads.',
  valuesConfig: Object.fromEntries(
    languages.map((name) => [name.toUpperCase(), { description: `\`${name}\` in the REST API.` }]),
  ),
})

export const ScanStatus = { RUNNING: 'running', COMPLETED: 'completed', ERROR: 'error' } as const satisfies Record<
  string,
  StatusWord
>
registerEnumType(ScanStatus, {
  name: 'ScanStatus',
  description: 'How a scan stands.',
  valuesConfig: {
    RUNNING: { description: 'Files are being scanned.' },
    COMPLETED: { description: 'All files were looked at; single ones may have failed. Final.' },
    ERROR: { description: 'No file could be analyzed. Final.' },
  },
})

export const HealthStatus = { HEALTHY: 'healthy', DEGRADED: 'degraded', DOWN: 'down' } as const satisfies Record<
  string,
  ScannerHealth['status']
>
registerEnumType(HealthStatus, {
  name: 'ScannerHealthStatus',
  description: 'Whether scans are answered.',
  valuesConfig: {
    HEALTHY: { description: 'An analyzer answered a probe in time.' },
    DEGRADED: { description: 'Analyzers answer late, because they are busy.' },
    DOWN: { description: 'No analyzer answers.' },
  },
})
