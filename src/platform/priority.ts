import { readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

/**
 * Called by a thread that works beside the event loop: where cores are few that comes first. Linux counts priority by thread;
 * elsewhere it is the whole process's and left alone.
 */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)
}

/** Linux's list of this process's threads. */
const THREADS = '/proc/self/task'

/**
 * V8's compiler and collector work in four threads beside the event loop. While code is new all of them have work, and where cores are
 * few they would take most of one from the requests that wait: a pause of 60 ms and more.
 */
export function engineGivesWay(): void {
  if (process.platform !== 'linux') return
  try {
    const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
    const niceness = Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW)
    for (const id of readdirSync(THREADS))
      if (readFileSync(`${THREADS}/${id}/comm`, 'utf8').trim() === 'V8Worker') setPriority(Number(id), niceness)
  } catch {
    // Where the system does not tell or does not allow it, the threads stay as they are.
  }
}
