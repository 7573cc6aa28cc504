/** The verbs on scans: admit one, run it, keep what it found, read it again. */
import type { Clock } from '#platform/clock.js'
import { AppError, toAppError } from '#platform/errors.js'
import type { TraceSpan } from '#platform/requests/tracing.js'
import type { Page, PageRequest } from '#platform/paging/page.js'
import { addSummaries, namelessMessage, type FileTiming, type ScanFile, type Scanner } from '../engine/index.js'
import { createOpenScans, type OpenScansOptions } from './open-scans.js'
import { endStatus, type Scan, type ScannedFile } from './scan.js'
import { reportProgress, type ProgressOptions } from './scan-progress.js'
import { ScanSpan } from './scan-span.js'
import type { ScanStore } from './scan-store.js'

export interface ScanRequest {
  readonly accountId: string
  /** Of the request that scans: progress is published under it. */
  readonly requestId: string
  readonly files: readonly ScanFile[]
  /** Names in any letter case; all enabled standards when empty. */
  readonly standards: readonly string[]
  readonly keepSnippets: boolean
  readonly signal: AbortSignal
  /** Where the scan's span goes, where somebody traces. */
  readonly span?: TraceSpan | undefined
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
  /** Newest first. */
  list(accountId: string, page: PageRequest): Promise<Page<Scan>>
  count(accountId: string): Promise<number>
  /** Aborts what runs in the background and waits until that is stored. */
  stop(): Promise<void>
}

export interface ScansOptions extends ProgressOptions, OpenScansOptions {
  readonly store: ScanStore
  readonly scanner: Scanner
  readonly clock: Clock
  /** Hears how a scan that was admitted went. */
  readonly onEnd: (kind: 'file' | 'batch', outcome: 'done' | 'failed', seconds: number) => void
}

export function createScans(options: ScansOptions): Scans {
  const { store, scanner, clock } = options
  const stopping = new AbortController()
  const background = new Set<Promise<unknown>>()
  const openScans = createOpenScans(options)
  const ended = () => ({ finishedAt: clock.now() })

  async function analyze(scan: Scan, request: ScanRequest, onProgress?: (done: number, total: number) => void): Promise<Scan> {
    const observed = observe(scan, request, onProgress ? 'batch' : 'file', options)
    try {
      const how = { standards: scan.standards, owner: request.accountId, onFile: observed.onFile }
      const files = await scanner.scan(request.files, how, request.signal, onProgress)
      observed.ended('done')
      const summary = addSummaries(files.map((file) => file.summary))
      return { ...scan, status: endStatus(files), filesDone: files.length, summary, files, ...ended() }
    } catch (thrown) {
      observed.ended('failed')
      throw request.signal.aborted ? new AppError('client_closed_request', 'The client left.', { cause: thrown }) : thrown
    }
  }

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
      openScans.admitted(request, async (scan) => {
        const done = await analyze(scan, request)
        await store.insert(stored(done, request.keepSnippets))
        return done
      }),
    batchScan: (request) =>
      openScans.admitted(request, async (scan) => {
        await store.insert(scan)
        return runBatch(scan, request)
      }),
    batchScanInBackground: (request) =>
      new Promise((resolve, reject) => {
        const run = openScans
          .admitted(request, async (scan) => {
            await store.insert(scan)
            resolve(scan)
            // Faults are stored with the scan; a server that stops is one of them.
            await runBatch(scan, { ...request, signal: stopping.signal }).catch(options.onFault)
          })
          .catch(reject)
        background.add(run)
        void run.then(() => background.delete(run))
      }),
    find: async (id, accountId) => seenBy(accountId, await store.find(id)),
    async findMany(ids, accountId) {
      const found = new Map((await store.findMany([...new Set(ids)])).map((scan) => [scan.id, scan]))
      return ids.map((id) => seenBy(accountId, found.get(id)))
    },
    filesOf: (ids) => store.filesOf(ids),
    list: (accountId, page) => store.list(accountId, page),
    count: (accountId) => store.count(accountId),
    async stop() {
      stopping.abort()
      await Promise.all(background)
    },
  }
}

/** Hears of the files of the scan that begins now, and tells how it went. */
function observe({ id }: Scan, { span: parent, files }: ScanRequest, kind: 'file' | 'batch', { clock, onEnd }: ScansOptions) {
  const begunAt = clock.monotonic()
  const span = parent && new ScanSpan(parent.child('scan', { 'sluice.scan.id': id, 'sluice.scan.files': files.length }), clock)
  return {
    onFile: (file: FileTiming) => span?.noteFile(file),
    ended(outcome: 'done' | 'failed') {
      span?.end(outcome)
      onEnd(kind, outcome, (clock.monotonic() - begunAt) / 1_000)
    },
  }
}

/** Other accounts' scans do not exist. */
const seenBy = <Found extends { readonly accountId: string }>(accountId: string, scan: Found | null | undefined): Found | null =>
  scan?.accountId === accountId ? scan : null

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
