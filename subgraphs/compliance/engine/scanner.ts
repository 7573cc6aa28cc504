/**
 * The scan engine: files in, violations out.
 *
 * Analysis happens in a pool of child processes. A file that fails or runs out of time never fails the others: it has no violations
 * and an `error`. Results come in the order of the files.
 */
import type { Clock } from '#platform/clock.js'
import { systemClock } from '#platform/clock.js'
import { AppError, invalidRequest } from '#platform/errors.js'
import { createPool, type Worked } from './analyzer/pool.js'
import { defaultParseLimits, type ParseLimits } from './analyzer/parse-limits.js'
import type { Job, JobOutcome } from './analyzer/worker.js'
import type { Language } from './languages.js'
import { type ComplianceConfig, packOf } from './report/config.js'
import { type FileResult, fileResult, filenameOf, type ScanFile } from './report/file-result.js'
import { type Clause, clausesOf, loadStandards, selectStandards, type Standard } from './report/standards.js'
import { loadAll, loadRules } from './rulebook/load.js'
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

interface ScanOptions {
  /** Who shares the analyzers with others, such as an account. */
  readonly owner?: string
  /** Names of standards; all when empty. */
  readonly standards?: readonly string[]
  readonly config?: ComplianceConfig
  /** Hears of every file that was analyzed, when it was and what of. */
  readonly onFile?: (file: FileTiming) => void
}

export interface FileTiming extends Pick<Worked, 'begunAt' | 'endedAt'> {
  readonly language: Language
  readonly bytes: number
  readonly outcome: JobOutcome['status']
  readonly violations: number
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

export const scannerStates = ['healthy', 'degraded', 'down'] as const

export interface ScannerHealth {
  readonly status: (typeof scannerStates)[number]
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
  /** Files that no analyzer has taken yet. */
  waitingFiles(): number
  close(): Promise<void>
}

export interface AnalyzedFile {
  readonly language: string
  readonly outcome: JobOutcome['status']
  /** In the analyzer, without its wait. */
  readonly seconds: number
}

export interface ScannerOptions {
  /** Number of analyzer processes; one per core when left out. */
  readonly analyzers?: number
  readonly limits?: Partial<ScanLimits>
  readonly clock?: Clock
  /** Many owners share the analyzers: one is kept for small files. */
  readonly isShared?: boolean
  /** Hears of every file that an analyzer has ended. */
  readonly onFile?: (file: AnalyzedFile) => void
  /** What every rule says, also about a weakness that another rule has reported: for the tests of rules. */
  readonly keepRepeats?: boolean
}

export function createScanner(options: ScannerOptions = {}): Scanner {
  const clock = options.clock ?? systemClock
  const limits: ScanLimits = { ...defaultLimits, ...options.limits }
  const standards = loadStandards()
  // Hundreds of files are compared with what was kept of them: a server starts without that, its first scan needs it.
  let loaded: ReadonlyMap<string, Rule> | undefined
  const rules = () => (loaded ??= new Map(loadRules().map(({ rule }) => [rule.id, rule])))
  const reporting = () => ({ clock, rules: rules(), keepRepeats: options.keepRepeats === true })
  const pool = createPool({
    clock,
    rulesHash: () => loadAll().hash,
    smallBytes: options.isShared === true ? limits.smallFileBytes : 0,
    onWork(owner, { language }, { outcome, begunAt, endedAt }) {
      if (owner !== PROBER) options.onFile?.({ language, outcome: outcome.status, seconds: (endedAt - begunAt) / 1_000 })
    },
    ...(options.analyzers === undefined ? {} : { size: options.analyzers }),
  })

  /** A file that ended its process or its time, be it on a busy machine, is asked again, for the rules on its text alone. */
  const analyze = async (owner: string, job: Job, signal: AbortSignal): Promise<Worked> => {
    const first = await pool.run(owner, job, signal)
    if (first.outcome.status === 'done') return first
    return { ...(await pool.run(owner, { ...job, textOnly: true }, signal)), begunAt: first.begunAt }
  }

  return {
    standards,
    async scan(files, { config, owner = 'one', onFile, ...scanOptions } = {}, signal, onProgress) {
      checkLimits(files, limits)
      const selected = selectStandards(scanOptions.standards ?? config?.standards, standards)
      const pack = packOf(config)
      const deadline = scanDeadline(clock, limits.scanTimeoutMs, signal)
      let done = 0
      const scanFile = async (file: ScanFile): Promise<FileResult> => {
        const { outcome, begunAt, endedAt } = await analyze(
          owner,
          { ...jobOf(file, limits), ...(pack && { pack }) },
          deadline.signal,
        )
        done++
        onProgress?.(done, files.length)
        const result = fileResult(file, outcome, selected, config, reporting())
        onFile?.({
          language: file.language,
          bytes: Buffer.byteLength(file.code),
          outcome: outcome.status,
          violations: result.violations.length,
          begunAt,
          endedAt,
        })
        return result
      }
      try {
        return await Promise.all(files.map(scanFile))
      } finally {
        deadline.clear()
      }
    },
    rules(standard) {
      const selected = selectStandards(standard === undefined ? [] : [standard], standards)
      return [...rules().values()].map((rule) => describe(rule, selected)).filter((rule) => rule.standards.length > 0)
    },
    async health() {
      const started = performance.now()
      const { outcome } = await pool.run(PROBER, PROBE)
      const latencyMs = Math.round((performance.now() - started) * 10) / 10
      if (outcome.status !== 'done') return { status: 'down', latencyMs }
      return { status: latencyMs > SLOW_PROBE_MS ? 'degraded' : 'healthy', latencyMs }
    },
    waitingFiles: () => pool.waiting(),
    close: () => pool.close(),
  }
}

/** Owns what nobody has asked for. */
const PROBER = 'health'

const PROBE: Job = { code: 'let a = 1', language: 'javascript', filename: 'probe.js', timeoutMs: 5000, maxSteps: 1000 }
const SLOW_PROBE_MS = 2000

const jobOf = (file: ScanFile, limits: ScanLimits): Job => ({
  code: file.code,
  language: file.language,
  filename: filenameOf(file),
  timeoutMs: limits.fileTimeoutMs,
  maxSteps: limits.maxSteps,
  parsing: { parseMs: limits.parseMs, parseMsPerKb: limits.parseMsPerKb },
})

/** Ends a scan with its caller, or when it has taken too long. */
function scanDeadline(clock: Clock, timeoutMs: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal?.reason)
  if (signal?.aborted === true) abort()
  signal?.addEventListener('abort', abort, { once: true })
  const timedOut = new AppError('timeout', 'The scan took too long.')
  const cancelTimer = clock.setTimeout(() => controller.abort(timedOut), timeoutMs)
  const clear = (): void => {
    cancelTimer()
    signal?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, clear }
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
