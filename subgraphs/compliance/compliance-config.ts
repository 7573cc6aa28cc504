/** The scanner's part of the configuration file, and what it becomes. */
import { z } from 'zod'
import { defaultLimits, type ScanLimits } from './scanner.js'
import { contractTiers, type TierLimits } from './rate-limits.js'
import type { ScanTier } from './ports.js'

const positive = (value: number) => z.int().positive().default(value)

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
  readonly keepMs: number
  readonly tiers: Readonly<Record<ScanTier, TierLimits>>
}

const DAY_MS = 86_400_000

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
  },
  maxOpenScans: config.open_scans,
  keepMs: config.keep_days * DAY_MS,
  tiers: {
    ...contractTiers,
    enterprise: { perMinute: config.enterprise.per_minute, perDay: config.enterprise.per_day },
  },
})
