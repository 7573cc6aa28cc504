/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Files to scan as one request, and how. */
export type BatchScanInput = {
  /** Answers at once with the running scan, to be followed with `scanProgress`; false when left out. */
  background?: boolean | null | undefined;
  /** The files. */
  files: Array<ScanFileInput>;
  /** Keeps the lines with violations in the stored scan; false when left out. */
  keepSnippets?: boolean | null | undefined;
  /** Standards to check; all enabled ones when left out or empty. */
  standards?: Array<string> | null | undefined;
};

/** How sure the scanner is. */
export const Confidence = {
  /** Few findings of this kind are wrong. */
  HIGH: 'HIGH',
  /** Often depends on what the scanner cannot see. */
  LOW: 'LOW',
  /** Worth a look. */
  MEDIUM: 'MEDIUM'
} as const;

export type Confidence = typeof Confidence[keyof typeof Confidence];
/** What happens to data at a step of its way. */
export const FlowStepKind = {
  /** It passes into a variable or a part of one. */
  ASSIGNMENT: 'ASSIGNMENT',
  /** It passes into a function of the file. */
  CALL: 'CALL',
  /** It does harm. The last step. */
  SINK: 'SINK',
  /** It enters the program, or this file. */
  SOURCE: 'SOURCE'
} as const;

export type FlowStepKind = typeof FlowStepKind[keyof typeof FlowStepKind];
/** A language that the scanner reads. */
export const Language = {
  /** `bash` in the REST API. */
  BASH: 'BASH',
  /** `c` in the REST API. */
  C: 'C',
  /** `cpp` in the REST API. */
  CPP: 'CPP',
  /** `csharp` in the REST API. */
  CSHARP: 'CSHARP',
  /** `go` in the REST API. */
  GO: 'GO',
  /** `java` in the REST API. */
  JAVA: 'JAVA',
  /** `javascript` in the REST API. */
  JAVASCRIPT: 'JAVASCRIPT',
  /** `kotlin` in the REST API. */
  KOTLIN: 'KOTLIN',
  /** `php` in the REST API. */
  PHP: 'PHP',
  /** `python` in the REST API. */
  PYTHON: 'PYTHON',
  /** `ruby` in the REST API. */
  RUBY: 'RUBY',
  /** `rust` in the REST API. */
  RUST: 'RUST',
  /** `scala` in the REST API. */
  SCALA: 'SCALA',
  /** `sql` in the REST API. */
  SQL: 'SQL',
  /** `swift` in the REST API. */
  SWIFT: 'SWIFT',
  /** `typescript` in the REST API. */
  TYPESCRIPT: 'TYPESCRIPT'
} as const;

export type Language = typeof Language[keyof typeof Language];
/** A file to scan. */
export type ScanFileInput = {
  /** The text of the file. */
  code: string;
  /** The name for reports; "main" with the extension of the language when left out. */
  filename?: string | null | undefined;
  /** The language, by its name in lower case or a common short form such as "ts" or "c++". */
  language: string;
};

/** How a scan stands. */
export const ScanStatus = {
  /** All files were looked at; single ones may have failed. Final. */
  COMPLETED: 'COMPLETED',
  /** No file could be analyzed. Final. */
  ERROR: 'ERROR',
  /** Files are being scanned. */
  RUNNING: 'RUNNING'
} as const;

export type ScanStatus = typeof ScanStatus[keyof typeof ScanStatus];
/** How much harm a violation can do. */
export const Severity = {
  /** Remotely exploitable, with the flow of the data shown, or a secret that looks live. */
  CRITICAL: 'CRITICAL',
  /** Exploitable without a proven remote source, TLS switched off, or a weak cipher. */
  HIGH: 'HIGH',
  /** Hygiene. */
  LOW: 'LOW',
  /** Weakens a defence: weak hashes, cookie flags, CORS, personal data in logs. */
  MEDIUM: 'MEDIUM'
} as const;

export type Severity = typeof Severity[keyof typeof Severity];
export type ScanConfigQueryVariables = Exact<{ [key: string]: never; }>;


export type ScanConfigQuery = { scannerConfig: { maxFileBytes: number, maxFiles: number, maxBatchBytes: number, version: string, files: Array<{ language: Language, extensions: Array<string> }>, standards: Array<{ name: string, edition: string }> } | null };

export type ScanRowFragment = { id: string, createdAt: string, status: ScanStatus, error: string | null, fileCount: number, filesDone: number, durationMs: number | null, standards: Array<string>, summary: { totalViolations: number, critical: number, high: number, medium: number, low: number } };

export type ScanFindingFragment = { severity: Severity, confidence: Confidence, category: string, standard: string, ruleId: string, rule: string, cwe: Array<number>, message: string, suggestion: string, line: number, column: number, endLine: number, endColumn: number, codeSnippet: string | null, fingerprint: string, fix: string | null, standards: Array<{ standard: string, clause: string, title: string, evidence: boolean }>, flow: Array<{ kind: FlowStepKind, message: string, line: number, column: number, endLine: number, endColumn: number }> };

export type ScanResultQueryVariables = Exact<{
  id: string;
}>;


export type ScanResultQuery = { scan: { id: string, createdAt: string, status: ScanStatus, error: string | null, fileCount: number, filesDone: number, durationMs: number | null, standards: Array<string>, files: Array<{ filename: string, language: Language, error: string | null, isTruncated: boolean, suppressed: number, warnings: Array<string>, summary: { totalViolations: number, critical: number, high: number, medium: number, low: number }, violations: Array<{ severity: Severity, confidence: Confidence, category: string, standard: string, ruleId: string, rule: string, cwe: Array<number>, message: string, suggestion: string, line: number, column: number, endLine: number, endColumn: number, codeSnippet: string | null, fingerprint: string, fix: string | null, standards: Array<{ standard: string, clause: string, title: string, evidence: boolean }>, flow: Array<{ kind: FlowStepKind, message: string, line: number, column: number, endLine: number, endColumn: number }> }> }>, summary: { totalViolations: number, critical: number, high: number, medium: number, low: number } } | null };

export type ScanStartMutationVariables = Exact<{
  input: BatchScanInput;
}>;


export type ScanStartMutation = { batchScan: { scan: { id: string, createdAt: string, status: ScanStatus, error: string | null, fileCount: number, filesDone: number, durationMs: number | null, standards: Array<string>, summary: { totalViolations: number, critical: number, high: number, medium: number, low: number } } } | null };

export type ScanFollowSubscriptionVariables = Exact<{
  id: string;
}>;


export type ScanFollowSubscription = { scanProgress: { sequence: number | null, scan: { id: string, createdAt: string, status: ScanStatus, error: string | null, fileCount: number, filesDone: number, durationMs: number | null, standards: Array<string>, summary: { totalViolations: number, critical: number, high: number, medium: number, low: number } } } };

export type ScanPastQueryVariables = Exact<{ [key: string]: never; }>;


export type ScanPastQuery = { scans: { nodes: Array<{ id: string, createdAt: string, status: ScanStatus, error: string | null, fileCount: number, filesDone: number, durationMs: number | null, standards: Array<string>, summary: { totalViolations: number, critical: number, high: number, medium: number, low: number } }> } | null };

export type ScanRulesQueryVariables = Exact<{ [key: string]: never; }>;


export type ScanRulesQuery = { rules: { rules: Array<{ id: string, title: string, description: string, category: string, severity: Severity, cwe: Array<number>, languages: Array<Language>, suggestion: string, standards: Array<{ standard: string, clause: string, title: string, evidence: boolean }> }> } | null };

export const ScanRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ScanRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Scan"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"fileCount"}},{"kind":"Field","name":{"kind":"Name","value":"filesDone"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"standards"}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalViolations"}},{"kind":"Field","name":{"kind":"Name","value":"critical"}},{"kind":"Field","name":{"kind":"Name","value":"high"}},{"kind":"Field","name":{"kind":"Name","value":"medium"}},{"kind":"Field","name":{"kind":"Name","value":"low"}}]}}]}}]} as unknown as DocumentNode<ScanRowFragment, unknown>;
export const ScanFindingFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ScanFinding"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Violation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"confidence"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"standards"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"clause"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"}}]}},{"kind":"Field","name":{"kind":"Name","value":"ruleId"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"cwe"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"suggestion"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}},{"kind":"Field","name":{"kind":"Name","value":"endLine"}},{"kind":"Field","name":{"kind":"Name","value":"endColumn"}},{"kind":"Field","name":{"kind":"Name","value":"codeSnippet"}},{"kind":"Field","name":{"kind":"Name","value":"fingerprint"}},{"kind":"Field","name":{"kind":"Name","value":"fix"}},{"kind":"Field","name":{"kind":"Name","value":"flow"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}},{"kind":"Field","name":{"kind":"Name","value":"endLine"}},{"kind":"Field","name":{"kind":"Name","value":"endColumn"}}]}}]}}]} as unknown as DocumentNode<ScanFindingFragment, unknown>;
export const ScanConfigDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ScanConfig"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scannerConfig"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"files"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"extensions"}}]}},{"kind":"Field","name":{"kind":"Name","value":"maxFileBytes"}},{"kind":"Field","name":{"kind":"Name","value":"maxFiles"}},{"kind":"Field","name":{"kind":"Name","value":"maxBatchBytes"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"standards"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"edition"}}]}}]}}]}}]} as unknown as DocumentNode<ScanConfigQuery, ScanConfigQueryVariables>;
export const ScanResultDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ScanResult"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scan"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ScanRow"}},{"kind":"Field","name":{"kind":"Name","value":"files"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"filename"}},{"kind":"Field","name":{"kind":"Name","value":"language"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"isTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"suppressed"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalViolations"}},{"kind":"Field","name":{"kind":"Name","value":"critical"}},{"kind":"Field","name":{"kind":"Name","value":"high"}},{"kind":"Field","name":{"kind":"Name","value":"medium"}},{"kind":"Field","name":{"kind":"Name","value":"low"}}]}},{"kind":"Field","name":{"kind":"Name","value":"violations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ScanFinding"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ScanRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Scan"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"fileCount"}},{"kind":"Field","name":{"kind":"Name","value":"filesDone"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"standards"}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalViolations"}},{"kind":"Field","name":{"kind":"Name","value":"critical"}},{"kind":"Field","name":{"kind":"Name","value":"high"}},{"kind":"Field","name":{"kind":"Name","value":"medium"}},{"kind":"Field","name":{"kind":"Name","value":"low"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ScanFinding"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Violation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"confidence"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"standards"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"clause"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"}}]}},{"kind":"Field","name":{"kind":"Name","value":"ruleId"}},{"kind":"Field","name":{"kind":"Name","value":"rule"}},{"kind":"Field","name":{"kind":"Name","value":"cwe"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"suggestion"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}},{"kind":"Field","name":{"kind":"Name","value":"endLine"}},{"kind":"Field","name":{"kind":"Name","value":"endColumn"}},{"kind":"Field","name":{"kind":"Name","value":"codeSnippet"}},{"kind":"Field","name":{"kind":"Name","value":"fingerprint"}},{"kind":"Field","name":{"kind":"Name","value":"fix"}},{"kind":"Field","name":{"kind":"Name","value":"flow"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"line"}},{"kind":"Field","name":{"kind":"Name","value":"column"}},{"kind":"Field","name":{"kind":"Name","value":"endLine"}},{"kind":"Field","name":{"kind":"Name","value":"endColumn"}}]}}]}}]} as unknown as DocumentNode<ScanResultQuery, ScanResultQueryVariables>;
export const ScanStartDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ScanStart"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"BatchScanInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"batchScan"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scan"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ScanRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ScanRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Scan"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"fileCount"}},{"kind":"Field","name":{"kind":"Name","value":"filesDone"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"standards"}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalViolations"}},{"kind":"Field","name":{"kind":"Name","value":"critical"}},{"kind":"Field","name":{"kind":"Name","value":"high"}},{"kind":"Field","name":{"kind":"Name","value":"medium"}},{"kind":"Field","name":{"kind":"Name","value":"low"}}]}}]}}]} as unknown as DocumentNode<ScanStartMutation, ScanStartMutationVariables>;
export const ScanFollowDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ScanFollow"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scanProgress"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"scan"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ScanRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ScanRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Scan"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"fileCount"}},{"kind":"Field","name":{"kind":"Name","value":"filesDone"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"standards"}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalViolations"}},{"kind":"Field","name":{"kind":"Name","value":"critical"}},{"kind":"Field","name":{"kind":"Name","value":"high"}},{"kind":"Field","name":{"kind":"Name","value":"medium"}},{"kind":"Field","name":{"kind":"Name","value":"low"}}]}}]}}]} as unknown as DocumentNode<ScanFollowSubscription, ScanFollowSubscriptionVariables>;
export const ScanPastDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ScanPast"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scans"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ScanRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ScanRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Scan"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"fileCount"}},{"kind":"Field","name":{"kind":"Name","value":"filesDone"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"standards"}},{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalViolations"}},{"kind":"Field","name":{"kind":"Name","value":"critical"}},{"kind":"Field","name":{"kind":"Name","value":"high"}},{"kind":"Field","name":{"kind":"Name","value":"medium"}},{"kind":"Field","name":{"kind":"Name","value":"low"}}]}}]}}]} as unknown as DocumentNode<ScanPastQuery, ScanPastQueryVariables>;
export const ScanRulesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ScanRules"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rules"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rules"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"cwe"}},{"kind":"Field","name":{"kind":"Name","value":"languages"}},{"kind":"Field","name":{"kind":"Name","value":"suggestion"}},{"kind":"Field","name":{"kind":"Name","value":"standards"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"standard"}},{"kind":"Field","name":{"kind":"Name","value":"clause"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ScanRulesQuery, ScanRulesQueryVariables>;