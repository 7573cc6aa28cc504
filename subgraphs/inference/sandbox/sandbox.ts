/**
 * The sandbox provider as the gateway sees it: a child process that is started with the server, replaced with growing pauses
 * when it dies, and ends with us. `provider` is a normal provider configuration; nothing else in the gateway knows it.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer, type AddressInfo } from 'node:net'
import type { Clock } from '#platform/clock.js'
import { entryPoint } from '#platform/entry-point.js'
import type { ProviderConfig } from '../ports.js'
import type { SandboxServerOptions } from './server.js'

export interface SandboxOptions {
  /** The routing identifier. */
  readonly providerId: string
  readonly models: readonly string[]
  readonly tokensPerSecond: number
  readonly clock: Clock
  /** Told when the process ended without being asked to. */
  readonly onExit?: (exit: { readonly code: number | null; readonly restartInMs: number }) => void
}

export interface Sandbox {
  readonly provider: ProviderConfig
  /** The process id of the running server, null while there is none. */
  readonly pid: number | null
  stop(): Promise<void>
}

const START_MS_AT_MOST = 10_000
const RESTART_MS = 100
const RESTART_MS_AT_MOST = 10_000
/** A server that has run this long is a good one: the next pause is short again. */
const GOOD_RUN_MS = 30_000

/** The compiled entry file of the model server, for whoever runs it as something else than a provider. */
export const sandboxServerPath = (): string => entryPoint('./server.js', import.meta.url)

/** Starts the sandbox; resolves when it answers. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const apiKey = randomBytes(32).toString('hex')
  // The port stays the same over restarts, so that the provider's configuration does.
  const port = await freePort()
  let child: ChildProcess | null = null
  let isStopped = false
  let restarts = 0
  let cancelRestart = () => {}

  const launch = async (): Promise<void> => {
    const started = options.clock.monotonic()
    const server = spawnSandboxServer({
      apiKey,
      port,
      models: options.models,
      tokensPerSecond: options.tokensPerSecond,
      bootMs: 0,
    })
    child = server.child
    server.child.once('exit', (code) => {
      child = null
      if (isStopped) return
      if (options.clock.monotonic() - started > GOOD_RUN_MS) restarts = 0
      const restartInMs = Math.min(RESTART_MS_AT_MOST, RESTART_MS * 2 ** restarts++)
      options.onExit?.({ code, restartInMs })
      cancelRestart = options.clock.setTimeout(() => void launch().catch(() => undefined), restartInMs)
    })
    await server.listening
  }

  await launch()
  return {
    provider: { id: options.providerId, baseUrl: `http://127.0.0.1:${port}/v1`, apiKey, streamUsage: 'include_usage' },
    get pid() {
      return child?.pid ?? null
    },
    async stop() {
      isStopped = true
      cancelRestart()
      const running = child
      if (!running) return
      const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()))
      // Now its end is worth staying for.
      running.ref()
      running.kill('SIGKILL')
      await ended
    },
  }
}

/** Starts one server process; `listening` resolves to its port and rejects when it ends or takes too long. */
export function spawnSandboxServer(options: SandboxServerOptions): { child: ChildProcess; listening: Promise<number> } {
  const child = fork(sandboxServerPath(), [JSON.stringify(options)], {
    // Nothing of the gateway's environment is its business, least of all the keys of other providers.
    env: {},
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--max-old-space-size=256'],
  })
  // Neither the process nor its channel may keep a gateway alive that has nothing else to do.
  child.unref()
  child.channel?.unref()
  const listening = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => fail(new Error('The sandbox server did not start in time.')), START_MS_AT_MOST)
    const fail = (error: Error) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(error)
    }
    child.once('message', (message) => {
      clearTimeout(timer)
      resolve((message as { port: number }).port)
    })
    child.once('error', fail)
    child.once('exit', () => fail(new Error('The sandbox server ended while starting.')))
  })
  return { child, listening }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
