/**
 * A thread that ends its process when a stage of a file works on past its limit.
 *
 * Parsers are asked to stop by a callback, but some spend seconds between two calls of it, in time that grows with the square of the
 * text. What counts is processor time, so that a busy machine ends nobody's process; the server sees the end and goes on with a new
 * one.
 */
import { workerData } from 'node:worker_threads'

const LOOK_MS = 50

/** One number: the processor time of the process, in milliseconds, at which it ends. */
const end = new Float64Array(workerData as SharedArrayBuffer)

setInterval(() => {
  const { user, system } = process.cpuUsage()
  if ((user + system) / 1000 > (end[0] ?? Infinity)) process.kill(process.pid, 'SIGKILL')
}, LOOK_MS)
