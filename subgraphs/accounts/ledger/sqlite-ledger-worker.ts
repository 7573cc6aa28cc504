/**
 * The worker thread that owns the ledger's SQLite connection: every commit waits for the disk, and must not make the event
 * loop of the server wait with it.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openSqliteFile } from '#platform/database/sqlite-file.js'
import type { BatchTime } from './operation.js'
import { createSqliteBatch } from './sqlite-batch.js'
import { packOutcomes, type Packed, unpackOperations } from './thread-message.js'

export type WorkerTask = { readonly file: string } & (
  | { readonly task: 'batches' }
  | { readonly task: 'inspect'; readonly queries: readonly string[] }
)

/** `close` is answered by the end of the thread. */
export type WorkerRequest = { readonly operations: Packed; readonly time: BatchTime } | { readonly close: true }

export type WorkerReply =
  | { readonly outcomes: Packed }
  | { readonly rows: Record<string, unknown>[][] }
  | { readonly error: string; readonly rejected: boolean }

/** Primary result codes that blame the statement's data (constraint, mismatch, range, too big), not the disk or the file. */
const DATA_ERRORS = new Set([18, 19, 20, 25])

function main(port: NonNullable<typeof parentPort>, task: WorkerTask): void {
  const reply = (message: WorkerReply) => port.postMessage(message)
  const db = openSqliteFile(task.file)
  if (task.task === 'inspect') {
    db.exec('begin')
    reply({ rows: task.queries.map((sql) => db.prepare(sql).all()) })
    db.close()
    return
  }
  // Checkpoints copy the log into the file and sync twice: fewer, larger ones cost less per charge.
  db.exec('pragma wal_autocheckpoint = 4000; pragma cache_size = -32000')
  const runBatch = createSqliteBatch(db)
  port.on('message', (request: WorkerRequest) => {
    if ('close' in request) {
      db.close()
      port.close()
      return
    }
    try {
      reply({ outcomes: packOutcomes(runBatch(unpackOperations(request.operations), request.time)) })
    } catch (error) {
      reply({ error: String(error), rejected: isDataError(error) })
    }
  })
}

function isDataError(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return true
  return DATA_ERRORS.has(Number(error.errcode) & 0xff)
}

if (parentPort) main(parentPort, workerData as WorkerTask)
