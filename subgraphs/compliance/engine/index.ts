/**
 * The scan engine: text in, violations out. Usable without a server, a database or the graph: the command line and MCP over
 * standard input enter by this door.
 *
 * Owns the languages, the rules (data files with examples that run as tests), the framework packs, the mapping to standards, and
 * the analyzer processes. It holds these invariants:
 * - one file never fails another: a file that cannot be analyzed has an `error` and no violations;
 * - every violation names a rule, at least one CWE, a requested standard and a 1-based position;
 * - the same files and rules give the same violations, alone or in a batch;
 * - no input keeps an analyzer busy past its deadline: parsing and analysis stop themselves, else the process is killed.
 */
export { detectLanguage, extensions, filenameFor, headerLanguage, type Language, languages, parseLanguage } from './languages.js'
export { type ComplianceConfig, parseConfig } from './report/config.js'
export { type FileResult, type ScanFile } from './report/file-result.js'
export { addSummaries, summarize, type Violation, type ViolationSummary } from './report/violation.js'
export { parseScanFile } from './scan-request.js'
export {
  type AnalyzedFile,
  createScanner,
  defaultLimits,
  type FileTiming,
  type RuleDescription,
  type ScanLimits,
  type Scanner,
  type ScannerHealth,
  scannerStates,
} from './scanner.js'
export { hasLoneReturns } from './syntax/source-text.js'
export { type Clause, currentStandards, selectStandards, type Standard } from './report/standards.js'
export { namelessMessage, stepKinds } from './flow/values/trail.js'
export { confidences, severities, type Severity } from './rulebook/schema.js'
export { type RawStep } from './analyzer/scan-file.js'
