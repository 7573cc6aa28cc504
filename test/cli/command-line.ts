/** `sluice` commands against one server, as an operator types them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { packageRoot } from '../../src/platform/package-root.js'
import type { TestApp } from '../kit/app.js'
import type { Finished } from '../kit/process.js'

export interface CommandLine extends Disposable {
  /** The working directory of the commands. */
  readonly folder: string
  run(args: readonly string[], options?: RunOptions): Promise<Finished>
  /** Runs with --json, expects success and silence on standard error, and answers what was printed. */
  json<T>(...args: string[]): Promise<T>
}

interface RunOptions {
  readonly env?: Record<string, string>
  readonly input?: string
}

const MAIN = join(packageRoot, 'dist', 'src', 'main.js')

export function commandLine(app?: Pick<TestApp, 'url' | 'adminKey'>): CommandLine {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-cli-'))
  const settings = app ? { SLUICE_URL: app.url, SLUICE_API_KEY: app.adminKey } : {}
  const run: CommandLine['run'] = async (args, { env = {}, input = '' } = {}) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings, ...env },
      stdio: 'pipe',
    })
    child.stdin.end(input)
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { code: code as number | null, stdout, stderr }
  }
  return {
    folder,
    run,
    async json<T>(...args: string[]): Promise<T> {
      const { code, stdout, stderr } = await run([...args, '--json'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return JSON.parse(stdout) as T
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
