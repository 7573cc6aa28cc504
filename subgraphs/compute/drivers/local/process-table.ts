/** What the operating system says about a process of this machine. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Field 3 (state) and field 22 (start time in clock ticks since boot) of /proc/<pid>/stat; null where there is no /proc. */
function procStat(pid: number): { state: string; startTicks: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold spaces, so fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', startTicks: fields[19] ?? '' }
  } catch {
    return null
  }
}

/** A zombie (ended, not yet collected by its parent) is not alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return procStat(pid)?.state !== 'Z'
}

/** Something that differs between two processes that had the same id, or empty when the process is gone. */
export async function startedAt(pid: number): Promise<string> {
  const stat = procStat(pid)
  if (stat) return stat.startTicks
  try {
    return (await run('ps', ['-o', 'lstart=', '-p', String(pid)])).stdout.trim()
  } catch {
    return ''
  }
}
