/** From what an analyzer found in a file to what a caller is told about it. */
import type { Clock } from '#platform/clock.js'
import type { Stopped } from '../analyzer/scan-file.js'
import type { JobOutcome } from '../analyzer/worker.js'
import { defaultFilename, type Language } from '../languages.js'
import type { Rule } from '../rulebook/schema.js'
import { applyLimits, applySettings, type ComplianceConfig } from './config.js'
import { withFurtherUsesLow } from './further-uses.js'
import { withoutRepeats } from './repeats.js'
import type { Standard } from './standards.js'
import { applySuppressions } from './suppressions.js'
import { buildViolations, summarize, type Violation, type ViolationSummary } from './violation.js'

export interface ScanFile {
  readonly code: string
  readonly language: Language
  /** Default `main.{ext}`. */
  readonly filename?: string | null
}

export interface FileResult {
  readonly filename: string
  readonly language: Language
  readonly violations: readonly Violation[]
  readonly summary: ViolationSummary
  /** Findings that comments accepted. */
  readonly suppressed: number
  readonly warnings: readonly string[]
  /** The analysis stopped early: findings may be missing. `warnings` says what did not come to its end. */
  readonly isTruncated: boolean
  readonly error: string | null
}

export interface Reporting {
  readonly clock: Clock
  readonly rules: ReadonlyMap<string, Rule>
  /** What every rule says, also about a weakness that another rule has reported. */
  readonly keepRepeats: boolean
}

export const filenameOf = (file: ScanFile): string => file.filename ?? defaultFilename(file.language)

export function fileResult(
  file: ScanFile,
  outcome: JobOutcome,
  selected: readonly Standard[],
  config: ComplianceConfig | undefined,
  { clock, rules, keepRepeats }: Reporting,
): FileResult {
  const base = { filename: filenameOf(file), language: file.language }
  if (outcome.status !== 'done') {
    const error = outcome.status === 'timeout' ? 'The analysis of this file took too long.' : 'The analysis of this file failed.'
    return { ...base, violations: [], summary: summarize([]), suppressed: 0, warnings: [], isTruncated: true, error }
  }
  const { findings } = outcome
  const configured = applySettings(withFurtherUsesLow(buildViolations(findings.findings, rules, selected)), config)
  const once = keepRepeats ? configured : withoutRepeats(configured, rules)
  const all = applyLimits(once, config, new Date(clock.now()).toISOString().slice(0, 10))
  const { violations, suppressed, warnings } = applySuppressions(all, file.code, (id) => rules.has(id))
  const notice = findings.stopped === null ? [] : [stopNotices[findings.stopped]]
  return {
    ...base,
    violations,
    summary: summarize(violations),
    suppressed,
    warnings: [...notice, ...warnings],
    isTruncated: findings.stopped !== null,
    error: null,
  }
}

/** What a person should know about a file that was not analyzed to its end. */
const stopNotices: Readonly<Record<Stopped, string>> = {
  parse:
    'This file takes longer to parse than a file of its size may. Only the rules on its text were asked: violations that need its structure or its dataflow are missing.',
  analysis: 'The analysis of this file reached its limit: violations may be missing.',
  text: 'The rules on the text of this file reached their limit: violations may be missing.',
}
