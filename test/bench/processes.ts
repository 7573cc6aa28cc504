/** The processes of a benchmark: pinned to a core where the machine can, and what the kernel says that they used. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { createInterface } from 'node:readline'

export interface Service {
  /** Its origin, as it printed it. */
  readonly url: string
  readonly pid: number
  /** Milliseconds from the start of the process to its first line with an address. */
  readonly readyMs: number
  stop(): Promise<void>
}

/** What is measured has the last core for itself; provider and load share the first. */
export const cores = { load: 0, measured: cpus().length - 1 }
export const isPinned = cores.measured > 0 && spawnSync('taskset', ['-V']).status === 0

const alive = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

/** Keeps this process, which makes the load, on its own core. */
export function pinSelf(): void {
  if (isPinned) spawnSync('taskset', ['-apc', String(cores.load), String(process.pid)])
}

/** Starts a Node program on `core` and answers when it printed the address that it serves at. */
export async function start(
  core: number,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = process.cwd(),
): Promise<Service> {
  const began = performance.now()
  const command = [process.execPath, ...args]
  const [file = '', ...rest] = isPinned ? ['taskset', '-c', String(core), ...command] : command
  const child = spawn(file, rest, {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', ...env },
  })
  alive.add(child)
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      alive.delete(child)
      resolve()
    }),
  )
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(line)?.[0]
    if (url === undefined) continue
    child.stdout.resume()
    return {
      url,
      pid: child.pid!,
      readyMs: performance.now() - began,
      async stop() {
        child.kill('SIGTERM')
        const impatience = setTimeout(() => child.kill('SIGKILL'), 3_000)
        await ended
        clearTimeout(impatience)
      },
    }
  }
  throw new Error(`${args.join(' ')} ended before it served.`)
}

const CLOCK_TICKS_PER_SECOND = 100

/** Fields of /proc/<pid>/stat from the third one on, behind the name in brackets. */
const statOf = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')

/** A process and its descendants. */
function tree(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      parents.set(Number(name), Number(statOf(Number(name))[1]))
    } catch {
      // It ended meanwhile.
    }
  }
  const found = [root]
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child)
  return found
}

const sumOfTree = (root: number, figure: (pid: number) => number) =>
  tree(root).reduce((sum, pid) => {
    try {
      return sum + figure(pid)
    } catch {
      return sum
    }
  }, 0)

/** CPU seconds (user and system) of a process and its descendants so far, from the kernel's accounting. */
export const cpuSeconds = (pid: number): number =>
  sumOfTree(pid, (each) => (Number(statOf(each)[11]) + Number(statOf(each)[12])) / CLOCK_TICKS_PER_SECOND)

/** Megabytes that a process and its descendants hold: shared pages count once for all that share them. */
export const memoryMb = (pid: number): number =>
  sumOfTree(pid, (each) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${each}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024)
