/**
 * A scan: what was asked, how far it is and what was found.
 *
 * States: running -> completed or error, both final. A scan of one file is stored when it has ended; a batch from its start, so
 * that its progress can be followed. The code itself is never stored.
 */
import { defineEntity, p } from '@mikro-orm/core'
import { json, time } from '#platform/database/columns.js'
import type { Row } from '#platform/database/tables.js'
import type { Language, Violation, ViolationSummary } from '../engine/index.js'

export const scanStatuses = ['running', 'completed', 'error'] as const
export type ScanStatus = (typeof scanStatuses)[number]

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

export const ScanEntity = defineEntity({
  name: 'Scan',
  tableName: 'scan',
  indexes: [
    { name: 'scan_account', properties: ['accountId', 'id'] },
    { name: 'scan_created', properties: ['createdAt'] },
  ],
  properties: {
    id: p.string().length(40).primary(),
    accountId: p.string().length(40),
    status: p.string().$type<ScanStatus>().length(12),
    fileCount: p.integer(),
    filesDone: p.integer(),
    critical: p.integer(),
    high: p.integer(),
    medium: p.integer(),
    low: p.integer(),
    /** The standards that were asked for. */
    standards: json<readonly string[]>(),
    /** With their violations; null until the scan has ended. */
    files: json<readonly ScannedFile[]>().nullable(),
    /** Why the scan as a whole ended without results. */
    error: p.text().nullable(),
    createdAt: time(),
    finishedAt: time().nullable(),
  },
})

type ScanRow = Row<typeof ScanEntity>

/** `files` is null also where they were not read with the scan. */
export interface Scan extends Omit<ScanRow, keyof ViolationSummary> {
  readonly summary: ViolationSummary
}

/** Without the files, which can be megabytes. */
export type ScanOutline = Omit<ScanRow, 'files'>

/** A row counts the violations of each severity; their sum is worked out. */
export function rowOf({ summary: { totalViolations: _sum, ...counts }, ...fields }: Scan): ScanRow {
  return { ...fields, ...counts }
}

export function scanOf({ critical, high, medium, low, ...fields }: ScanOutline): Scan {
  const totalViolations = critical + high + medium + low
  return { ...fields, files: null, summary: { totalViolations, critical, high, medium, low } }
}

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
