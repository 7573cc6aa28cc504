/** The verbs on scans: admit one, run it, keep what it found, read it again. */
import type { Clock } from '#platform/clock.js'
import { AppError, toAppError } from '#platform/errors.js'
import { newId } from '#platform/ids.js'
import type { ScanAccountsPort } from './ports.js'
import type { RateLimits } from './rate-limits.js'
import { selectStandards, type Standard } from './report/standards.js'
import { addSummaries } from './report/violation.js'
import { endStatus, type Scan, type ScannedFile } from './scan.js'
import { reportProgress, type ProgressOptions } from './scan-progress.js'
import type { ScanPage, ScanStore } from './scan-store.js'
import type { FileResult, ScanFile, Scanner } from './scanner.js'

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
  readonly maxOpenScans: number
}

export function createScans(options: ScansOptions): Scans {
  const { store, scanner, clock } = options
  const stopping = new AbortController()
  const background = new Set<Promise<unknown>>()
  let open = 0

  /** The checks behind key, body and language; the rate is counted last, for requests that will be worked on. */
  async function admit({ accountId, files, standards }: ScanRequest): Promise<Scan> {
    const selected = selectStandards(standards, options.standards).map(({ name }) => name)
    await options.rateLimits.consume(accountId, await options.accounts.scanTier(accountId))
    if (open >= options.maxOpenScans) {
      throw new AppError('rate_limit', 'The server is busy with other scans.', { retryAfterSeconds: BUSY_RETRY_SECONDS })
    }
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
    open++
    try {
      const results = await scanner.scan(request.files, { standards: scan.standards }, request.signal, onProgress)
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
    } finally {
      open--
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
    async scanCode(request) {
      const done = await analyze(await admit(request), request)
      await store.insert(stored(done, request.keepSnippets))
      return done
    },
    async batchScan(request) {
      const scan = await admit(request)
      await store.insert(scan)
      return runBatch(scan, request)
    },
    async batchScanInBackground(request) {
      const scan = await admit(request)
      await store.insert(scan)
      // Faults are stored with the scan; a server that stops is one of them.
      const run = runBatch(scan, { ...request, signal: stopping.signal }).catch(options.onFault)
      background.add(run)
      void run.then(() => background.delete(run))
      return scan
    },
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

/** What is kept: the caller's code is not, not even the lines around a violation. */
function stored(scan: Scan, keepSnippets: boolean): Scan {
  if (keepSnippets || scan.files === null) return scan
  const withoutSnippets = (file: ScannedFile): ScannedFile => ({
    ...file,
    violations: file.violations.map((violation) => ({ ...violation, codeSnippet: null })),
  })
  return { ...scan, files: scan.files.map(withoutSnippets) }
}
