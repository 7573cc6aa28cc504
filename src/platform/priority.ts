import { constants, setPriority } from 'node:os'

/**
 * Called by a thread that works beside the event loop: where cores are few that comes first. Linux counts priority by thread;
 * elsewhere it is the whole process's and left alone.
 *
 * Not the lowest: that has 1.5 % of a busy neighbour's share, and each megabyte to parse then took two seconds.
 */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}
