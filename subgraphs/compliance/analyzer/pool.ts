/**
 * A pool of analyzer processes.
 *
 * A process works on one file at a time. It keeps the file's deadline itself; when it does not answer shortly after, it is killed
 * and replaced. So is one whose job nobody waits for any more: files that still wait must not wait for that. A process that grew
 * over the memory limit is replaced between jobs. Jobs wait in one queue in order of arrival.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { Clock } from '#platform/clock.js'
import { entryPoint } from '#platform/entry-point.js'
import type { AnalyzeReply, AnalyzeRequest, ReadyMessage } from './protocol.js'
import type { FileFindings } from './scan-file.js'

export interface PoolOptions {
  readonly size?: number
  readonly clock: Clock
  /** Over this resident size a process is replaced after its job. */
  readonly maxRssBytes?: number
  /** Heap limit of a process. */
  readonly maxHeapMb?: number
}

export type JobOutcome =
  | { readonly status: 'done'; readonly findings: FileFindings }
  | { readonly status: 'timeout' }
  | { readonly status: 'failed'; readonly message: string }

type Job = Omit<AnalyzeRequest, 'id'>

export interface AnalyzerPool {
  run(job: Job, signal?: AbortSignal): Promise<JobOutcome>
  readonly size: number
  readonly busy: number
  close(): Promise<void>
}

/** What a process may take longer than its deadline before it is killed. */
const graceMs = 400
/** What a new process may take until it has read the rules. */
const startupMs = 10_000
/** What a cancelled job may still take: most files end within it, and a new process costs more than to wait for that. */
const cancelGraceMs = 50

interface Waiting {
  readonly job: Job
  readonly resolve: (outcome: JobOutcome) => void
  isCancelled: boolean
}

interface Worker {
  process: ChildProcess | null
  isReady: boolean
  current: Waiting | null
  id: number
  cancelTimer: (() => void) | null
}

export function createPool(options: PoolOptions): AnalyzerPool {
  const { clock, maxRssBytes = 550_000_000, maxHeapMb = 384 } = options
  const size = Math.max(1, options.size ?? availableParallelism())
  const workers: Worker[] = Array.from({ length: size }, () => ({
    process: null,
    isReady: false,
    current: null,
    id: 0,
    cancelTimer: null,
  }))
  const queue: Waiting[] = []
  let isClosed = false

  const start = (worker: Worker): ChildProcess => {
    const child = fork(entryPoint('./process.js', import.meta.url), [], {
      execArgv: ['--liftoff-only', '--max-semi-space-size=16', `--max-old-space-size=${maxHeapMb}`, '--stack-size=1800'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    child.on('message', (message: AnalyzeReply | ReadyMessage) => {
      if (worker.process !== child) return
      if (!('ready' in message)) return onReply(worker, message)
      worker.isReady = true
      if (worker.current !== null) limitTime(worker, timeOf(worker.current))
    })
    child.on('exit', () => {
      if (worker.process !== child) return
      worker.process = null
      finish(worker, { status: 'failed', message: 'The analyzer ended unexpectedly.' })
    })
    child.on('error', () => child.kill('SIGKILL'))
    worker.process = child
    worker.isReady = false
    return child
  }

  /** A new process at once, so that the next job does not wait for its start. */
  const restart = (worker: Worker): void => {
    discard(worker)
    if (!isClosed) release(start(worker))
  }

  const limitTime = (worker: Worker, delayMs: number): void => {
    worker.cancelTimer?.()
    worker.cancelTimer = clock.setTimeout(() => {
      restart(worker)
      finish(worker, { status: 'timeout' })
    }, delayMs)
  }

  const finish = (worker: Worker, outcome: JobOutcome): void => {
    worker.cancelTimer?.()
    worker.cancelTimer = null
    const { current } = worker
    worker.current = null
    if (worker.process !== null) release(worker.process)
    current?.resolve(outcome)
    pump()
  }

  const onReply = (worker: Worker, reply: AnalyzeReply): void => {
    if (worker.current === null || reply.id !== worker.id) return
    if (reply.rssBytes > maxRssBytes) restart(worker)
    finish(worker, reply.ok ? { status: 'done', findings: reply.findings } : { status: 'failed', message: reply.message })
  }

  const discard = (worker: Worker): void => {
    const child = worker.process
    worker.process = null
    child?.kill('SIGKILL')
  }

  const assign = (worker: Worker, waiting: Waiting): void => {
    const child = worker.process ?? start(worker)
    child.ref()
    child.channel?.ref()
    worker.current = waiting
    worker.id++
    const request: AnalyzeRequest = { id: worker.id, ...waiting.job }
    limitTime(worker, timeOf(waiting) + (worker.isReady ? 0 : startupMs))
    child.send(request)
  }

  const pump = (): void => {
    if (isClosed) return
    for (const worker of workers) {
      if (worker.current !== null) continue
      const next = queue.shift()
      if (next === undefined) return
      assign(worker, next)
    }
  }

  /** Takes a job out of the queue, or ends the process that works on it unless it answers very soon. */
  const cancel = (waiting: Waiting): void => {
    waiting.isCancelled = true
    const at = queue.indexOf(waiting)
    if (at !== -1) queue.splice(at, 1)
    const worker = workers.find(({ current }) => current === waiting)
    if (worker?.isReady === true) limitTime(worker, timeOf(waiting))
  }

  return {
    size,
    get busy() {
      return workers.filter((worker) => worker.current !== null).length
    },
    run(job, signal) {
      return new Promise((resolve, reject) => {
        if (isClosed) return resolve({ status: 'failed', message: 'The scanner is closed.' })
        if (signal?.aborted) return reject(signal.reason as Error)
        const onAbort = (): void => {
          cancel(waiting)
          reject(signal?.reason as Error)
        }
        const waiting: Waiting = {
          job,
          isCancelled: false,
          resolve: (outcome) => {
            signal?.removeEventListener('abort', onAbort)
            resolve(outcome)
          },
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        queue.push(waiting)
        pump()
      })
    },
    async close() {
      isClosed = true
      for (const waiting of queue.splice(0)) waiting.resolve({ status: 'failed', message: 'The scanner is closed.' })
      await Promise.all(workers.map(stop))
    },
  }

  function stop(worker: Worker): Promise<void> {
    const child = worker.process
    worker.process = null
    const { current } = worker
    worker.current = null
    worker.cancelTimer?.()
    current?.resolve({ status: 'failed', message: 'The scanner is closed.' })
    if (child === null || child.exitCode !== null) return Promise.resolve()
    return new Promise((resolve) => {
      child.ref()
      child.once('exit', () => resolve())
      child.kill('SIGKILL')
    })
  }
}

const timeOf = ({ job, isCancelled }: Waiting): number => (isCancelled ? cancelGraceMs : job.timeoutMs + graceMs)

/** An idle process does not keep its parent alive. */
function release(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}
