import { readFileSync } from 'node:fs'

/** Linux counts a process's time in ticks of this length, whatever its kernel's own are. */
const TICK_MS = 10

/** The processor time that another process has used, in milliseconds; null where the system does not tell by a file. */
export function processorTimeOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in brackets may hold anything. Fields 14 and 15 are the time in the program and in the system for it.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return (Number(user) + Number(system)) * TICK_MS
  } catch {
    return null
  }
}
