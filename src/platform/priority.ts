import { constants, setPriority } from 'node:os'

/**
 * Called by a thread that works beside the event loop: where cores are few that comes first. Linux counts priority by thread;
 * elsewhere it is the whole process's and left alone.
 */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)
}
