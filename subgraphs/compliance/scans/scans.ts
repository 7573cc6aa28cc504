/** The verbs on scans: admit one, run it, keep what it found, read it again. */
import type { Clock } from '#platform/clock.js'
import { AppError, toAppError } from '#platform/errors.js'
import { newId } from '#platform/ids.js'
import {
  type FileResult,
  type ScanFile,
  type Scanner,
  type Standard,
  addSummaries,
  namelessMessage,
  selectStandards,
} from '../engine/index.js'
import type { ScanAccountsPort } from '../ports.js'
import type { RateLimits } from '../limits/rate-limits.js'
import { endStatus, type Scan, type ScannedFile } from './scan.js'
import { reportProgress, type ProgressOptions } from './scan-progress.js'
import type { ScanPage, ScanStore } from './scan-store.js'

export interface ScanRequest {
  readonly accountId: string
  /** Of the request that scans: progress is published under it. */
  readonly requestId: string
  readonly files: readonly ScanFile[]
  /** Names in any letter case; all enabled standards when empty. */
  readonly standards: readonly string[]
  readonly keepSnippets: boolean
  readonly signal: AbortSignal
}

export interface Scans {
  /** One file. It is stored once it has ended. */
  scanCode(request: ScanRequest): Promise<Scan>
  /** Many files as one request; can be followed while it runs. */
  batchScan(request: ScanRequest): Promise<Scan>
  /** Answers at once with the running scan, which goes on after the request. */
  batchScanInBackground(request: ScanRequest): Promise<Scan>
  /** The account's scan, without its files. */
  find(id: string, accountId: string): Promise<Scan | null>
  /** In the order of the ids; null for what does not exist or belongs to another account. */
  findMany(ids: readonly string[], accountId: string): Promise<(Scan | null)[]>
  filesOf(ids: readonly string[]): Promise<Map<string, readonly ScannedFile[]>>
  list(accountId: string, first: number, after: string | null): Promise<ScanPage>
  /** Aborts what runs in the background and waits until that is stored. */
  stop(): Promise<void>
}

export interface ScansOptions extends ProgressOptions {
  readonly store: ScanStore
  readonly scanner: Scanner
  /** The enabled ones. */
  readonly standards: readonly Standard[]
  readonly rateLimits: RateLimits
  readonly accounts: ScanAccountsPort
  readonly clock: Clock
  /** Of all accounts, and of one: a batch in the background counts until it has ended. */
  readonly maxOpenScans: number
  readonly maxOpenScansOfAccount: number
}

export function createScans(options: ScansOptions): Scans {
  const { store, scanner, clock } = options
  const stopping = new AbortController()
  const background = new Set<Promise<unknown>>()
  /** By account; those without open scans are not in it. */
  const open = new Map<string, number>()
  const openOf = (accountId: string): number => open.get(accountId) ?? 0

  function leave({ accountId }: Scan): void {
    const left = openOf(accountId) - 1
    if (left > 0) open.set(accountId, left)
    else open.delete(accountId)
  }

  /** Counts the scan as open from its admission to the end of `work`. */
  async function admitted<T>(request: ScanRequest, work: (scan: Scan) => Promise<T>): Promise<T> {
    const scan = await admit(request)
    return work(scan).finally(() => leave(scan))
  }

  /** The checks behind key, body and language; the rate is counted first, also for what is refused because too much is open. */
  async function admit({ accountId, files, standards }: ScanRequest): Promise<Scan> {
    const selected = selectStandards(standards, options.standards).map(({ name }) => name)
    await options.rateLimits.consume(accountId, await options.accounts.scanTier(accountId))
    const all = [...open.values()].reduce((sum, count) => sum + count, 0)
    if (openOf(accountId) >= options.maxOpenScansOfAccount) {
      const message = `This account has ${openOf(accountId)} scans under way; ask again when one has ended.`
      throw new AppError('rate_limit', message, { retryAfterSeconds: BUSY_RETRY_SECONDS })
    }
    if (all >= options.maxOpenScans) {
      throw new AppError('rate_limit', 'The server is busy with other scans.', { retryAfterSeconds: BUSY_RETRY_SECONDS })
    }
    open.set(accountId, openOf(accountId) + 1)
    return {
      id: newId('scan', clock.now()),
      accountId,
      status: 'running',
      fileCount: files.length,
      filesDone: 0,
      summary: addSummaries([]),
      standards: [...new Set(selected)],
      files: null,
      error: null,
      createdAt: clock.now(),
      finishedAt: null,
    }
  }

  async function analyze(scan: Scan, request: ScanRequest, onProgress?: (done: number, total: number) => void): Promise<Scan> {
    try {
      const options = { standards: scan.standards, owner: request.accountId }
      const results = await scanner.scan(request.files, options, request.signal, onProgress)
      const files = results.map(scannedFile)
      const status = endStatus(files)
      return {
        ...scan,
        status,
        filesDone: files.length,
        summary: addSummaries(files.map(({ summary }) => summary)),
        files,
        ...ended(),
      }
    } catch (thrown) {
      throw request.signal.aborted ? new AppError('client_closed_request', 'The client left.', { cause: thrown }) : thrown
    }
  }

  const ended = () => ({ finishedAt: clock.now() })

  async function runBatch(scan: Scan, request: ScanRequest): Promise<Scan> {
    try {
      const done = await analyze(scan, request, reportProgress(scan.id, request.requestId, options))
      await store.finish(stored(done, request.keepSnippets))
      return done
    } catch (thrown) {
      const error = toAppError(thrown)
      await store.finish({ ...scan, status: 'error', error: error.message, ...ended() })
      throw error
    }
  }

  return {
    scanCode: (request) =>
      admitted(request, async (scan) => {
        const done = await analyze(scan, request)
        await store.insert(stored(done, request.keepSnippets))
        return done
      }),
    batchScan: (request) =>
      admitted(request, async (scan) => {
        await store.insert(scan)
        return runBatch(scan, request)
      }),
    batchScanInBackground: (request) =>
      new Promise((resolve, reject) => {
        const run = admitted(request, async (scan) => {
          await store.insert(scan)
          resolve(scan)
          // Faults are stored with the scan; a server that stops is one of them.
          await runBatch(scan, { ...request, signal: stopping.signal }).catch(options.onFault)
        }).catch(reject)
        background.add(run)
        void run.then(() => background.delete(run))
      }),
    async find(id, accountId) {
      const scan = await store.find(id)
      return scan?.accountId === accountId ? scan : null
    },
    async findMany(ids, accountId) {
      const found = new Map((await store.findMany([...new Set(ids)])).map((scan) => [scan.id, scan]))
      return ids.map((id) => {
        const scan = found.get(id)
        return scan?.accountId === accountId ? scan : null
      })
    },
    filesOf: (ids) => store.filesOf(ids),
    list: (accountId, first, after) => store.list(accountId, first, after),
    async stop() {
      stopping.abort()
      await Promise.all(background)
    },
  }
}

const BUSY_RETRY_SECONDS = 5

const scannedFile = ({
  filename,
  language,
  violations,
  summary,
  suppressed,
  warnings,
  isTruncated,
  error,
}: FileResult): ScannedFile => ({
  filename,
  language,
  violations,
  summary,
  suppressed,
  warnings,
  isTruncated,
  error,
})

/** What is kept: the caller's code is not, not even the lines around a violation or the names in them. */
function stored(scan: Scan, keepSnippets: boolean): Scan {
  if (keepSnippets || scan.files === null) return scan
  const withoutSnippets = (file: ScannedFile): ScannedFile => ({
    ...file,
    violations: file.violations.map((violation) => ({
      ...violation,
      codeSnippet: null,
      flow: violation.flow.map((step) => ({ ...step, message: namelessMessage(step.kind, step.message) })),
    })),
  })
  return { ...scan, files: scan.files.map(withoutSnippets) }
}
