/** The scanner's part of the configuration file, and what it becomes. */
import { z } from 'zod'
import { DAY_MS } from '#platform/clock.js'
import { type ScanLimits, defaultLimits, languages } from './engine/index.js'
import { contractTiers, type TierLimits } from './limits/rate-limits.js'
import type { ScanTier } from '#platform/vocabulary/words.js'

const positive = (value: number) => z.int().positive().default(value)

const names = (min: number) => z.array(z.string().min(1).max(200)).min(min).max(50)

/** Functions of agents whose arguments hold code. */
const answerTool = z.strictObject({
  /** `*` stands for any text. */
  name: z.string().min(1).max(200),
  /** Arguments with code, `a.b` for one within another. */
  code: names(1),
  /** Arguments with the path of the file. */
  path: names(0).default([]),
  language: z.enum(languages).nullish(),
  /** The code is a patch. */
  patch: z.boolean().default(false),
})

const scannerConfig = z.strictObject({
  /** Analyzer processes; one per core when left out. */
  analyzers: z.int().min(1).max(256).optional(),
  /** Names of the enabled standards; all when left out. */
  standards: z.array(z.string()).min(1).optional(),
  file_bytes: positive(defaultLimits.maxFileBytes),
  files: positive(defaultLimits.maxFiles),
  batch_bytes: positive(defaultLimits.maxBatchBytes),
  /** A request's JSON is larger than the code in it, because quotes and line ends are escaped. */
  body_bytes: positive(3 * defaultLimits.maxBatchBytes),
  file_seconds: z
    .number()
    .positive()
    .max(600)
    .default(defaultLimits.fileTimeoutMs / 1000),
  scan_seconds: z
    .number()
    .positive()
    .max(3600)
    .default(defaultLimits.scanTimeoutMs / 1000),
  /** Scans under way at once in one process; more are refused with 429. */
  open_scans: positive(64),
  /** The same for one account. */
  open_scans_per_account: positive(8),
  /** Files up to this size never wait for larger ones of another account. */
  small_file_bytes: positive(defaultLimits.smallFileBytes),
  /** Processor time for parsing one file, for the file and for each kilobyte; the analysis may take three times as much. */
  parse_ms: positive(defaultLimits.parseMs),
  parse_ms_per_kb: positive(defaultLimits.parseMsPerKb),
  /** Beside those of agents in use; the first that fits wins. */
  answer_tools: z.array(answerTool).max(500).default([]),
  /** How long scans are kept. */
  keep_days: positive(30),
  enterprise: z.strictObject({ per_minute: positive(3_000), per_day: positive(1_000_000) }).prefault({}),
})

export const complianceConfig = z.strictObject({ scanner: scannerConfig.prefault({}) })
export type ScannerConfigFile = z.output<typeof scannerConfig>

export interface ComplianceOptions {
  readonly analyzers?: number
  /** Null for all. */
  readonly standards: readonly string[] | null
  readonly limits: ScanLimits
  readonly maxOpenScans: number
  readonly maxOpenScansOfAccount: number
  readonly keepMs: number
  readonly tiers: Readonly<Record<ScanTier, TierLimits>>
}

export const complianceOptions = (config: ScannerConfigFile): ComplianceOptions => ({
  ...(config.analyzers !== undefined && { analyzers: config.analyzers }),
  standards: config.standards ?? null,
  limits: {
    ...defaultLimits,
    maxFileBytes: config.file_bytes,
    maxFiles: config.files,
    maxBatchBytes: config.batch_bytes,
    fileTimeoutMs: config.file_seconds * 1000,
    scanTimeoutMs: config.scan_seconds * 1000,
    smallFileBytes: config.small_file_bytes,
    parseMs: config.parse_ms,
    parseMsPerKb: config.parse_ms_per_kb,
  },
  maxOpenScans: config.open_scans,
  maxOpenScansOfAccount: config.open_scans_per_account,
  keepMs: config.keep_days * DAY_MS,
  tiers: {
    ...contractTiers,
    enterprise: { perMinute: config.enterprise.per_minute, perDay: config.enterprise.per_day },
  },
})
