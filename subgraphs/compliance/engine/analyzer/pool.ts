/** A pool of analyzer processes that many owners share fairly (see fair-queue.ts). */
import { availableParallelism } from 'node:os'
import type { Clock } from '#platform/clock.js'
import { createFairQueue } from './fair-queue.js'
import { createWorker, type Job, type JobOutcome, type Worker } from './worker.js'

export interface PoolOptions {
  readonly size?: number
  readonly clock: Clock
  readonly rulesHash: () => string
  /** Files up to this size wait for no larger ones: one worker takes nothing else. Zero where all files have one owner. */
  readonly smallBytes: number
  /** Hears of each job that a worker has ended. */
  readonly onWork?: ((owner: string, job: Job, worked: Worked) => void) | undefined
}

/** What became of a job. */
export interface Worked {
  readonly outcome: JobOutcome
  /** Of the monotonic clock: when a worker began, and when it had ended. Its wait was before. */
  readonly begunAt: number
  readonly endedAt: number
}

export interface AnalyzerPool {
  run(owner: string, job: Job, signal?: AbortSignal): Promise<Worked>
  /** Jobs that no worker has taken yet. */
  waiting(): number
  close(): Promise<void>
}

const maxRssBytes = 550_000_000
const maxHeapMb = 384

interface Waiting {
  readonly job: Job
  readonly resolve: (worked: Worked) => void
  worker: Worker | null
}

export function createPool({ clock, rulesHash, size = defaultSize(), smallBytes, onWork }: PoolOptions): AnalyzerPool {
  const workers = Array.from({ length: size }, () => createWorker({ clock, rulesHash, maxRssBytes, maxHeapMb }))
  const reserved = smallBytes > 0 && workers.length > 1 ? workers[0] : undefined
  const queue = createFairQueue<Waiting>()
  const closed = (): Worked => {
    const now = clock.monotonic()
    return { outcome: { status: 'failed', message: 'The scanner is closed.' }, begunAt: now, endedAt: now }
  }
  let isClosed = false

  const pump = (): void => {
    for (const worker of workers) {
      if (worker.isBusy || isClosed) continue
      const next = queue.take(worker === reserved)
      if (next !== null) void work(worker, next.owner, next.job)
    }
  }
  const work = async (worker: Worker, owner: string, waiting: Waiting): Promise<void> => {
    waiting.worker = worker
    const begunAt = clock.monotonic()
    const outcome = await worker.run(waiting.job)
    const worked = { outcome, begunAt, endedAt: clock.monotonic() }
    onWork?.(owner, waiting.job, worked)
    queue.done(owner)
    waiting.resolve(worked)
    pump()
  }
  const cancel = (waiting: Waiting): void => (waiting.worker === null ? queue.remove(waiting) : waiting.worker.cancel())

  return {
    run: (owner, job, signal) =>
      new Promise((resolve, reject) => {
        if (isClosed) return resolve(closed())
        if (signal?.aborted) return reject(signal.reason as Error)
        let isAtWork = true
        const onAbort = (): void => {
          if (isAtWork) cancel(waiting)
          reject(signal?.reason as Error)
        }
        const waiting: Waiting = {
          job,
          worker: null,
          resolve(worked) {
            isAtWork = false
            signal?.removeEventListener('abort', onAbort)
            resolve(worked)
          },
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        queue.add(owner, waiting, job.code.length <= smallBytes)
        pump()
      }),
    waiting: () => queue.waiting,
    async close() {
      isClosed = true
      for (const waiting of queue.drain()) waiting.resolve(closed())
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}

/** Two on a machine with one core, so that one can be kept for small files. */
const defaultSize = (): number => Math.max(2, availableParallelism())
