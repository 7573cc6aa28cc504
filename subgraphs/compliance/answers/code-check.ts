/** Code that a model has written: the blocks of an answer, scanned before somebody runs them. Nothing is stored. */
import { AppError, toAppError } from '#platform/errors.js'
import {
  detectLanguage,
  type Language,
  parseLanguage,
  type ScanFile,
  type Scanner,
  selectStandards,
  severities,
  type Severity,
  type Standard,
  type Violation,
} from '../engine/index.js'
import type { RateLimits } from '../limits/rate-limits.js'
import type { ScanAccountsPort } from '../ports.js'

/** A block of code, with the word that stands behind its fence; empty without one. */
export interface CodeBlock {
  readonly code: string
  readonly label: string
}

export interface CodeCheckRequest {
  readonly accountId: string
  readonly blocks: readonly CodeBlock[]
  /** Names in any letter case; all enabled standards when empty. */
  readonly standards: readonly string[]
  /** Nothing below it is told. */
  readonly minSeverity: Severity
  /** No part of what the account may ask: somebody else demands it. */
  readonly isUnmetered?: boolean
  readonly signal: AbortSignal
}

export const codeCheckStatuses = ['complete', 'failed'] as const

export interface CodeCheck {
  /** `failed`: some block could not be looked at, so that findings may be missing; `message` says why. */
  readonly status: (typeof codeCheckStatuses)[number]
  readonly message: string | null
  readonly findings: readonly CodeFinding[]
  /** Blocks in one of our languages, which is how many were looked at. */
  readonly scannedBlocks: number
}

export interface CodeFinding {
  /** The place of the block among those that were asked about, from 0. */
  readonly block: number
  readonly language: Language
  /** Its lines are counted within the block. */
  readonly violation: Violation
}

export interface CodeChecks {
  /**
   * Never fails for what is in the blocks: the answer that they come from is paid for and goes to its caller anyway.
   *
   * @throws AppError 400 for an unknown standard
   */
  check(request: CodeCheckRequest): Promise<CodeCheck>
  /** The names of these standards as we write them. @throws AppError 400 for an unknown one */
  standardsNamed(names: readonly string[]): string[]
}

export interface CodeChecksOptions {
  readonly scanner: Scanner
  /** The enabled ones. */
  readonly standards: readonly Standard[]
  /** Of their own: answers do not use up what the scan API may do. */
  readonly rateLimits: RateLimits
  readonly accounts: ScanAccountsPort
  /** For faults that the caller hears of in a word only; goes to the log. */
  readonly onFault: (error: unknown) => void
}

const NOTHING: CodeCheck = { status: 'complete', message: null, findings: [], scannedBlocks: 0 }

export function createCodeChecks({ scanner, standards, rateLimits, accounts, onFault }: CodeChecksOptions): CodeChecks {
  return {
    standardsNamed: (names) => (names.length === 0 ? [] : selectStandards(names, standards).map(({ name }) => name)),
    async check({ accountId, blocks, standards: named, minSeverity, isUnmetered = false, signal }) {
      const selected = selectStandards(named, standards).map(({ name }) => name)
      const files = blocks.flatMap(fileOf)
      if (files.length === 0) return NOTHING
      try {
        if (!isUnmetered) await rateLimits.consume(accountId, await accounts.scanTier(accountId), files.length)
        const results = await scanner.scan(files, { standards: selected, owner: accountId }, signal)
        // A file whose analysis stopped early has no error, and may have more than was found.
        const unread = results.find(({ error, isTruncated }) => error !== null || isTruncated)
        return {
          status: unread === undefined ? 'complete' : 'failed',
          message: unread ? (unread.error ?? unread.warnings[0] ?? 'The analysis of this code stopped early.') : null,
          scannedBlocks: files.length,
          findings: results.flatMap(({ violations, language }, at) =>
            violations
              .filter(({ severity }) => severities.indexOf(severity) <= severities.indexOf(minSeverity))
              .map((violation) => ({ block: files[at]!.block, language, violation })),
          ),
        }
      } catch (thrown) {
        if (signal.aborted) throw new AppError('client_closed_request', 'The client left.', { cause: thrown })
        const fault = toAppError(thrown)
        if (fault.code === 'server_error') onFault(thrown)
        return { ...NOTHING, status: 'failed', message: fault.message }
      }
    },
  }
}

/** A block as a file; none for a language that is not ours. */
function fileOf({ code, label }: CodeBlock, block: number): (ScanFile & { readonly block: number })[] {
  // Some write `src/app.py`, or the title of a file, where others write its language.
  const language = parseLanguage(label) ?? detectLanguage(label, code.slice(0, code.indexOf('\n')))
  return language === undefined || code.trim() === '' ? [] : [{ code, language, block }]
}
