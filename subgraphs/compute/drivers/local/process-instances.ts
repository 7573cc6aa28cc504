/**
 * Instances that are processes of this machine: what the `sandbox` and `command` drivers share.
 *
 * Each instance has a record file, written by its supervisor before it starts anything and removed after it is gone, so that a
 * gateway that was killed finds its instances again. A process counts as ours only with the recorded start time: process ids
 * are reused.
 */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { entryPoint } from '#platform/entry-point.js'
import type { SupervisorOptions } from './instance-supervisor.js'
import { isAlive, startedAt } from './process-table.js'

export interface ProcessRecord {
  readonly label: string
  /** Of the supervisor, which leads the instance's process group. */
  readonly pid: number
  /** As the operating system tells it. */
  readonly startedAt: string
  readonly port: number
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** Which slot of the driver it occupies. */
  readonly slot: string
}

export type Launch = Pick<SupervisorOptions, 'program' | 'env' | 'orphanTimeoutMs'>

const LABEL = /^[a-z0-9-]{1,64}$/
const TERM_WAIT_MS = 1_500
const START_WAIT_MS = 5_000

export interface ProcessInstances {
  /** Starts an instance; `launch` gets the port that it must listen on. */
  start(label: string, slot: string, launch: (port: number) => Launch): Promise<void>
  /** The record of a process that is alive, or null. Marks it as looked after. */
  find(label: string): Promise<ProcessRecord | null>
  list(prefix: string): Promise<readonly ProcessRecord[]>
  /** Names this folder on this machine, now and after a restart. */
  home(): Promise<string>
  /** `pending` when it is still alive after a firm request to end. */
  end(label: string): Promise<'gone' | 'pending'>
}

export function createProcessInstances(folder: string): ProcessInstances {
  const fileOf = (label: string): string => {
    if (!LABEL.test(label)) throw new Error(`"${label}" is no label.`)
    return join(folder, `${label}.json`)
  }

  async function read(label: string): Promise<ProcessRecord | null> {
    try {
      return JSON.parse(await readFile(fileOf(label), 'utf8')) as ProcessRecord
    } catch {
      return null
    }
  }

  const isOurs = async (record: ProcessRecord): Promise<boolean> =>
    record.pid > 0 && isAlive(record.pid) && (await startedAt(record.pid)) === record.startedAt

  async function find(label: string): Promise<ProcessRecord | null> {
    const record = await read(label)
    if (!record || !(await isOurs(record))) return null
    const now = new Date()
    await utimes(fileOf(label), now, now).catch(() => {})
    return record
  }

  async function list(prefix: string): Promise<readonly ProcessRecord[]> {
    const names = await readdir(folder).catch(() => [])
    const labels = names.filter((name) => name.startsWith(prefix) && name.endsWith('.json')).map((name) => name.slice(0, -5))
    return (await Promise.all(labels.map(find))).filter((record) => record !== null)
  }

  return {
    find,
    list,
    async home() {
      const file = join(folder, 'home')
      const own = `${file}.${process.pid}`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(own, randomBytes(16).toString('hex'), { mode: 0o600 })
      // Whole or not at all, and the first one stays. A folder that two machines share is two homes: processes are not shared.
      await link(own, file).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      await rm(own, { force: true })
      return createHash('sha256')
        .update(`${hostname()} ${await readFile(file, 'utf8')}`)
        .digest('hex')
        .slice(0, 16)
    },
    async start(label, slot, launch) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const port = await freePort()
      const options: SupervisorOptions = { label, slot, port, recordFile: fileOf(label), ...launch(port) }
      const supervisor = entryPoint('./instance-supervisor.js', import.meta.url)
      const child = spawn(process.execPath, [supervisor, JSON.stringify(options)], { env: {}, detached: true, stdio: 'ignore' })
      // It must outlive us: after kill -9 of the gateway the next one adopts it.
      child.unref()
      for (const until = Date.now() + START_WAIT_MS; Date.now() < until; await pause(10)) {
        if (await read(label)) return
        if (child.exitCode !== null) break
      }
      throw new Error('the supervisor of the instance did not start')
    },
    async end(label) {
      const record = await read(label)
      if (record && (await isOurs(record))) {
        signalGroup(record.pid, 'SIGTERM')
        if (!(await diesInTime(record.pid))) signalGroup(record.pid, 'SIGKILL')
        if (!(await diesInTime(record.pid))) return 'pending'
      }
      await rm(fileOf(label), { force: true })
      return 'gone'
    },
  }
}

/** The process is the leader of its own group, so its children go with it. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // It is gone already.
  }
}

async function diesInTime(pid: number): Promise<boolean> {
  for (const until = Date.now() + TERM_WAIT_MS; Date.now() < until; await pause(10)) if (!isAlive(pid)) return true
  return !isAlive(pid)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
