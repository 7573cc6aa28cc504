/**
 * The process around one instance on this machine. It writes its own record before it starts anything, so there is no moment at
 * which an instance runs that no record tells of, whenever the gateway is killed. It leads a process group: whoever ends the
 * group ends the instance and all that it started.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { startedAt } from './process-table.js'

/** The argument of the process, as JSON. */
export interface SupervisorOptions {
  readonly label: string
  readonly slot: string
  readonly port: number
  readonly recordFile: string
  /** Ends by itself when no gateway touched the record for this long; null: never. */
  readonly orphanTimeoutMs: number | null
  /** A program with arguments, or the compiled entry of a Node program. */
  readonly program: { readonly file: string; readonly args: readonly string[]; readonly isNode: boolean }
  readonly env: Readonly<Record<string, string>>
}

const options = JSON.parse(process.argv[2] ?? '{}') as SupervisorOptions
const LOOK_EVERY_MS = 2_000

function start(): ChildProcess {
  const { file, args, isNode } = options.program
  return isNode
    ? fork(file, [...args], { env: { ...options.env } })
    : spawn(file, args, { env: { ...options.env }, stdio: 'ignore' })
}

/** Whole or not at all. */
async function writeRecord(): Promise<void> {
  const { label, slot, port, recordFile } = options
  const record = { label, slot, port, pid: process.pid, startedAt: await startedAt(process.pid), createdAt: Date.now() }
  writeFileSync(`${recordFile}.new`, JSON.stringify(record), { mode: 0o600 })
  renameSync(`${recordFile}.new`, recordFile)
}

function watchForOrphaning(timeoutMs: number): void {
  setInterval(() => {
    const touchedAt = statSync(options.recordFile, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (Date.now() - touchedAt <= timeoutMs) return
    rmSync(options.recordFile, { force: true })
    process.kill(-process.pid, 'SIGTERM')
  }, LOOK_EVERY_MS)
}

await writeRecord()
const child = start()
child.on('error', () => process.exit(1))
child.on('exit', () => process.exit(0))
process.on('SIGTERM', () => {
  child.kill('SIGTERM')
})
if (options.orphanTimeoutMs !== null) watchForOrphaning(options.orphanTimeoutMs)
