/**
 * The ledger on SQLite: batches go to a worker thread with a connection of its own.
 *
 * A worker that dies takes at most one uncommitted batch with it; the next batch starts another worker, and the queue repeats
 * what was in doubt.
 */
import { Worker } from 'node:worker_threads'
import { entryPoint } from '#platform/entry-point.js'
import { createThread } from '#platform/thread.js'
import { ConnectionLost, DatabaseTrouble, RejectedBatch } from '../operations/database-trouble.js'
import type { BatchResult, LedgerTransport } from '../operations/operation.js'
import type { Inspection } from './sqlite-inspection-thread.js'
import type { FailedReply, WorkerReply, WorkerRequest, WorkerTask } from './sqlite-ledger-worker.js'
import { packOperations, unpackOutcomes } from './thread-message.js'

export interface SqliteLedgerTransport extends LedgerTransport {
  /** Ends the worker at once, in the middle of whatever it does. */
  kill(): Promise<void>
}

/** Not the batches' own: reading every entry takes seconds, and charges go on meanwhile. */
const inspections = createThread<Inspection['question'], Inspection['answer']>(
  entryPoint('./sqlite-inspection-thread.js', import.meta.url),
)

export function openSqliteTransport(file: string): SqliteLedgerTransport {
  let worker: Worker | undefined
  let pending: { resolve: (result: BatchResult) => void; reject: (error: Error) => void } | undefined

  const start = (): Worker => {
    const started = startWorker({ file })
    const lost = (cause: unknown) => {
      if (worker !== started) return
      worker = undefined
      pending?.reject(new ConnectionLost('The ledger thread ended.', { cause }))
      pending = undefined
    }
    started.on('error', lost)
    started.on('exit', lost)
    started.on('message', (reply: WorkerReply) => {
      const waiting = pending
      pending = undefined
      // Between batches the thread alone does not keep the process alive.
      started.unref()
      if ('outcomes' in reply) waiting?.resolve({ ...reply, outcomes: unpackOutcomes(reply.outcomes) })
      else waiting?.reject(errorOf(reply))
    })
    return started
  }

  return {
    // A file belongs to one server, which platform/database/sqlite/sqlite-owner.ts sees to.
    isOnlyWriter: true,
    appliesInOrder: true,
    execute(operations, time) {
      worker ??= start()
      const running = worker
      return new Promise((resolve, reject) => {
        pending = { resolve, reject }
        running.ref()
        send(running, { operations: packOperations(operations), time })
      })
    },
    inspect: (queries) => inspections.ask({ file, queries }),
    async close() {
      if (!worker) return
      const ended = new Promise<void>((resolve) => worker?.once('exit', () => resolve()))
      worker.ref()
      send(worker, { close: true })
      await ended
    },
    async kill() {
      await worker?.terminate()
    },
  }
}

function errorOf({ error, blame }: FailedReply): Error {
  if (blame === 'data') return new RejectedBatch(error)
  return blame === 'bug' ? new Error(error) : new DatabaseTrouble(blame, error)
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const send = (worker: Worker, request: WorkerRequest): void => worker.postMessage(request)

const startWorker = (task: WorkerTask): Worker =>
  new Worker(entryPoint('./sqlite-ledger-worker.js', import.meta.url), { workerData: task })
