/** The span of a scan, with one for each of its files that took longest. */
import type { Clock } from '#platform/clock.js'
import type { TraceSpan } from '#platform/requests/tracing.js'
import type { FileTiming } from '../engine/index.js'

/** A batch may have hundreds of files: a trace shows those that its time went to. */
const TRACED_FILES = 20

export class ScanSpan {
  readonly #files: FileTiming[] = []

  constructor(
    private readonly span: TraceSpan,
    private readonly clock: Clock,
  ) {}

  noteFile(file: FileTiming): void {
    if (this.span.isRecorded) this.#files.push(file)
  }

  end(outcome: 'done' | 'failed'): void {
    const now = this.clock.monotonic()
    for (const { language, bytes, outcome: how, violations, begunAt, endedAt } of this.#slowest()) {
      this.span.past(
        `scan_file ${language}`,
        { begunMs: now - begunAt, endedMs: now - endedAt, ...(how !== 'done' && { failedAs: how }) },
        {
          'sluice.scan.file.language': language,
          'sluice.scan.file.bytes': bytes,
          'sluice.scan.file.findings': violations,
          'sluice.scan.file.outcome': how,
        },
      )
    }
    if (outcome === 'failed') this.span.fail('failed')
    this.span.end()
  }

  /** In the order in which they were begun. */
  #slowest(): FileTiming[] {
    const seconds = ({ begunAt, endedAt }: FileTiming) => endedAt - begunAt
    const slowest = this.#files.toSorted((a, b) => seconds(b) - seconds(a)).slice(0, TRACED_FILES)
    return slowest.toSorted((a, b) => a.begunAt - b.begunAt)
  }
}
