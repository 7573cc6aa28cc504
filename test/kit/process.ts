/** The program as its users run it: the compiled main file in a process of its own, which a test may kill. */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'
import { once } from 'node:events'
import { join } from 'node:path'
import { packageRoot } from '../../src/platform/package-root.js'

const MAIN = join(packageRoot, 'dist', 'src', 'main.js')

export interface ProcessOptions {
  readonly env?: Record<string, string>
  readonly cwd?: string
  /** The main file of another version. */
  readonly main?: string
}

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Settings that a developer's shell may hold must not reach a test. */
const cleanEnv = (env: Record<string, string> = {}) => ({ PATH: process.env['PATH'], HOME: process.env['HOME'], ...env })

function launch(
  args: readonly string[],
  { env, cwd, main = MAIN }: ProcessOptions,
): { child: ChildProcessByStdio<null, Readable, Readable>; output: () => string; errors: () => string } {
  const child = spawn(process.execPath, [main, ...args], { cwd, env: cleanEnv(env), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  return { child, output: () => output, errors: () => errors }
}

/** Runs a command to its end. */
export async function runSluice(args: readonly string[], options: ProcessOptions = {}): Promise<Finished> {
  const { child, output, errors } = launch(args, options)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout: output(), stderr: errors() }
}

export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** Everything that it has printed so far. */
  printed(): string
  /** The lines of its log so far. */
  logged(): string[]
  /** SIGTERM, or SIGKILL for a crash; resolves with the exit code when it is gone. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts a server command and resolves when it serves. */
export async function startSluice(args: readonly string[], options: ProcessOptions = {}): Promise<ServerProcess> {
  const { child, output, errors } = launch(args, { ...options, env: { SLUICE_PORT: '0', ...options.env } })
  const gone = once(child, 'close') as Promise<[number | null]>
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      // The whole welcome comes in one write; a URL alone could be cut.
      const found = / at (http:\/\/127\.0\.0\.1:\d+)\S*\n/.exec(output())?.[1]
      if (found) resolve(found)
    })
    void gone.then(([code]) => reject(new Error(`sluice ${args.join(' ')} ended with ${code}: ${errors()}${output()}`)))
  })
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return (await gone)[0]
  }
  return {
    url,
    pid: child.pid!,
    printed: output,
    logged: () => errors().split('\n').filter(Boolean),
    end,
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  }
}
