/**
 * A scan: what was asked, how far it is and what was found.
 *
 * States: running -> completed or error, both final. A scan of one file is stored when it has ended; a batch from its start, so
 * that its progress can be followed. The code itself is never stored.
 */
import { defineEntity, p } from '@mikro-orm/core'
import type { Language, Violation, ViolationSummary } from '../engine/index.js'

export type ScanStatus = 'running' | 'completed' | 'error'

/** What is kept of one file. Code snippets are null, and the steps of flows without names, unless the caller asked to keep snippets. */
export interface ScannedFile {
  readonly filename: string
  readonly language: Language
  readonly violations: readonly ScanViolation[]
  readonly summary: ViolationSummary
  /** Findings that comments in the file accepted. */
  readonly suppressed: number
  readonly warnings: readonly string[]
  readonly isTruncated: boolean
  readonly error: string | null
}

export type ScanViolation = Omit<Violation, 'codeSnippet'> & { readonly codeSnippet: string | null }

export interface Scan {
  readonly id: string
  readonly accountId: string
  readonly status: ScanStatus
  readonly fileCount: number
  readonly filesDone: number
  readonly summary: ViolationSummary
  /** The standards that were asked for. */
  readonly standards: readonly string[]
  /** Null where they were not read with the scan. */
  readonly files: readonly ScannedFile[] | null
  /** Why the scan as a whole ended without results. */
  readonly error: string | null
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly finishedAt: number | null
}

const ScanEntity = defineEntity({
  name: 'Scan',
  tableName: 'scan',
  indexes: [
    { name: 'scan_account', properties: ['accountId', 'id'] },
    { name: 'scan_created', properties: ['createdAt'] },
  ],
  properties: {
    id: p.string().length(40).primary(),
    accountId: p.string().length(40),
    status: p.string().length(12),
    fileCount: p.integer(),
    filesDone: p.integer(),
    critical: p.integer(),
    high: p.integer(),
    medium: p.integer(),
    low: p.integer(),
    /** JSON: names of standards. */
    standards: p.text(),
    /** JSON: the scanned files with their violations; null until the scan has ended. */
    files: p.text().nullable(),
    error: p.text().nullable(),
    createdAt: p.bigint('bigint'),
    finishedAt: p.bigint('bigint').nullable(),
  },
})

/**
 * The table of the rate limits on Postgres, in the form that rate-limiter-flexible reads and writes. It is unused on SQLite,
 * where one process counts in memory.
 */
const RateLimitEntity = defineEntity({
  name: 'ScanRateLimit',
  tableName: 'scan_rate_limit',
  properties: {
    key: p.string().length(255).primary(),
    points: p.integer().default(0),
    expire: p.bigint('bigint').nullable(),
  },
})

export const complianceEntities = [ScanEntity, RateLimitEntity]

/** A scan in which not one file could be analyzed has failed; an empty one has not. */
export const endStatus = (files: readonly Pick<ScannedFile, 'error'>[]): ScanStatus =>
  files.length > 0 && files.every(({ error }) => error !== null) ? 'error' : 'completed'
