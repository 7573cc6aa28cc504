/**
 * The scan engine: files in, violations out.
 *
 * Analysis happens in a pool of child processes. A file that fails or runs out of time never fails the others: it has no violations
 * and an `error`. Results come in the order of the files.
 */
import type { Clock } from '#platform/clock.js'
import { systemClock } from '#platform/clock.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import { createPool } from './analyzer/pool.js'
import { defaultParseLimits, type ParseLimits, type Stopped } from './analyzer/scan-file.js'
import type { Job, JobOutcome } from './analyzer/worker.js'
import { defaultFilename, type Language } from './languages.js'
import { applyLimits, applySettings, type ComplianceConfig, packOf } from './report/config.js'
import { withoutRepeats } from './report/repeats.js'
import { type Clause, clausesOf, loadStandards, selectStandards, type Standard } from './report/standards.js'
import { applySuppressions } from './report/suppressions.js'
import { buildViolations, summarize, type Violation, type ViolationSummary } from './report/violation.js'
import { loadRules } from './rulebook/load.js'
import type { Rule, Severity } from './rulebook/schema.js'

export interface ScanLimits extends ParseLimits {
  readonly maxFileBytes: number
  readonly maxFiles: number
  readonly maxBatchBytes: number
  /** For one file, parsing and analysis together. */
  readonly fileTimeoutMs: number
  /** For a whole call of `scan`. */
  readonly scanTimeoutMs: number
  readonly maxSteps: number
  /** Files up to this size never wait for larger ones of another account. */
  readonly smallFileBytes: number
}

export const defaultLimits: ScanLimits = {
  maxFileBytes: 1_000_000,
  maxFiles: 500,
  maxBatchBytes: 20_000_000,
  fileTimeoutMs: 10_000,
  scanTimeoutMs: 30_000,
  maxSteps: 300_000,
  smallFileBytes: 50_000,
  ...defaultParseLimits,
}

export interface ScanFile {
  readonly code: string
  readonly language: Language
  /** Default `main.{ext}`. */
  readonly filename?: string | null
}

interface ScanOptions {
  /** Who shares the analyzers with others, such as an account. */
  readonly owner?: string
  /** Names of standards; all when empty. */
  readonly standards?: readonly string[]
  readonly config?: ComplianceConfig
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

export interface RuleDescription {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly category: string
  readonly severity: Severity
  readonly cwe: readonly number[]
  readonly languages: readonly Language[]
  readonly standards: readonly Clause[]
  readonly suggestion: string
}

export interface ScannerHealth {
  readonly status: 'healthy' | 'degraded' | 'down'
  readonly latencyMs: number
}

export interface Scanner {
  scan(
    files: readonly ScanFile[],
    options?: ScanOptions,
    signal?: AbortSignal,
    onProgress?: (done: number, total: number) => void,
  ): Promise<FileResult[]>
  /** Throws a 400 for an unknown standard. */
  rules(standard?: string): RuleDescription[]
  readonly standards: readonly Standard[]
  health(): Promise<ScannerHealth>
  close(): Promise<void>
}

export interface ScannerOptions {
  /** Number of analyzer processes; one per core when left out. */
  readonly analyzers?: number
  readonly limits?: Partial<ScanLimits>
  readonly clock?: Clock
  /** Many owners share the analyzers: one is kept for small files. */
  readonly isShared?: boolean
  /** What every rule says, also about a weakness that another rule has reported: for the tests of rules. */
  readonly keepRepeats?: boolean
}

export function createScanner(options: ScannerOptions = {}): Scanner {
  const clock = options.clock ?? systemClock
  const limits: ScanLimits = { ...defaultLimits, ...options.limits }
  const parsing = { parseMs: limits.parseMs, parseMsPerKb: limits.parseMsPerKb }
  const sources = loadRules()
  const rules = new Map(sources.map(({ rule }) => [rule.id, rule]))
  const standards = loadStandards()
  const pool = createPool({
    clock,
    smallBytes: options.isShared === true ? limits.smallFileBytes : 0,
    ...(options.analyzers === undefined ? {} : { size: options.analyzers }),
  })

  const resultOf = (
    file: ScanFile,
    outcome: JobOutcome,
    selected: readonly Standard[],
    config: ComplianceConfig | undefined,
  ): FileResult => {
    const base = { filename: file.filename ?? defaultFilename(file.language), language: file.language }
    if (outcome.status !== 'done') {
      const error =
        outcome.status === 'timeout' ? 'The analysis of this file took too long.' : 'The analysis of this file failed.'
      return { ...base, violations: [], summary: summarize([]), suppressed: 0, warnings: [], isTruncated: true, error }
    }
    const { findings } = outcome
    const configured = applySettings(buildViolations(findings.findings, rules, selected), config)
    const once = options.keepRepeats === true ? configured : withoutRepeats(configured, rules)
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

  /** A file that ended its process is asked again, for the rules on its text alone. */
  const analyze = async (owner: string, job: Job, signal: AbortSignal): Promise<JobOutcome> => {
    const outcome = await pool.run(owner, job, signal)
    return outcome.status === 'failed' ? pool.run(owner, { ...job, textOnly: true }, signal) : outcome
  }

  return {
    standards,
    async scan(files, scanOptions = {}, signal, onProgress) {
      checkLimits(files, limits)
      const config = scanOptions.config
      const selected = selectStandards(scanOptions.standards ?? config?.standards, standards)
      const pack = packOf(config)
      const controller = new AbortController()
      const abort = (): void => controller.abort(signal?.reason)
      if (signal?.aborted === true) abort()
      signal?.addEventListener('abort', abort, { once: true })
      const timedOut = new AppError('timeout', 'The scan took too long.')
      const cancelTimer = clock.setTimeout(() => controller.abort(timedOut), limits.scanTimeoutMs)
      let done = 0
      try {
        return await Promise.all(
          files.map(async (file) => {
            const filename = file.filename ?? defaultFilename(file.language)
            const job = {
              code: file.code,
              language: file.language,
              filename,
              timeoutMs: limits.fileTimeoutMs,
              maxSteps: limits.maxSteps,
              parsing,
            }
            const owner = scanOptions.owner ?? 'one'
            const outcome = await analyze(owner, pack === undefined ? job : { ...job, pack }, controller.signal)
            done++
            onProgress?.(done, files.length)
            return resultOf(file, outcome, selected, config)
          }),
        )
      } finally {
        cancelTimer()
        signal?.removeEventListener('abort', abort)
      }
    },
    rules(standard) {
      const selected = selectStandards(standard === undefined ? [] : [standard], standards)
      return [...rules.values()].map((rule) => describe(rule, selected)).filter((rule) => rule.standards.length > 0)
    },
    async health() {
      const started = performance.now()
      const outcome = await pool.run('health', {
        code: 'let a = 1',
        language: 'javascript',
        filename: 'probe.js',
        timeoutMs: 5000,
        maxSteps: 1000,
      })
      const latencyMs = Math.round((performance.now() - started) * 10) / 10
      if (outcome.status !== 'done') return { status: 'down', latencyMs }
      return { status: latencyMs > 2000 ? 'degraded' : 'healthy', latencyMs }
    },
    close: () => pool.close(),
  }
}

/** What a person should know about a file that was not analyzed to its end. */
const stopNotices: Readonly<Record<Stopped, string>> = {
  parse:
    'This file takes longer to parse than a file of its size may. Only the rules on its text were asked: violations that need its structure or its dataflow are missing.',
  analysis: 'The analysis of this file reached its limit: violations may be missing.',
  text: 'The rules on the text of this file reached their limit: violations may be missing.',
}

const describe = (rule: Rule, standards: readonly Standard[]): RuleDescription => ({
  id: rule.id,
  title: rule.title,
  description: rule.message.trim(),
  category: rule.category,
  severity: rule.severity,
  cwe: rule.cwe,
  languages: rule.languages,
  standards: clausesOf(rule, standards),
  suggestion: rule.suggestion.trim(),
})

/** Size limits count UTF-8 bytes. */
function checkLimits(files: readonly ScanFile[], limits: ScanLimits): void {
  if (files.length > limits.maxFiles) throw invalidRequest(`At most ${limits.maxFiles} files may be scanned at once.`, 'files')
  let total = 0
  for (const [at, file] of files.entries()) {
    const size = Buffer.byteLength(file.code)
    total += size
    if (size > limits.maxFileBytes)
      throw invalidRequest(`A file may have at most ${limits.maxFileBytes} bytes; this one has ${size}.`, `files[${at}].code`)
  }
  if (total > limits.maxBatchBytes)
    throw invalidRequest(`A batch may have at most ${limits.maxBatchBytes} bytes; this one has ${total}.`, 'files')
}
