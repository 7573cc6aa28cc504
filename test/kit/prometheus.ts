/** A real Prometheus of Debian's package `prometheus`, on a free port of this machine and in a folder of its own. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { freePort } from './free-port.js'

const PROMETHEUS = '/usr/bin/prometheus'
const PROMTOOL = '/usr/bin/promtool'
export const hasPrometheus = existsSync(PROMETHEUS) && existsSync(PROMTOOL)

/** What `promtool` says; fails the test when it finds something wrong. */
export function promtool(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`promtool ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

export interface TestPrometheus extends AsyncDisposable {
  /** The values that a query answers now, without those that are no number. @throws when it is no query */
  query(expression: string): Promise<readonly number[]>
}

/** Scrapes one server every second. */
export async function startPrometheus(target: { readonly url: string; readonly key: string }): Promise<TestPrometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-prometheus-'))
  const scrape = {
    job_name: 'sluice',
    authorization: { type: 'Bearer', credentials: target.key },
    static_configs: [{ targets: [new URL(target.url).host] }],
  }
  const config = { global: { scrape_interval: '1s', scrape_timeout: '1s' }, scrape_configs: [scrape] }
  writeFileSync(join(folder, 'prometheus.yml'), stringify(config))
  const port = await freePort()
  const child = spawn(
    PROMETHEUS,
    ['--config.file=prometheus.yml', `--web.listen-address=127.0.0.1:${port}`, '--storage.tsdb.path=data', '--log.level=error'],
    { cwd: folder, stdio: 'ignore' },
  )
  const gone = once(child, 'exit')
  return {
    async query(expression) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/query`, {
        method: 'POST',
        body: new URLSearchParams({ query: expression }),
      })
      const answer = (await response.json()) as Answer
      if (answer.status !== 'success') throw new Error(`${expression}: ${answer.error}`)
      return answer.data.result.map(({ value }) => Number(value[1])).filter((value) => !Number.isNaN(value))
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Answer =
  | { readonly status: 'success'; readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] } }
  | { readonly status: 'error'; readonly error: string }
