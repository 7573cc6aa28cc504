/**
 * One analyzer process, seen from the server.
 *
 * It works on one file at a time and keeps the file's limits itself; when it does not answer shortly after its deadline, it is killed
 * and replaced. So is one whose job nobody waits for any more: files that still wait must not wait for that. A process that grew over
 * the memory limit is replaced between jobs.
 *
 * One that works on past the limit of a stage is killed too: parsers are asked to stop by a callback, but some spend seconds between
 * two calls of it, in time that grows with the square of the text. What counts is processor time, so that a busy machine ends nobody's
 * process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import type { Clock } from '#platform/clock.js'
import { compileCacheFolder, entryPoint } from '#platform/entry-point.js'
import { processorTimeOf } from './processor-time.js'
import type { AnalyzeReply, AnalyzeRequest, AnalyzerMessage, StageMessage } from './protocol.js'
import type { FileFindings } from './scan-file.js'

export type JobOutcome =
  | { readonly status: 'done'; readonly findings: FileFindings }
  | { readonly status: 'timeout' }
  | { readonly status: 'failed'; readonly message: string }

export type Job = Omit<AnalyzeRequest, 'id'>

export interface WorkerOptions {
  readonly clock: Clock
  /** Names the rules that are in force. Asked when a process starts. */
  readonly rulesHash: () => string
  /** Over this resident size a process is replaced after its job. */
  readonly maxRssBytes: number
  /** Heap limit of a process. */
  readonly maxHeapMb: number
  /** That a process has used, in milliseconds; null where the system does not tell. */
  readonly processorTime?: typeof processorTimeOf
}

export interface Worker {
  readonly isBusy: boolean
  /** Only while it is not busy. */
  run(job: Job): Promise<JobOutcome>
  /** Ends the job that is at work, unless it answers very soon. */
  cancel(): void
  close(): Promise<void>
}

/** What a process may take longer than its deadline before it is killed. */
const graceMs = 400
/** What a new process may take until it has read the rules. */
const startupMs = 10_000
/** What a cancelled job may still take: most files end within it, and a new process costs more than to wait for that. */
const cancelGraceMs = 50
/** How often a process is looked at while it works. */
const lookMs = 50
/** What a stage may take beyond its limit: it looks at that only now and then, and other threads of its process work too. */
const stageGraceMs = 300
/** Where the system tells no processor time, this much of the clock's stands for it. */
const clockFactor = 4

interface Current {
  readonly id: number
  readonly resolve: (outcome: JobOutcome) => void
  allowedMs: number
  stage: Stage | null
}

type Stage = StageMessage['stage'] & { readonly begunAt: number }

interface State {
  process: ChildProcess | null
  isReady: boolean
  isClosed: boolean
  current: Current | null
  lastId: number
  stopTimer: () => void
  stopLooking: () => void
}

export function createWorker(options: WorkerOptions): Worker {
  const state: State = {
    process: null,
    isReady: false,
    isClosed: false,
    current: null,
    lastId: 0,
    stopTimer: () => undefined,
    stopLooking: () => undefined,
  }
  return {
    get isBusy() {
      return state.current !== null
    },
    run: (job) =>
      new Promise((resolve) => {
        const child = state.process ?? tryToStart(state, options)
        if (child === null) return resolve({ status: 'failed', message: 'The analyzer cannot be started.' })
        child.ref()
        child.channel?.ref()
        const id = ++state.lastId
        state.current = { id, resolve, allowedMs: job.timeoutMs + graceMs, stage: null }
        limitTime(state, options, state.current.allowedMs + (state.isReady ? 0 : startupMs))
        child.send({ id, ...job } satisfies AnalyzeRequest)
      }),
    cancel() {
      if (state.current === null) return
      state.current.allowedMs = cancelGraceMs
      if (state.isReady) limitTime(state, options, cancelGraceMs)
    },
    async close() {
      state.isClosed = true
      const child = state.process
      finish(state, { status: 'failed', message: 'The scanner is closed.' })
      state.process = null
      if (child === null || child.exitCode !== null) return
      await new Promise((resolve) => {
        child.ref()
        child.once('exit', resolve)
        child.kill('SIGKILL')
      })
    },
  }
}

/** Null where the system has no room for it or its rules cannot be read: the next job tries again. */
function tryToStart(state: State, options: WorkerOptions): ChildProcess | null {
  try {
    return start(state, options)
  } catch {
    return null
  }
}

function start(state: State, options: WorkerOptions): ChildProcess {
  const child = fork(entryPoint('./process.js', import.meta.url), [options.rulesHash()], {
    execArgv: [
      '--liftoff-only',
      // The tree of a large file outlives many collections of a small nursery, and is copied in each of them.
      '--min-semi-space-size=16',
      '--max-semi-space-size=32',
      `--max-old-space-size=${options.maxHeapMb}`,
      '--stack-size=1800',
    ],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCacheFolder },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.on('message', (message: AnalyzerMessage) => {
    if (state.process !== child) return
    if ('stage' in message) return watch(state, options, child, message)
    if (!('ready' in message)) return onReply(state, options, message)
    state.isReady = true
    if (state.current !== null) limitTime(state, options, state.current.allowedMs)
  })
  child.on('exit', () => {
    if (state.process !== child) return
    state.process = null
    finish(state, { status: 'failed', message: 'The analyzer ended unexpectedly.' })
  })
  child.on('error', () => child.kill('SIGKILL'))
  state.process = child
  state.isReady = false
  return child
}

function watch(state: State, options: WorkerOptions, child: ChildProcess, { stage }: StageMessage): void {
  const { clock } = options
  const { current } = state
  if (current === null) return
  const isWatched = current.stage !== null
  current.stage = { ...stage, begunAt: clock.monotonic() }
  if (isWatched) return
  const look = (): void => {
    if (current.stage !== null && isOver(current.stage, child, options)) child.kill('SIGKILL')
    else state.stopLooking = clock.setTimeout(look, lookMs)
  }
  state.stopLooking = clock.setTimeout(look, lookMs)
}

function isOver({ usedMs, allowedMs, begunAt }: Stage, { pid }: ChildProcess, options: WorkerOptions): boolean {
  const { clock, processorTime = processorTimeOf } = options
  const allowed = allowedMs + stageGraceMs
  const used = pid === undefined ? null : processorTime(pid)
  return used === null ? clock.monotonic() - begunAt > allowed * clockFactor : used - usedMs > allowed
}

function onReply(state: State, options: WorkerOptions, reply: AnalyzeReply): void {
  if (reply.id !== state.current?.id) return
  // A parser that aborted may have left its memory in any state.
  if (!reply.ok || reply.rssBytes > options.maxRssBytes) restart(state, options)
  finish(state, reply.ok ? { status: 'done', findings: reply.findings } : { status: 'failed', message: reply.message })
}

/** A new process at once, so that the next job does not wait for its start. */
function restart(state: State, options: WorkerOptions): void {
  const child = state.process
  state.process = null
  child?.kill('SIGKILL')
  const next = state.isClosed ? null : tryToStart(state, options)
  if (next !== null) release(next)
}

function limitTime(state: State, options: WorkerOptions, delayMs: number): void {
  state.stopTimer()
  state.stopTimer = options.clock.setTimeout(() => {
    restart(state, options)
    finish(state, { status: 'timeout' })
  }, delayMs)
}

function finish(state: State, outcome: JobOutcome): void {
  state.stopTimer()
  state.stopLooking()
  const { current } = state
  state.current = null
  if (state.process !== null) release(state.process)
  current?.resolve(outcome)
}

/** An idle process does not keep its parent alive. */
function release(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}
