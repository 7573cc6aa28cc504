/**
 * Several servers on one port, as processes of one program: for machines with more cores than one event loop can use. This is what
 * the first process does; the servers are its workers, and what they share is the database.
 */
import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import type { Logger } from '#platform/log.js'
import { isFromWorker, type ToWorker } from './worker-messages.js'

/** What a worker that ends by itself is waited for before the next takes its place, doubled each time it happens again. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
/** Whoever has lived so long was well. */
const WELL_MS = 60_000

export interface WorkersOptions {
  readonly count: number
  readonly log: Logger
  /** The text of the first server that is up: its address, and a new installation's key. */
  readonly welcome: (text: string) => void
  /** After the signal to stop. */
  readonly longestStopMs: number
}

/** @returns the exit code, when the last worker is gone. */
export async function runWorkers({ count, log, welcome, longestStopMs }: WorkersOptions): Promise<number> {
  // Workers take connections themselves. One that was handed to a worker that is just dying would never be answered nor ended.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const metrics = new AggregatorRegistry()
  let isStopping = false
  let worst = 0
  let waitMs = FIRST_WAIT_MS
  let hasFirst = false
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const tell = (worker: Worker, message: ToWorker) => worker.isConnected() && worker.send(message)
  const all = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

  /** Resolves with whether it has come to serve. */
  const start = () =>
    new Promise<boolean>((resolve) => {
      const worker = cluster.fork()
      const startedAt = performance.now()
      worker.on('message', (message: unknown) => {
        if (!isFromWorker(message)) return
        if (message.kind === 'serves') {
          if (!hasFirst) welcome(message.welcome)
          resolve(true)
        } else {
          const answer = (text: string | null) => tell(worker, { kind: 'metrics', id: message.id, text })
          metrics.clusterMetrics().then(answer, () => answer(null))
        }
      })
      worker.once('exit', (code, signal) => {
        resolve(false)
        if (isStopping) {
          worst = Math.max(worst, code ?? 1)
          if (all().every((one) => one === worker || one.isDead())) end()
        } else if (hasFirst) startAnother(worker, { code, signal, lived: performance.now() - startedAt })
        else worst = code || 1
      })
    })

  function startAnother({ process: { pid } }: Worker, { lived, ...how }: { code: number; signal: string; lived: number }): void {
    waitMs = lived > WELL_MS ? FIRST_WAIT_MS : Math.min(waitMs * 2, LONGEST_WAIT_MS)
    log.error({ pid, ...how, againInMs: waitMs }, 'a worker ended by itself: another takes its place')
    setTimeout(() => isStopping || void start(), waitMs)
  }

  const stop = () => {
    if (isStopping) return process.exit(130)
    isStopping = true
    for (const worker of all()) tell(worker, { kind: 'stop' })
    if (all().length === 0) end()
    setTimeout(() => process.exit(1), longestStopMs).unref()
  }
  process.on('SIGINT', stop).on('SIGTERM', stop).on('disconnect', stop)
  if (!process.stdout.isTTY)
    process.on('SIGHUP', () => {
      for (const worker of all()) tell(worker, { kind: 'reload' })
    })

  // Alone: it makes the first key. What it cannot do, the others cannot either.
  hasFirst = await start()
  if (!hasFirst) return worst
  for (let more = 1; more < count && !isStopping; more++) void start()
  await ended
  return worst
}
