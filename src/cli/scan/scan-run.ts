/** One run of `sluice scan`: reads the files in portions, scans what is not cached, and narrows the results to what was asked. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  addSummaries,
  createScanner,
  defaultLimits,
  parseConfig,
  summarize,
  type ComplianceConfig,
  type FileResult,
  type Scanner,
} from '../../../subgraphs/compliance/engine/index.js'
import { batchScanBody } from '../../edge/scan/scan-body.js'
import type { BatchScanBody } from '../../edge/scan/scan-output.js'
import type { IsAccepted } from './scan-baseline.js'
import { fileKey, runKey, type ScanCache } from './scan-cache.js'
import type { ChangedLines } from './scan-diff.js'
import type { SourceFile } from './scan-files.js'

export interface ScanRun {
  readonly workingDirectory: string
  readonly files: readonly SourceFile[]
  readonly standards: readonly string[]
  readonly config: ComplianceConfig | undefined
  readonly cache: ScanCache
  /** For a portion of 200 files. */
  readonly timeLimitMs: number
  /** By the baseline; null without one. */
  readonly isAccepted: IsAccepted | null
  /** Only violations on these lines are results; null for all. */
  readonly changed: ChangedLines | null
  /** How many files have been scanned or left out. */
  readonly onProgress: (done: number) => void
  /** What a person should know about a file that was left out. */
  readonly onSkipped: (note: string) => void
}

const CONFIG_NAMES = ['.compliance.yml', '.compliance.yaml']
/** A portion is read, scanned and let go before the next, so that memory does not grow with the project. */
const PORTION = 200

/**
 * The nearest configuration at or above the folder, up to the root of the repository.
 *
 * @throws AppError 400 that names the file and the field at fault
 */
export function findConfig(folder: string): ComplianceConfig | undefined {
  for (const name of CONFIG_NAMES) {
    const file = join(folder, name)
    if (existsSync(file)) return parseConfig(readFileSync(file, 'utf8'), file)
  }
  const parent = dirname(folder)
  return parent === folder || existsSync(join(folder, '.git')) ? undefined : findConfig(parent)
}

/** All results, the accepted and unchanged ones left out. @throws AppError 400 for an unknown standard. */
export async function runScan(run: ScanRun): Promise<BatchScanBody> {
  const scanner = createScanner({
    limits: { maxFiles: PORTION, maxBatchBytes: PORTION * defaultLimits.maxFileBytes, scanTimeoutMs: run.timeLimitMs },
  })
  try {
    const key = runKey({ standards: run.standards, config: run.config, day: expiryDay(run.config) })
    const results: FileResult[] = []
    for (let at = 0; at < run.files.length; at += PORTION) {
      results.push(...(await scanPortion(scanner, run, key, run.files.slice(at, at + PORTION), at)))
    }
    const narrowed = results.map((result) => narrow(result, run))
    return batchScanBody(narrowed, addSummaries(narrowed.map(({ summary }) => summary)))
  } finally {
    await scanner.close()
  }
}

/** Accepted violations expire by the day, so a cached result is good for its day only. */
const expiryDay = (config: ComplianceConfig | undefined): string | null =>
  config?.ignore.some(({ expires }) => expires !== undefined) ? new Date().toISOString().slice(0, 10) : null

async function scanPortion(
  scanner: Scanner,
  run: ScanRun,
  key: string,
  files: readonly SourceFile[],
  before: number,
): Promise<FileResult[]> {
  const read = files.flatMap((file) => {
    const code = readCode(file, run)
    return code === null ? [] : [{ file, code, key: fileKey(key, file.name, file.language, code) }]
  })
  const known = new Map(read.map((one) => [one, run.cache.find(one.key)]))
  const fresh = read.filter((one) => known.get(one) === null)
  const skipped = files.length - fresh.length
  run.onProgress(before + skipped)
  const inputs = fresh.map(({ file, code }) => ({ code, language: file.language, filename: file.name }))
  const { standards, config } = run
  const scanned = await scanner.scan(
    inputs,
    { ...(standards.length > 0 && { standards }), ...(config && { config }) },
    undefined,
    (done) => run.onProgress(before + skipped + done),
  )
  fresh.forEach((one, at) => {
    const result = scanned[at]
    if (!result) return
    run.cache.store(one.key, result)
    known.set(one, result)
  })
  return read.flatMap((one) => known.get(one) ?? [])
}

/** The text, or null for what is no source code that can be scanned. */
function readCode({ name }: SourceFile, { workingDirectory, onSkipped }: ScanRun): string | null {
  const bytes = readIfThere(join(workingDirectory, name))
  if (bytes === null) {
    onSkipped(`${name}: not there any more or not readable, left out.`)
    return null
  }
  if (bytes.length > defaultLimits.maxFileBytes) {
    onSkipped(`${name}: larger than ${defaultLimits.maxFileBytes} bytes, left out.`)
    return null
  }
  return bytes.includes(0) ? null : bytes.toString('utf8')
}

/** Branches are switched and builds write while a long scan runs: one file is no reason to lose the others. */
function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

function narrow(result: FileResult, { isAccepted, changed }: ScanRun): FileResult {
  if (!isAccepted && !changed) return result
  const lines = changed?.get(result.filename)
  const isChanged = (line: number): boolean => !changed || lines === 'all' || lines?.has(line) === true
  const violations = result.violations.filter(
    ({ fingerprint, line }) => isChanged(line) && !isAccepted?.(result.filename, fingerprint),
  )
  return { ...result, violations, summary: summarize(violations) }
}
