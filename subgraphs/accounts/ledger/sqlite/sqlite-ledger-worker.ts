/**
 * The worker thread that owns the ledger's SQLite connection: every commit waits for the disk, and must not make the event
 * loop of the server wait with it.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { DatabaseSync } from 'node:sqlite'
import { openSqliteFile } from '#platform/database/sqlite/sqlite-file.js'
import { blameOfSqlite } from '../operations/database-trouble.js'
import type { BatchTime } from '../operations/operation.js'
import { createSqliteBatch, type SqliteBatch } from './sqlite-batch.js'
import { packOutcomes, type Packed, unpackOperations } from './thread-message.js'

export interface WorkerTask {
  readonly file: string
}

/** `close` is answered by the end of the thread. */
export type WorkerRequest = { readonly operations: Packed; readonly time: BatchTime } | { readonly close: true }

export type WorkerReply = { readonly outcomes: Packed; readonly othersWrote: boolean } | FailedReply

/** The batch was not applied. */
export interface FailedReply {
  readonly error: string
  readonly blame: ReturnType<typeof blameOfSqlite>
}

/** A writer that keeps the lock for longer is reported, and the queue decides how often to come back. */
const LOCK_WAIT_MS = 250

function main(port: NonNullable<typeof parentPort>, task: WorkerTask): void {
  const reply = (message: WorkerReply) => port.postMessage(message)
  let connection: Connection | undefined
  port.on('message', (request: WorkerRequest) => {
    if ('close' in request) {
      close(connection)
      port.close()
      return
    }
    try {
      connection ??= connect(task)
      const { outcomes, othersWrote } = connection.runBatch(unpackOperations(request.operations), request.time)
      reply({ outcomes: packOutcomes(outcomes), othersWrote })
    } catch (error) {
      const blame = blameOfSqlite(error)
      // A lock says nothing about the connection; what else is no fault of the data may have left it in any state.
      if (blame !== 'data' && blame !== 'locked') {
        close(connection)
        connection = undefined
      }
      reply({ error: String(error), blame })
    }
  })
}

interface Connection {
  readonly db: DatabaseSync
  readonly runBatch: SqliteBatch
}

function connect({ file }: WorkerTask): Connection {
  const db = openSqliteFile(file, LOCK_WAIT_MS)
  try {
    // Checkpoints copy the log into the file and sync twice: fewer, larger ones cost less per charge.
    db.exec('pragma wal_autocheckpoint = 4000; pragma cache_size = -32000')
    return { db, runBatch: createSqliteBatch(db) }
  } catch (error) {
    db.close()
    throw error
  }
}

function close(connection: Connection | undefined): void {
  try {
    connection?.db.close()
  } catch {
    // A connection in trouble cannot even be closed in order; the file is consistent without that.
  }
}

if (parentPort) main(parentPort, workerData as WorkerTask)
